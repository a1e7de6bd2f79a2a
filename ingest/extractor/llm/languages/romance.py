"""Words of French, Spanish, Italian and Portuguese by which claims are checked; `Language` says what each row is."""

from typing import Final

from ingest.extractor.llm.languages.language import Language

FRENCH: Final = Language(
    known=r"hier|demain|tout|toute|cette|j'\w+|c'\w+|d'\w+|l'\w+|n'\w+|qu'\w+|je|le|la|les|et|est|un|une|des|du|de|que|qui|pas|pour|dans|mon|ma|mes|nous|on|avec"
    "|sur|suis|ai|c'|ce|ça|elle|il|tu|en|au|aux|depuis|mais|notre|chez|à|ne|très|plus|tous|moi|sans",
    letters=r"\w*(?:eau|oi|ê|è|œ|ç|ou|ai)\w*|\w+(?:eux|euse|ées?|er|ez)",
    speaker=r"je|j'\w+|on|nous|\A(?:suis|ai)",
    me=r"me|m'\w+|moi|nous|mon|ma|mes|notre|nos",
    own="mon|ma|mes|notre|nos",
    others=r"le|la|les|l'\w+|un|une|des|ce|cet|cette|ces|tu|t'\w+|vous|c'\w+|ça"
    r"|ton|ta|tes|votre|vos|quelqu'un|personne|certains|toi",
    third="il|elle|ils|elles|qui|s'est|quelqu'un|son|sa|ses|leurs?",
    verb=r"est|a|s'\w+|se|va|fait|était|avait|vit|habite|travaille|aime|adore|dit|veut|peut|doit"
    r"|parle|joue|sera|n'\w+|ne|vient",
    joint="qui|et|mais|car|donc|puis|alors|parce que|parce qu'|tandis que|alors que|du coup|or|sinon",
    that="que|qu'|quand|si|où|dont|lorsque|crois que|trouve que|pense que",
    person=r"(?:grand|beau|belle|petit|petite|demi)?s?-?(?:père|mère|parents?|frères?|sœurs?|soeurs?"
    r"|fils|filles?)|papa|maman|enfants?|bébé|mamie|papi|mémé|pépé|tante|oncle|tonton|cousine?s?"
    r"|neveux?|nièces?|mari|femme|époux|épouse|compagn\w+|copine?s?|conjointe?|fiancée?|ex|amie?s?"
    r"|potes?|collègues?|chef|cheffe|patronn?e?|voisine?s?|coloc\w*|propriétaire|prof\w*|médecin"
    r"|petite? dernière?|aînée?|cadette?|jumeaux|jumelles|chiens?|chiennes?|chate?s?|chattes?"
    r"|chatons?|cheval|lapine?|perroquet|hamster|élèves?",
    asked=r"qui|que|qu'\w+|quoi|où|quand|pourquoi|comment|quel\w*|combien|est-ce|as-tu|es-tu"
    r"|peux-tu|\w+-(?:tu|vous|il|elle|je|nous|t-il|t-elle)",
    supposed=r"dans (?:le jeu|la pièce|mon rêve|le film|le roman|les sims)|le rôle (?:de|d'\w+)|si|s'ils?|failli|faillit|doute|quand (?:j'aurai|je serai)|supposons|imagine\w*|imaginons|sans toi|sans vous|comme si|à supposer"
    r"|au cas où|faisons comme|\w*aur(?:ais|ait|ions)(?: \w+)? \w+(?:é|u|i|is|it)",
    told=r"(?:dit|disait|écrit|écrivait|pense|croit|prétend|raconte|trouve|affirme) (?:que|qu'\w*|:)"
    r"|selon|d'après|paraît\w*|apparemment|on dit|il paraît|on m'a dit|soi-disant",
    wished=r"dois|doit|devons|essay\w+|rêv\w+|veux|voudrais|voulons|veut|voulait|voulais|aimerais|aimerait|aimerions|souhaite\w*"
    r"|espère\w*|espérons|rêve\w*|peut-être|envisage\w*|pourrais|pourrait|pourrions|devrais"
    r"|compte|comptons|pense à|pense (?:\w+er)|réfléchis|hésite|j'hésite|probablement|sans doute"
    r"|j'aimerais|j'adorerais|envie|j'envisage|j'espère|\w+erais|\w+rions|projet\w*|cherche"
    r"|essaie|faudrait|faut|besoin|postul\w+|candidat\w*|(?:crois|pense) (?:que j'\w+|être|avoir)|prévois|prévoit",
    offered=r"propos\w+|offert|(?:peux|pourrais|peut|vais|veux)\b[^.!?]*\b(?:te|t'\w+|vous|toi|ton|ta|tes|votre)"
    r"|je (?:te|t'|vous) (?:prête|propose|offre|donne)\w*|propose\w*|laisse-moi",
    feared=r"peurs?|trouille|terr(?:eur|ifi\w+|oris\w+)|\w*phob\w+|angoiss\w+|crain\w*|frousse"
    r"|pétoche|panique\w*|effra\w+|inqui\w+|flippe\w*|redoute\w*",
    coming=r"(?:vais|va|allons) \w+(?:er|ir|re)|demain|bientôt|prochaine?s?|la semaine prochaine|dans (?:un|une|deux"
    r"|trois|\d+) (?:jours?|semaines?|mois|ans?)|(?:j'|je )\w+rai|nous \w+rons|on \w+ra|\w+erai"
    r"|serai|aurai|ferai",
    past=r"étais|était|étions|avais|avions|avait|j'étais|j'avais|j'habitais|habitais|vivais|travaillais|vécu|habité"
    r"|travaillé|aimais|autrefois|jadis|ancien|ancienne|à l'époque|ex|j'\w+ais|étant \w+|possédais",
    denied=r"ne|n'\w+|pas|jamais|aucune?|rien|personne|sans|ni|déteste\w*|hais|hait|évite\w*"
    r"|horreur|refuse\w*|supporte pas",
    ended=r"plus|résili\w+|arrêt\w+|quitt\w+|divorc\w+|vendu\w*|mort\w*|décéd\w+|séparé\w*|annul\w+|fini\w*"
    r"|démission\w*|viré\w*|licenci\w+|rompu|perdu\w*|ex|ancien\w*|abandonn\w+|changé|lâché",
    gone=r"lâch\w+|jet\w+|tomb\w+|rompu|rupture|séparation|enterr\w+|euthanas\w+|piqué\w*|retraite|démissionn\w+|licencié\w*|donné\w*|eau|fermé\w*|déménag\w+|largu\w+|viré\w*|claqué|terminé\w*|stoppé\w*|désinscri\w+|désabonn\w+|fini\w*|rendu\w*|guéri\w*|parti\w*|remis\w*|laissé\w*|faillite",
    now="a|est|habite|vit|travaille|aime|adore|parle|étudie|fume|joue|possède|s'appelle",
    has=r"j'ai|ai|as|a|avons|ont|possèd\w+|mon|ma|mes|notre|nos|à nous|à moi|acheté\w*|adopté\w*"
    r"|avec|eu|garde|propriétaire",
)

SPANISH: Final = Language(
    known="ayer|hoy|si|yo|el|la|los|las|que|de|en|y|un|una|no|me|mi|mis|con|por|para|es|soy|tengo|del|al|lo|se"
    "|su|muy|pero|como|más|ya|estoy|nos|nuestro|nuestra|desde|hace|porque|también|todo|hay|está",
    letters=r"\w*(?:ñ|ción|ll|rr|ue|ie|cho|ía)\w*|[¿¡]\w+|\w+(?:ando|iendo|aje|dad|or)",
    speaker=r"yo|nosotr[oa]s|\A(?:(?:ya|no|lo|la|los|las|le|se|me|nos|también|siempre|casi|nunca|solo|sólo|ahora|hoy) )*\w{2,}o|soy|estoy|voy|doy|sé|he|hemos|fui|somos|(?!últi|próxi|pri|máxi|íntim)\w{2,}[aei]mos|\w{2,}[^aeiou\W]é|\w{2,}í|tuve|hice|estuve|pude|vine|tengo|trabajo|vivo|juego|hago|llevo|salgo|corro|hablo|conozco",
    me=r"me|mí|nos|mis?|m[ií][oa]s?|nuestr[oa]s?|conmigo",
    own=r"mis?|nuestr[oa]s?",
    others=r"el|la|los|las|un|una|unos|unas|este|esta|estos|estas|ese|esa|eso|esto"
    r"|tú|usted|ustedes|vosotros|te|tus?|vuestr[oa]s?"
    r"|mucha|muchos|alguien|nadie|algunos|hay|se",
    third="él|ella|ellos|ellas|quien|que|sus|les?|alguien|nadie|gente",
    verb=r"es|está|tiene|ha|se|va|fue|era|dice|quiere|puede|hace|vive|le|les|\w+(?:ó|aron|ieron)",
    joint="(?<=alguien )que|y|e|pero|aunque|porque|así que|pues|sino|mientras|o|luego|entonces|ya que",
    that="que|si|cuando|donde|creo que|pienso que|siento que",
    person=r"(?:bis)?(?:abuel|tí|prim|sobrin|herman|hij|suegr|cuñad|niet|yern|novi|espos)[oa]s?"
    r"|(?:herman|abuel|hij)it[oa]s?|padres?|madre|madrastra|padrastro|papás?|mamá|viej[oa]s?|marido"
    r"|mujer|pareja|ex|bebé|gemel[oa]s|mell?iz[oa]s|niñ[oa]s?|peque\w*|nena?|amig[oa]s?|compañer[oa]s?"
    r"|coleg[ao]s?|jef[ea]|vecin[oa]s?|caser[oa]|profe\w*|médic[oa]|doctora?|perr(?:o|a|it)\w*"
    r"|gat(?:o|a|it)\w*|cachorr[oa]|caballo|conej[oa]|loro|hámster|alumn[oa]s?|nuera",
    asked=r"¿.*|quién\w*|qué|dónde|cuándo|por qué|cómo|cuál\w*|cuánt\w*|adónde",
    supposed=r"en (?:el juego|la obra|la peli|la novela|los sims|mi sueño)|papel de|si|imag[ií]n\w+|dudo|supon\w+|supong\w+|como si|ojalá|\w{2,}(?:iera|ara|iese|ase)(?:mos)?"
    r"|en caso de|habría\w*|hubier\w+|hagamos como|haz como|casi",
    told=r"(?:dice|dijo|decía|cree|piensa|escribió|asegura|cuenta|contó|opina|afirma)n? (?:que|:)"
    r"|dicen|según|al parecer|por lo visto|me dijeron|supuestamente|se dice|dizque",
    wished=r"tengo que|tenemos que|debo|hay que|intent\w+|soñ\w+|quier\w+|querr?ía\w*|quisiera|queremos|espero|esperamos|espera|ojalá|sueñ\w+|tal vez"
    r"|quizás?|a lo mejor|podría\w*|debería\w*|pienso (?:\w+[aei]r)|planeo|planea\w*|planeamos"
    r"|me gustaría|gustaría|encantaría|ganas|igual|estoy pensando|probablemente|\w+[aei]ría(?:mos)?"
    r"|deseo|desea|busco|intento|intenta|puede que|plan(?:es)?|necesit\w+|falta|postul\w+|solicit\w+|creo que (?:soy|tengo|estoy)|capaz que|considero",
    offered=r"(?:puedo|podemos|podría|voy a|quieres que)\b[^.!?]*\b(?:te|os|le|les|\w+(?:te|os))"
    r"|te (?:presto|ayudo|ofrezco|doy|puedo|paso|invito|llevo|acompaño|enseño)|ofre\w+|déjame",
    feared=r"miedo\w*|pánico|terror|aterr\w+|asust\w+|tem(?:o|e|emos|or)|\w*fobia|pavor|angusti\w+"
    r"|preocup\w+|horroriza",
    coming=r"vo?y a|vamos a|va a|(?<!la )(?<!una )(?<!cada )mañana|pronto|que viene|próxim[oa]s?|dentro de|en (?:un|dos|tres|\d+)"
    r" (?:días?|semanas?|mes\w*|años?)|\w+aré|\w+eré|\w+iré|\w+remos|\w+rá",
    past=r"era|éramos|estaba|estábamos|estuve|tenía|teníamos|tuve|vivía\w*|viví|vivido|trabaj(?:aba\w*|é|ado)"
    r"|antes|solía|gustaba|ex|antigu[oa]|fui|cuando era|de niñ[oa]|amaba|estudiaba",
    denied=r"no|nunca|jamás|nada|nadie|ningun?[oa]?|ningún|sin|ni|tampoco|odi\w+|detest\w+|evit\w+"
    r"|aborrezco|apenas|asco",
    ended=r"ya no|baja|dej(?:é|o|a|ado|amos|ó)|divorci\w+|murió|muert\w+|falleció|vendí|vendido|vendimos"
    r"|separ\w+|cancel\w+|renunci\w+|despid\w+|terminé|terminamos|acab\w+|ex|perdí|rompi\w+|rompí"
    r"|se acabó|abandon\w+|cambié|sin (?:fumar|beber|comer)|me fui|echaron|antigu[oa]",
    gone=r"baja|borr\w+|jubil\w+|dimit\w+|regal\w+|sacrific\w+|echar\w+|ech[óé]|anul\w+|cerr\w+|quit\w+|cay\w+|termin\w+|acab\w+|mud\w+|se fue|me fui|perd\w+|devolv\w+|cur\w+|plant\w+|cort\w+|ya",
    now="tiene|es|vive|trabaja|habla|estudia|fuma|juega|posee|se llama|está|le gusta|adora|ama",
    has=r"ten\w+|tien\w+|mis?|nuestr[oa]s?|compr\w+|adopt\w+|con|mí[oa]s?|poseo|hay|cumplió|he|dueñ[oa]",
)

ITALIAN: Final = Language(
    known="ieri|oggi|io|il|lo|la|gli|le|che|di|in|e|un|una|non|mi|mio|mia|con|per|è|sono|ho|del|della|al|si"
    "|ma|come|più|già|da|dal|anche|nel|nella|ci|nostro|nostra|abbiamo|molto|perché|sto|miei|anni",
    letters=r"\w*(?:cch|ch[ie]|gli|zz|gg|gi|sci|tt|ll|uo|nn)\w*|\w+(?:ione|are|ere|ire|ità)",
    speaker=r"io|noi|(?:l')?ho|sono|abbiamo|siamo|sto|vado|faccio|so|\w{2,}iamo|\w{2,}rei|\A(?:(?:non|già|lo|la|li|le|ne|si|mi|ci|anche|sempre|ora|oggi|solo) )*\w{2,}o|\w{2,}[aei]vo",
    me=r"mi|me|m'\w+|ci|noi|mi[oae]|miei|nostr[oaie]",
    own=r"(?:(?:il|la|i|le|un|una) )?(?:mi[oae]|miei|nostr[oaie])",
    others=r"il|lo|la|i|gli|le|l'\w+|un|uno|una|un'\w+|quest[oaei]|quel\w*|tu|voi|ti"
    r"|vi|tu[oae]|tuoi|vostr[oaie]|molti|alcuni|qualcuno|nessuno|c'è",
    third="lui|lei|loro|che|su[oae]|suoi|egli|qualcuno|nessuno|gente",
    verb=r"è|ha|sta|va|si|era|aveva|dice|vuole|può|fa|vive|abita|lavora|piace|\w+(?:ò|ono)",
    joint="(?<=uno )che|(?<=qualcuno )che|e|ed|ma|però|perché|quindi|poi|oppure|mentre|anche se|così|allora|o|invece",
    that="che|se|quando|dove|credo che|penso che",
    person=r"(?:bis)?nonn[oaie]|zi[oaie]|cugin[oaie]|nipot[ei]|fratell\w+|sorell\w+|figli\w*"
    r"|suocer[oaie]|cognat[oaie]|genero|nuora|padre|madre|papà|mamma|babbo|genitori|marito|moglie"
    r"|compagn[oaie]|fidanzat[oaie]|ragazz[oaie]|partner|ex|bimb[oaie]|bambin[oaie]|gemell[ei]"
    r"|piccol[oaie]|amic\w+|collegh?[aei]|cap[oa]|vicin[oaie]|coinquilin\w+|prof\w*|medico|dottor\w*"
    r"|can[ei]|cagn\w+|gatt\w+|cucciol[oa]|cavallo|conigli[oa]|pappagallo|criceto|maestr[oa]|alunn\w+",
    asked=r"chi|che|cosa|dove|quando|perché|come|qual[ei]?|quant[oaei]|sei|hai|puoi|vuoi|ti va",
    supposed=r"nel (?:gioco|film|romanzo|sogno)|nella (?:recita|storia)|(?:parte|ruolo) (?:di|del|della)|se|dubito|immagina\w*|supponi\w*|facciamo finta|fingi\w*|come se|magari|qualora|\w+(?:assi|essi|issi|asse"
    r"|esse|isse)(?:mo)?|avre\w+|sare\w+ (?:mai )?\w+[aiu]t[oaie]|senza di te|mettiamo",
    told=r"(?:dice|disse|diceva|pensa|crede|scrisse|scriveva|sostiene|racconta|afferma)(?: che|:|,)|dicono|secondo(?! (?:me|noi))"
    r"|a quanto pare|pare|si dice|mi hanno detto|ho sentito|presumibilmente",
    wished=r"devo|dobbiamo|prov(?:o|at[oa]) a|vorr\w+|vogli\w+|vuole|sper\w+|sogn\w+|forse|potr\w+|dovr\w+|mi piacerebbe|piacerebbe"
    r"|pens\w+ di|penso a|pensando|progett\w+|intend\w+|probabilmente|magari|\w+erei|\w+irei"
    r"|\w+erebbe|desider\w+|serv(?:e|ono)|bisogno|quasi|per poco|candid\w+|(?:credo|penso) di|mi sa|cerco|cerca|provo a|valut\w+|ho intenzione|può darsi|conto di",
    offered=r"offert\w+|(?:posso|possiamo|potrei|vuoi che)\b[^.!?]*\b(?:ti|vi|\w+(?:ti|vi))|ti (?:presto|aiuto"
    r"|offro|do|porto|accompagno|passo)|offr\w+|ti aiuto|lasciami",
    feared=r"paur\w+|terror\w*|terrorizz\w+|panico|spavent\w+|tem(?:o|e|iamo)|\w*fobi\w+|angosci\w+"
    r"|fifa|preoccup\w+|ansia|strizza",
    coming=r"domani|presto|prossim[oaei]|che viene|tra (?:un|una|due|tre|\d+)|fra (?:un|una|due|tre|\d+)"
    r"|\w+erò|\w+irò|sarò|avrò|andrò|farò|\w+remo|\w+erà|sto per",
    past=r"ero|eravamo|era|avev[oa]|avevamo|viv(?:evo|eva|evamo)|vissuto|abitavo|abitavamo|abitato|lavoravo"
    r"|lavorato|piaceva|una volta|un tempo|(?<!fin )da (?:piccol|bambin|ragazz)\w+|ex|amavo|studiavo",
    denied=r"non|mai|niente|nulla|nessun\w*|senza|né|nemmeno|neanche|odi\w*|detest\w+|evit\w+|schifo",
    ended=r"disd\w+|non\b.*\bpiù|più|smess\w+|lasciat\w+|divorzi\w+|mort[oaie]|vendut\w+|separat\w+|annullat\w+"
    r"|licenzi\w+|finit[oaie]|chius[oa]|ex|pers[oaie]|dimess\w+|rott[oa]|cambiat\w+|abbandon\w+",
    gone=r"moll\w+|pension\w+|regal\w+|soppress\w+|saltat\w+|chius\w+|via|buttat\w+|ritirat\w+|finit\w+|rottura|trasferit\w+|guarit\w+|restituit\w+|mancat\w+|annullat\w+|basta",
    now="ha|è|vive|abita|lavora|ama|adora|parla|studia|fuma|gioca|possiede|si chiama|suona",
    has=r"ho|ha|abbiamo|hai|mi[oae]|miei|nostr[oaie]|compr\w+|adott\w+|pres[oaie]|con|possied\w+|possegg\w+|avere",
)

PORTUGUESE: Final = Language(
    known="ontem|hoje|eu|o|a|os|as|que|de|em|e|um|uma|não|me|meu|minha|com|por|para|pra|é|sou|tenho|do|da|dos"
    "|no|na|mas|como|mais|já|desde|há|nosso|nossa|estou|também|porque|gente|se|ao|dia|meus|tô|muito",
    letters=r"\w*(?:ã|õ|ç|lh|nh|ê|ou|ei)\w*|\w+(?:ar|er|ir|eiro|em|am|dade)",
    speaker=r"eu|nós|a gente|sou|estou|tô|vou|tenho|dou|sei|fui|fiz|tive|somos|(?!últi|próxi|pri|máxi|íntim)\w{2,}[aeio]mos|\w{3,}ei|\A(?:(?:já|não|nunca|também|sempre|só|quase|me|nos|agora|hoje) )*\w{2,}o|\w{3,}[cdrstv]i",
    me=r"me|mim|nos|meus?|minhas?|noss[oa]s?|comigo|a gente",
    own=r"(?:[oa]s? |uma? )?(?:meus?|minhas?|noss[oa]s?)",
    others=r"o|a|os|as|um|uma|uns|umas|este|esta|esse|essa|isso|isto|você|vocês|tu"
    r"|te|teus?|tuas?|muitos|alguém|ninguém|alguns|há",
    third="ele|ela|eles|elas|quem|que|seus?|suas?|dele|dela|alguém|ninguém",
    verb=r"é|está|tem|vai|se|foi|era|diz|quer|pode|faz|mora|vive|\w{2,}(?:ou|eu|iu)",
    joint="(?<=alguém )que|e|mas|porém|porque|então|pois|enquanto|ou|embora|só que|aí|por isso",
    that="que|se|quando|onde|acho que|penso que",
    person=r"(?:bis)?av[óôo]s?|ti[oa]s?|prim[oa]s?|sobrinh[oa]s?|irmãos?|irmãs?|filh\w+|sogr[oa]s?"
    r"|cunhad[oa]s?|genro|nora|pai|mãe|pais|papai|mamãe|marido|mulher|espos[oa]|companheir[oa]|ex"
    r"|namorad[oa]s?|noiv[oa]|parceir[oa]|bebê|gême[oa]s|caçula|net[oa]s?|menin[oa]s?|miúd[oa]s?"
    r"|amig[oa]s?|coleg\w+|chefe|patr(?:ão|oa)|vizinh[oa]s?|profe\w*|médic[oa]|doutora?|velh[oa]"
    r"|cães|cão|cachorr\w+|cadela|gat\w+|cavalo|coelh[oa]|papagaio|hamster|alun[oa]s?|enteado",
    asked=r"quem|que|o que|onde|quando|por que|porque|como|qua(?:l|is)|quant[oa]s?|será|cadê",
    supposed=r"no (?:jogo|filme|meu sonho)|na (?:peça|história|novela)|papel (?:de|do|da)|se (?=eu|a gente|nós|você|el[ea]|não|\w+(?:sse|ria|r)(?:mos)?)|duvido|me dera|imagin[ae]\w*|supon\w+|supõe|finge|fingir|faz de conta|como se|caso|\w+(?:asse|esse|isse)"
    r"(?:mos)?|teri\w+|sem você|sem ti|digamos|tomara|quem dera|quase",
    told=r"(?:disse|diz|dizia|acha|pensa|escreveu|afirma|conta|contou|garante|falou)(?: que|:|,)|dizem"
    r"|segundo|parece que|pelo visto|ouvi dizer|supostamente|me falaram|me disseram",
    wished=r"tenho (?:que|de)|devo|tent\w+|quer(?:o|ia|emos|íamos|er)?|gostaria\w*|espero|esperamos|espera|sonh\w+|talvez|pode(?:ria\w*| ser)"
    r"|dev(?:ia|eria)\w*|pens\w+ em|pensando|plan\w+|pretend\w+|adoraria|provavelmente|vontade"
    r"|\w+[aei]ria(?:mos)?|desej\w+|procuro|tent[oa]|tentando|tomara|cogit\w+|precis\w+|candidat\w+|acho que (?:sou|tenho|estou)|consider\w+|acho que vou",
    offered=r"(?:posso|podemos|poderia|quer que)\b[^.!?]*\b(?:te|você|vocês|lhe|\w+-(?:te|lhe))|te (?:empresto"
    r"|ajudo|ofereço|dou|levo|passo)|ofere\w+|deixa eu|proposta|me (?:chamaram|convidaram)",
    feared=r"medo\w*|pavor|pânico|terror|aterroriz\w+|assust\w+|tem(?:o|e|emos)|\w*fobia|receio|cagaço"
    r"|morro de medo|preocup\w+|ansi\w+",
    coming=r"vou|vamos|vai|amanhã|em breve|que vem|próxim[oa]s?|daqui a|\w{3,}[aei]rei|\w+remos|\w+rá",
    past=r"era|éramos|estava|estive|tinha|tínhamos|tive|morava\w*|morei|moramos|vivia|vivi|trabalh(?:ava\w*|ei|ado)"
    r"|antes|antigamente|costumava|gostava|ex|quando (?:era|criança)|fui|amava|estudava|morado",
    denied=r"não|nunca|jamais|nada|ninguém|nenhum\w*|sem|nem|tampouco|odei\w+|odi\w+|detest\w+|evit\w+|num",
    ended=r"já não|não\b.*\bmais|mais não|parei|parou|deix(?:ei|ou|ado|amos)|divorci\w+|morreu|mort[oa]"
    r"|faleceu|vend(?:i|eu|emos|ido)|separ\w+|cancel\w+|demiti\w*|demitid[oa]|larg\w+|acab\w+|ex|perdi"
    r"|termin\w+|saí|despedi\w*|abandon\w+|troquei",
    gone=r"larg\w+|aposent\w+|doei|dei|sacrific\w+|caiu|fech\w+|desist\w+|tranqu\w+|tranc\w+|término|demiss\w+|embora|desmarc\w+|acab\w+|mudei|mudamos|perd\w+|devolv\w+|cur\w+|virou|partiu|chega",
    now="tem|é|mora|vive|trabalha|fala|estuda|fuma|joga|possui|se chama|está|gosta|ama|adora",
    has=r"tenho|tem|temos|ter|meus?|minhas?|noss[oa]s?|compr\w+|adot\w+|ganhei|com|possuo|há|fez|dono|dona",
)
