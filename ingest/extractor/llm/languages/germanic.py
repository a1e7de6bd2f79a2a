"""Words of English, German and Dutch by which claims are checked; `Language` says what each row is."""

from typing import Final

from ingest.extractor.llm.languages.language import Language

ENGLISH: Final = Language(
    known="yesterday|today|last|the|an?|and|is|are|to|of|my|i'm|i've|that|with|for|have|on|it|was|at|she|he|you|not"
    "|don't|just|been|from|i|as|me|we|our|this|your|what|but|here|no|by|am|do|does|can|about|so",
    letters=r"\w*(?:th|wh|ght|ck|ow|ew|oo)\w*|\w+ing|\w+'s|\w+ly",
    speaker=r"\A(?:am|been)|i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|we'd|we'll",
    me="me|my|mine|our|ours|us|myself",
    own="my|our",
    others=r"the|an?|this|that|these|those|your|its|it|you|there|everyone|everybody|some\w*|any\w*"
    r"|nobody|most|many|people|[\w.]+'s|(?:it|you|there|that)'(?:s|re|ve|d|ll)",
    third="(?:he|she|they|who|everyone|somebody|someone|nobody|people)(?:'(?:s|re|ve|d|ll))?|whose|his|her|their",
    verb=r"is|was|has|had|does|did|will|would|can|could|\w+[^s\W]s|\w+ed",
    joint="who|which|and|but|so|because|while|although|though|yet|whereas|plus|or",
    that="that|think|know|believe|guess|mean|say|says|said|told me|wish|hope|feel|suppose|when"
    "|where|how|why|if|whether|until|before|after|whose",
    person=r"(?:grand|step|great-|half-|god)?-?(?:father|mother|dad|daddy|mom|mum|mommy|mummy|"
    r"parents?|brothers?|sisters?|sons?|daughters?|child|children|kids?|ma|pa|granny)(?:-in-law)?"
    r"|sis|bro|grand(?:ma|pa)|husband|wife|partner|spouse|boyfriend|girlfriend|fianc[eé]{1,2}s?|ex"
    r"|aunt(?:ie)?s?|uncles?|cousins?|niece|nephew|in-laws|twins?|bab(?:y|ies)|boys?|girls?"
    r"|toddler|teenager|oldest|youngest|eldest|bestie|friends?|mates?|bud(?:dy|dies)|colleagues?"
    r"|\w*workers?|boss|manager|supervisor|(?:team )?lead(?:er)?|neighbou?rs?|\w+mates?|landlord|landlady|teacher|professor|doctor"
    r"|dentist|therapist|coach|tutor|client|tenant|students?|dogs?|cats?|pupp(?:y|ies)|kittens?"
    r"|horse|rabbit|parrot|hamster",
    asked=r"who|what|where|when|why|how|which|whose|is|are|am|was|were|do|does|did|have|has|had"
    r"|can|could|will|would|should|shall|may|might|isn't|aren't|don't|doesn't|didn't|any",
    supposed=r"in (?:the|this|my) (?:game|sims|play|dream|story|novel|film|movie|sketch)|(?:role|part) of|cast as|if|unless|doubt\w*|when (?:i'm|i am|i get|i have)|once i|as soon as|by the time|whether|suppos(?:e|ing)|imagine|pretend(?:ing)?|hypothetically|let's say"
    "|as if|as though|what if|provided that|assum(?:e|ing)|otherwise|would have|could have"
    "|should have|would've|could've|role-?play|my character|(?:had|were) (?:i|we)"
    "|like (?:i'm|i am)",
    told=r"(?:says?|said|thinks?|thought|claims?|claimed|told|tells|wrote|writes|believes?"
    r"|reads|argues|quotes?|insists?|swears?|accus\w+)(?= (?:that|me|us|i|i'm|we|my|her|him|to)\b"
    r"|[,:])|apparently|allegedly|supposedly|according to|they say|i hear|i heard|rumou?r\w*",
    wished=r"must|(?:have|ought|supposed) to|gotta|tried to|attempt\w*|want(?:s|ed|ing)?|wanna|wish(?:es|ed|ing)?|hop(?:e|es|ed|ing)|dream\w*|(?:would|i'd|we'd)(?! (?:never|not|rather))"
    r"|plan(?:s|ned|ning)?|intend\w*|consider\w*|thinking (?:of|about)|think about|maybe|perhaps"
    r"|probably|might|(?<!in )(?<!of )(?<!\d )(?<!this )(?<!next )may(?! \d)|could|should|aim(?:s|ing)?|try(?:ing)? to|tempted|tries|looking (?:to"
    r"|for)|need(?:s|ed)?|possibly|goal|ambition|bucket list|someday|one day|considers?|unsure"
    r"|almost|nearly|undecided|interested in|hesitat\w+|i (?:think|guess|believe) (?:i|i'm|i've)|appl(?:y|ied|ying)",
    offered=r"happy to|glad to|(?:can|could|i'll|we'll|will|shall i|shall we|may i|willing"
    r" to|feel free|offers?)\b[^.!?]*\b(?:you|your)|\Alet me|offer(?:s|ed|ing)?|invited",
    feared=r"afraid|scar(?:ed?|es|y)|fears?|feared|terrif\w+|terror\w*|\w*phobi\w+|worr\w+|anxi\w+"
    r"|nervous|dread\w*|panic\w*|frighten\w*|freaks?|creeps?",
    coming=r"will|won't|i'll|we'll|he'll|she'll|they'll|going to|gonna|tomorrow|next (?:week|month"
    r"|year|summer|winter|spring|fall|autumn|semester|weekend|\w+day|january|february|march|april"
    r"|may|june|july|august|september|october|november|december)|soon|upcoming|about to|in (?:a"
    r"|an|one|two|three|\d+) (?:days?|weeks?|months?|years?)|due(?! to)",
    past=r"used to|(?:was|were)(?! (?:diagnos|born|rais|promot|hir|accept))|(?<!have )(?<!'ve )"
    r"(?<!has )(?<!been )(?<!always )(?<!also )(?:lived|worked|loved|liked|studied|played|owned)|had(?! (?:a baby|been))"
    r"|formerly|back then|once|ex|former|previously|years ago|as a (?:kid|child|teen\w*|student)",
    denied=r"not|no|never|neither|nor|none|nobody|nothing|without|hardly|barely|cannot|cant|dont"
    r"|doesnt|didnt|isnt|wont|\w+n't|hates?|hated|dislik\w+|avoid\w*|detest\w*|loath\w+|despis\w+"
    r"|unable|refus\w+|neglect\w*",
    ended=r"no longer|any ?more|quit|stopp?(?:ed|s)?|gave up|given up|giv(?:es?|ing) up|left|lost|sold"
    r"|died|dead|passed away|cancel\w*|broke up|split up|divorced|separated|over|fired|laid off"
    r"|resign\w*|finished|ended|former(?:ly)?|ex|used to|retired|moved (?:out|away)"
    r"|switched|got rid of|gone|done with|instead|deleted|changed",
    gone=r"let (?:me |us )?go|dropped out|notice|g[ai]ven? away|gave (?:it|him|her|them|my)|put (?:him |her |it )?(?:to sleep|down)|passed|closed|shut|called off|fell through|ran out|expired|dumped|sacked|redundant|threw|thrown|moved|finally done|again|out of|outgrew|healed|cured|gone|broke|ended|split|sold|off|past|turned out|kicked|deleted|returned|rid",
    now=r"lives|works|resides|is(?! \w+ing\b)|has(?! (?:\w+ly )?(?:been|\w+ed|got(?:ten)?|gone|done"
    r"|taken|made|bought|quit|left|lost|had|become|begun|broken|\w+en)\b)|owns|likes|loves|enjoys"
    r"|speaks|studies|plays|smokes|does|goes|drives|teaches|runs|eats|drinks|keeps",
    has=r"ha(?:ve|s|d|ving)|i've|we've|got|gets?|getting|own(?:s|ed)?|my|our|mine|ours|with|bought|adopt"
    r"\w*|keeps?|possess\w*|the proud|father of|mother of|mine",
)

GERMAN: Final = Language(
    known="gestern|heute|morgen|letzte[nrs]?|ich|der|die|das|und|ist|nicht|ein|eine|einen|mein|meine|mit|auf|für|wir|zu|im|am|habe"
    "|hab|bin|es|den|dem|bei|seit|aber|auch|noch|mich|mir|sie|er|du|hat|war|schon|als|wie|vor|von"
    "|oder|wenn|nach|unser|unsere|jeden|kein|keine|zum|zur|aus|ab|bis|gegen|durch|über|uns|meiner|meinem|meinen|man|nur",
    letters=r"\w*(?:sch|ß|ö|ü|ä|cht|pf|ei|eu)\w*|\w+(?:ung|en|lich|keit)",
    speaker=r"ich|wir|ichs|\A(?:bin|hab|habe|wohne|lebe|arbeite|komme|heiße|war|werde|muss|mag|liebe|hasse|\w+iere)",
    me=r"mich|mir|uns|mein\w{0,2}|unse?re?\w{0,2}",
    own=r"mein(?:e|er|em|en|es)?|unse?r(?:e|er|em|en|es)?",
    others=r"der|die|das|den|dem|ein|eine|einer|dieser?|diese|viele|manche|es"
    r"|man|du|ihr|dein|deine|euer|eure|jemand|niemand|leute",
    third="er|sie|seine?|ihre?|man|viele|leute|jemand|niemand",
    verb="ist|hat|war|hatte|wird|kann|will|muss|mag|darf|soll|geht|kommt|wohnt|lebt|arbeitet|liebt"
    "|heißt|macht|spielt|sagt|meint|studiert|findet|hasst|isst|trinkt|fährt|spricht",
    joint="und|aber|denn|weil|oder|doch|sondern|obwohl|während|deshalb|also|wobei",
    that="dass|daß|ob|wenn|wie|wo|als(?= (?:ich|wir|ob))|weil|glaube|denke|finde",
    person=r"\w*(?:vater|mutter|mama|mami|papa|papi|eltern|bruder|brüder|schwester\w?|geschwister"
    r"|sohn|söhne|tochter|töchter|kind|kinder|oma|opa|tante|onkel|cousine?|neffe|nichte|mann|frau"
    r"|freund\w*|kumpels?|kolleg\w+|chefin|chef|\w*leiter\w*|nachbar\w*|vermieter\w*|lehrer\w*|arzt|ärztin)"
    r"|ex|partner\w*|verlobter?|junge|jungs|mädchen|kleiner?|großer?|jüngste[rn]?|älteste[rn]?"
    r"|zwillinge?|baby|schatz|mitbewohner\w*|prof\w*|trainer\w*|\w*hund\w*|hündin|kat(?:er|ze|zen)"
    r"|welpe|pferd|kaninchen|papagei|hamster|schwager|schwägerin",
    asked="wer|was|wo|wann|warum|wieso|weshalb|wie|welche[rsmn]?|wohin|woher|bin|bist|ist|sind|hast"
    "|habt|hat|haben|kann|kannst|können|soll|sollen|sollte|darf|muss|willst|wollt|gibt|magst",
    supposed="im (?:spiel|traum|film|roman|stück)|in den? sims|in der (?:serie|geschichte)|(?:die|der) rolle|wenn|falls|bezweifle|sofern|angenommen|gesetzt den fall|stell dir vor|stellt euch vor|als ob"
    "|als wäre|ohne dich|würde(?:n|st)?.*würde(?:n|st)?|tun wir so|spielen wir|hätt(?:e|en) ich"
    "|wär(?:e|en) (?:ich|wir)|beinahe|fast",
    told="(?:sagte|sagt|meinte|meint|schrieb|schreibt|glaubt|denkt|behauptet|behauptete|findet"
    "|fragt|fragte|nennt)(?! ich)|angeblich|laut|soll|heißt es|habe? gehört|man sagt|anscheinend",
    wished=r"muss|müssen|müsste|versuch\w*|\w*träum\w*|will|wollen|wollte|möchte|möchten|würde|würden|hätte|hätten|wäre|wären|könnte|könnten"
    "|sollte|sollten|vielleicht|eventuell|evtl|wahrscheinlich|hoffe|hoffen|wünsche|wünschte|plane"
    "|planen|überlege|überlegen|träume|traum|vorhabe?|vor,|mal|irgendwann|vermutlich|wohl|brauche"
    r"|suche|womöglich|bewerb\w+|interessier\w+|wünscht|plant|hofft|träumt|überlegt|sucht|braucht|(?:glaube|denke|vermute),? (?:dass )?ich",
    offered=r"angeboten|(?:kann|können|könnte|könnten|soll|sollen|gern|gerne|biete)\b[^.!?]*\b(?:dir|dich|euch"
    r"|ihnen|dein\w*)|biete\w*|anbiet\w*|lass mich",
    feared=r"angst|ängste|schiss|panik|furcht|fürchte\w?|bammel|horror|phobie|\w+phobie|\w*angst"
    r"|ängstig\w*|grusel\w*|befürcht\w+|sorge|sorgen",
    coming=r"(?:werde|werden|wird)\b.*\b\w{2,}en|(?<!jeden )(?<!am )(?<!guten )(?<!gestern )morgen|übermorgen|demnächst|bald|nächste[nrsm]? \w+|kommende[nrsm]? "
    r"\w+|in (?:einem|einer|zwei|drei|\d+) (?:tagen?|wochen?|monat\w*|jahr\w*)|ab (?:januar|februar"
    "|märz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    past="war|waren|warst|hatte|hatten|gelebt|gewohnt|wohnten?|lebten?|gearbeitet|arbeitete"
    "|früher|damals|ehemalig\\w*|mochte|liebte|einst|ex|gewesen|gehabt|als kind|studierte",
    denied="nicht|nichts|nie|niemals|kein|keine|keinen|keinem|keiner|keinerlei|ohne|weder|noch nie"
    "|nirgends|kaum|niemand|hass\\w*|verabscheu\\w*|meid\\w+|nich",
    ended="nicht mehr|kein\\w* mehr|aufgehört|aufgegeben|gekündigt|verkauft|gestorben|tot|getrennt"
    "|geschieden|scheid\\w+|abgesagt|verlassen|ex|ehemalig\\w*|früher|vorbei|verloren|ausgezogen"
    "|weggezogen|beendet|gefeuert|entlassen|rausgeflogen|schluss|scheiden lassen",
    gone=r"kündig\w*|ausgestiegen|ausgetreten|abgebrochen|verlor\w+|eingeschläfert|verstorben|abgemeldet|abgegeben|verschenkt|hingeschmissen|raus|los|aufgelöst|geplatzt|fällt|ausgefallen|auseinander|rente|ausgezogen|weggezogen|umgezogen|abgeschafft|gelöscht|storniert|insolvent|pleite|geschlossen|dicht|wieder|vorüber|weg|aus|schluss|abgelegt|zurückgegeben|geheilt|pensioniert",
    now="hat|ist|wohnt|lebt|arbeitet|mag|liebt|spricht|studiert|spielt|raucht|besitzt|heißt|isst",
    has=r"hab(?:e|en|t)?|hat|hast|mein\w{0,2}|unse?re?\w{0,2}|besitz\w*|gekauft|adoptiert|bekommen"
    r"|gekriegt|mit|halte|gehör\w*|gibt|zugelegt",
)

DUTCH: Final = Language(
    known="gisteren|vandaag|morgen|vorige?|ik|de|het|een|en|is|niet|mijn|met|op|voor|we|wij|te|naar|heb|ben|van|maar|ook|nog|me|mij"
    "|ze|hij|je|jij|was|al|als|wat|om|bij|sinds|want|onze|ons|aan|dat|die|geen|zijn|er|in|uit|dan|na|tot",
    letters=r"\w*(?:ij|aa|ee|oo|uu|sch|oe|ui|cht)\w*|\w+(?:en|je|lijk|heid)",
    speaker=r"ik|'k|we|wij|\A(?:ben|heb|woon|werk|kom|studeer|wil|moet|hou)",
    me="me|mij|ons|mijn|m'n|mn|onze|mezelf",
    own="mijn|m'n|mn|ons|onze",
    others=r"de|het|een|dit|dat|die|deze|jij|je|u|jullie|jouw|iedereen"
    r"|iemand|niemand|veel|sommige|mensen|er|men|'t",
    third="hij|zij|ze|haar|z'n|hun|die|men|veel|mensen|iemand|niemand",
    verb=r"is|heeft|was|had|wordt|kan|wil|moet|mag|gaat|komt|woont|werkt|houdt|heet|doet|zegt|vindt"
    r"|speelt|studeert|zit|haat|eet|drinkt",
    joint="die|en|maar|want|omdat|of|dus|terwijl|hoewel|daarom",
    that="dat|wat|waar|hoe|toen|denk|vind|geloof|wie",
    person=r"\w*(?:vader|moeder|ouders|broers?|broer(?:tje)?|zus(?:je|sen)?|zuster|zoons?|zoontje"
    r"|dochters?|dochtertje|kind(?:eren|je|jes)?|oma|opa|tante|oom|nee[fv]\w*|nicht\w*|man|vrouw|vriend\w*"
    r"|collega\w*|baas|\w*leider|buur\w*|buren)|papa|mama|pa|ma|partner|verloofde|ex|baby|tweeling|jongste"
    r"|oudste|huisgeno\w+|maat|maten|leraar|lerares|juf|dokter|huisarts|chef|hond\w*|teef|kater"
    r"|kat(?:ten)?|poes|paard|konijn|papegaai|hamster|schoon\w+|huisbaas|verhuurder|leerling\w*",
    asked="wie|wat|waar|wanneer|waarom|hoe|welke|hoeveel|ben|bent|is|zijn|heb|heeft|kan|kun|kunnen"
    "|zal|zullen|mag|moet|wil|zou|heb je|weet|vind",
    supposed=r"in (?:het|dit|mijn) (?:spel|toneelstuk|verhaal|boek)|de rol van|in (?:mijn|een) droom|als (?:ik|je|we|hij|ze|het|er|iemand|mijn)|betwijfel|indien|stel|stel je voor|alsof|tenzij|mits|zonder jou|zonder je|doe alsof|zou(?:den)? .*(?:hebben|zijn|als)"
    r"|bijna|had ik|was ik maar|laten we doen",
    told=r"(?:zei|zegt|schreef|schrijft|denkt|dacht|beweert|vindt|vertelde|gelooft|vroeg)(?: dat|:|,)|volgens|schijnt?"
    r"|blijkbaar|kennelijk|naar verluidt|ze zeggen|ik hoorde|men zegt",
    wished=r"moet|moeten|geprobeerd|\w*dro(?:om|men)\w*|wil|willen|wilde|wou|zou|zouden|hoop\w*|hopen|droom\w*|dromen|misschien|wellicht|mogelijk"
    r"|overwe\w+|plan|plannen|van plan|wens\w*|denk\w* (?:erover|eraan|na)|zin om|waarschijnlijk|kan zijn"
    r"|graag|nodig|ooit|zoek|zoekt|probeer\w*|twijfel\w*|vast|solliciteer\w*|(?:denk|geloof) dat ik",
    offered=r"aangeboden|(?:kan|kunnen|zal|zullen|wil|mag)\b[^.!?]*\b(?:je|jou|jullie|u|jouw)|bied\w*|aanbied\w*|laat me",
    feared=r"bang\w*|durf\w*|angst\w*|\w*angst|doodsbang|vrees\w*|vrez\w+|paniek\w*|\w*fobie|schrik\w*|benauwd"
    r"|doodeng|eng|zorgen",
    coming=r"zal|zullen|(?:ga|gaan|gaat)\b.*\b\w{3,}en|(?<!elke )(?<!iedere )(?<!goede )morgen|overmorgen|binnenkort|volgende?|komende?|aanstaande|straks"
    r"|over (?:een|twee|drie|\d+) (?:dag\w*|we[ek]\w+|maand\w*|jaar)",
    past=r"was|waren|had|hadden|woonde\w*|leefde\w*|werkte\w*|gewoond|gewerkt|geleefd|vroeger|destijds"
    r"|hield|voormalig\w*|ex|geweest|gehad|als kind|studeerde|ooit",
    denied=r"niet|nooit|geen|niks|niets|niemand|nergens|zonder|noch|amper|nauwelijks|haat|haten|hekel"
    r"|vermijd\w*|verafschuw\w*|nie",
    ended=r"niet meer|geen\b.*\bmeer|gestopt|stopte|opgezegd|ontslag\w*|ontslagen|verkocht|overleden|dood"
    r"|gestorven|gescheiden|scheid\w*|uit elkaar|afgezegd|geannuleerd|opgegeven|ex|verlaten|kwijt"
    r"|voorbij|vroeger|afgelast|beëindigd|voormalig\w*",
    gone=r"ingeslapen|opgezegd|gekapt|gedumpt|pensioen|weggegeven|weggedaan|afgelast|door|dicht|gesloten|failliet|uitgeschreven|afgebroken|eruit|elkaar|voorbij|verhuisd|weer|weg|uit|klaar|afgesloten|genezen|ingeleverd|kwijtgeraakt",
    now="heeft|is|woont|leeft|werkt|houdt|spreekt|studeert|speelt|rookt|bezit|heet|eet|drinkt",
    has=r"heb|hebben|heeft|had|mijn|m'n|mn|ons|onze|gekocht|geadopteerd|gekregen|met|bezit\w*|houd|genomen",
)
