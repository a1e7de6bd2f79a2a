"""Words for what a claim tells of somebody, and for who somebody is, in all languages together.

A claim may be in English about a turn in another language, so each row has the words of them all;
after the slash those of Chinese and Japanese, which are looked for at any place.
"""

import re
from typing import Final

from contracts.lazy_regex import deferred


def _pattern(row: str) -> re.Pattern[str]:
    spaced, _, unspaced = row.partition(" / ")
    either = "|".join(filter(None, (rf"(?<!\w)(?:{'|'.join(spaced.split())})(?!\w)", unspaced)))
    return deferred(either, re.IGNORECASE)


RELATIONS: Final = {
    name: _pattern(row)
    for name, row in {
        "home": r"liv(?:e|es|ed|ing) resid\w+ home house flat apartment moved moving based settled? stay\w* rent\w* dorm"
        r" (?:here|am|i'm|are|been)\Win neighbou?rhood"
        r" wohn\w* leb\w+ gelebt gewohnt zuhause daheim haus hause häusle \w*wohnung gezogen umgezogen zieh\w* \w*zimmer wg eingezogen bleib\w* geblieben"
        r" habit\w* j'habit\w* vis vit viv\w+ vécu maison appart\w* chez logement loge\w? installé\w* emménag\w+ déménag\w+ coloc\w* réside\w* studio"
        r" rentrée?\Wà (?:suis|est|sommes)\W(?:à|en|au)"
        r" viv\w+ resid\w+ casa\w? piso mudad\w* mudam\w+ mudé instal\w+ casita vine hogar barrio"
        r" abit\w+ appartamento trasferit\w* sto stiamo risied\w+ monolocale affitto resto stanza quartiere"
        r" mor[aeo]\w* mud\w+ apê apartamento alugu\w+ lar quarto bairro"
        r" woon\w* wonen gewoond huis\w* thuis verhuis\w* kamer ingetrokken huur\w* gevestigd"
        r" / 住|家|搬|租|房|定居|生活|落户|老家|在|暮ら|引っ越|在住|移住|部屋|マンション|アパート|うち",
        "origin": r"born birth\w* from grew raised origin\w* comes? native childhood"
        r" geboren geburts\w* aufgewachsen komm\w* stamm\w* gebürtig\w* aus herkunft"
        r" née? viens vient grandi origin\w+ natif naissance"
        r" nac\w+ soy\Wde es\Wde criad\w+ crecí vengo viene"
        r" nat[oa] sono\Wdi è\Wdi cresciut\w vengo viene nascit\w+"
        r" nasc\w+ sou\Wd[eoa] é\Wd[eoa] cresci\w* criad\w+ vim veio"
        r" geboren opgegroeid kom\w* vandaan afkomstig"
        r" / 生まれ|出身|育|出生|长大|長大|来自|來自|是.{0,4}人|老家|生在",
        "work": r"work\w* job employ\w+ hired career profession\w* shifts? office colleague\w* boss staff salary earns? retired runs? company business teach\w* nurse doctor engineer"
        r" arbeit\w* \w*job beruf\w* stelle angestellt firma büro schicht\w* leite\w? bei gehalt verdien\w+ lehrer\w*"
        r" travaill\w+ boulot métier emploi poste bosse\w? entreprise bureau"
        r" trabaj\w+ empleo curro puesto oficio empresa turno"
        r" lavor\w+ mestiere impiego posto faccio ditta azienda"
        r" trabalh\w+ emprego trampo cargo empresa sou é"
        r" werk\w* baan beroep functie bedrijf dienst"
        r" / 工作|上班|当|當|做|职|公司|开|老师|医生|働|勤|仕事|職|会社|店|運転手|師|員",
        "study": r"stud\w+ uni university college school degree thesis course year phd learn\w* lessons? exam\w*"
        r" studier\w* uni \w*schule studium semester lern\w* \w*arbeit kurs ausbildung promovier\w*"
        r" étud\w+ j'étud\w+ fac université école thèse apprend\w* appris cours licence"
        r" estudi\w+ universidad carrera facultad aprend\w+ curso oposiciones"
        r" stud\w+ università facoltà tesi impar\w+ corso laurea"
        r" estud\w+ faculdade universidade aprend\w+ faço letras tese"
        r" stude\w+ universiteit leer\w* cursus opleiding promove\w+ school"
        r" / 学|學|读|讀|念|考|大学|勉強|研究|習|博",
        "has": r"ha(?:ve|s|d|ving) i've we've got gets? getting own\w* my our mine ours with bought adopt\w* keep\w* possess\w* owner father\Wof mother\Wof"
        r" hab\w* hat hast mein\w{0,2} unse?re?\w{0,2} besitz\w* gekauft adoptiert bekommen gekriegt mit halte gehör\w* gibt zugelegt gegönnt"
        r" j'ai ai as a avons ont possèd\w+ mon ma mes notre nos acheté\w* adopté\w* avec eu garde propriétaire j'garde jgarde"
        r" teng\w* tien\w* tenemos mi mis nuestr\w+ compr\w+ adopt\w+ con hay m[ií]\w?"
        r" ho ha abbiamo hai mi[oae] miei nostr[oaie] compr\w+ adott\w+ pres[oaie] con possied\w+ avere"
        r" tenho tem temos ter meus? minhas? noss[oa]s? compr\w+ adot\w+ ganhei com possuo dono dona"
        r" heb\w* heeft mijn m'n mn ons onze gekocht geadopteerd gekregen met bezit\w*"
        r" / 有|养|養|买|買|我家|我的|我们家|家里|家裡|生了|带|帶|只|隻|两|抱|捡|收|ある|あり|いる|い(?:ます|て)|飼|持|うち|匹|の|がい|もら|引き取|迎え",
        "like": r"lik\w+ love\w* enjoy\w* prefer\w* favou?rite fond fan adore\w* mad\Wabout keen crazy dream\w* into"
        r" mag mögen lieb\w* gern\w* \w*fan schmeckt begeister\w*"
        r" aim\w+ j'aim\w+ j'ador\w+ ador\w+ préf\w+ fan passion\w* kiffe"
        r" gust\w+ encant\w+ ador\w+ favorit\w+ prefier\w+ amo"
        r" piac\w+ ador\w+ prefer\w+ amo ama appassion\w+"
        r" gost\w+ ador\w+ am[oa] prefir\w+ curt\w+"
        r" hou\w* leuk lekker lievelings\w* graag fan dol"
        r" / 喜欢|喜歡|爱|愛|迷|好き|大好き|夢中|好む|落ち着",
        "name": r"name\w* called surname nickname heiß\w* name\w* s'appell\w+ m'appell\w+ prénom nom"
        r" llam\w+ nombre apellid\w+ chiam\w+ nome cham\w+ apelid\w+ heet\w* heten naam genoemd"
        r" / 叫|名|姓|という|といいます",
        "age": r"years?\Wold yrs? age\w* turn\w* birthday \w+teen \w+ty jahre\w* alt wird geburtstag ans anniversaire fête\w? âge"
        r" años cumpl\w+ edad anni comp\w+ età anos faço idade fez completou jaar jarig wordt verjaar\w*"
        r" / 岁|歲|生日|歳|才",
        "habit": r"every each usually always daily weekly regularly often most \w+days? never tend\Wto nights mornings evenings week(?:ends?|days?) routine whenever weekly"
        r" jede\w* immer täglich oft meist\w* regelmäßig \w+(?:tags|mal) abends morgens pro wöchentlich nebenher"
        r" chaque tous toutes toujours souvent d'habitude fois \w+dis? jamais"
        r" cada todos todas siempre suelo veces los\W\w+s nunca"
        r" ogni sempre spesso volte sera mattina tutt[ie] mai la\W\w+"
        r" tod[oa]s? sempre costumo vezes aos\W\w+ nunca"
        r" elke? iedere? altijd vaak meestal dagelijks \w+dags? 's\W\w+ nooit overal"
        r" / 每|都|经常|經常|总|總|天天|基本|一直|周末|常|平时|毎|いつも|よく|週に|月に|普段|必ず",
        "move": r"mov\w+ travel\w* fl(?:y|ying|ies|ew|ight) driv\w+ going go trip visit\w* arriv\w+ leav\w+ train"
        r" flieg\w* fahr\w* reis\w* gefahren geflogen zieh\w* umzieh\w* geh\w* besuch\w*"
        r" pars part\w* vol\w* voyag\w+ vais va m'envole\w? déménag\w+"
        r" vuel\w+ viaj\w+ voy va vamos mud\w+ ir"
        r" part\w+ vol\w+ viagg\w+ vado va trasfer\w+"
        r" voo viaj\w+ vou vai mud\w+ voar"
        r" vlieg\w* vertrek\w* reis\w* ga gaat verhuis\w*"
        r" / 飞|飛|去|搬|机票|行|便|引っ越",
        "health": r"allerg\w* diabet\w* ill\w* sick disease asthma\w* pain pregnan\w+ expecting diagnos\w+ intoleran\w+ coeliac celiac surgery operat\w+ broke\w* bipolar adhd"
        r" allergi\w* diabet\w* krank\w* schwanger \w*schmerz\w* gebrochen op unverträglich\w* zöliakie"
        r" allerg\w+ diab\w+ malad\w+ enceinte cassé\w* opér\w+ intolér\w+"
        r" al[eé]rg\w+ diab\w+ enferm\w+ embarazada roto operad\w+ celía\w+"
        r" celiac\w+ diabet\w+ malat\w+ incinta rott\w+ intoller\w+ mese celia\w+"
        r" alérg\w+ epil\w+ doen\w+ grávida câncer cancro intoler\w+"
        r" allerg\w* zwanger \w*ziek\w* gebroken"
        r" / 过敏|過敏|病|怀孕|懷孕|血压|不耐受|アレルギー|妊娠|腫れ|だめ",
        "food": r"eat\w* ate drink\w* meat vegan vegetarian veggie diet coffee alcohol beer wine food"
        r" ess\w* isst trink\w* fleisch vegan vegetari\w+ kaffee milch salz"
        r" mange\w* bois boit viande végé\w* vegan\w? café"
        r" com\w+ beb\w+ carne vegan\w vegetarian\w café"
        r" mangi\w+ bev\w+ carne vegan\w vegetarian\w caffè"
        r" com\w+ beb\w+ leite"
        r" eet eten drink\w* vlees vega\w* koffie zout"
        r" / 吃|喝|素|茶|咖啡|食べ|飲|酒|肉",
        "smoke": r"smok\w* cigarette\w* cig(?:s|gies)? tobacco rauch\w* zigarett\w+ fum\w+ clope\w? cigarett\w+ tabac"
        r" tabaco cigarr\w+ fumo sigarett\w+ rook\w* roken gerookt sigaret\w* nicotine vap\w+ / 烟|煙|タバコ|煙草",
        "play": r"play\w* guitar piano violin cello band team sings? singing sing choir spiel\w* jou\w+ juega\w* jugar toc\w+ suon\w+ gioc\w+"
        r" jog\w+ toco speel\w* speelt zing\w* / 玩|打|弹|彈|弾|演奏",
        "speak": r"speak\w* spoke languages? fluent sprech\w+ spricht sprache parl\w+ habl\w+ fal[aeo]\w* língua lingu\w+ langue spree?k\w* taal"
        r" / 说|說|会|會|语|話|語",
        "marry": r"marri\w+ wed\w* wife husband spouse fianc\w+ divorc\w+ widow\w* engaged bride"
        r" heirat\w* verheiratet ehe\w* hochzeit trau\w* geschieden mari\w+ épous\w+ pacs\w+ noces femme"
        r" cas\w+ boda marido espos\w+ spos\w+ nozze moglie marito noiv\w+ trouw\w* getrouwd jawoord man vrouw / 婚|结|結|式|夫|妻|老公|老婆",
        "fear": r"fear\w* afraid scare\w* terrif\w+ phobi\w+ anxi\w+ nervous angst panik schiss peur terr\w+ miedo pánico pavor medo paura bang\w* durf\w* benauwd / 怕|怖|恐|慌",
        "think": r"think\w* thought believe\w* opinion finds? feels? finde\w? meint denkt pens\w+ trouv\w+ opin\w+ creo cree secondo ritien\w+ acho acha vind\w* / 觉得|認為|认为|思",
        "win": r"won passed award\w* got\Winto promoted admitted graduat\w+ bestanden gewonnen befördert reçu\w? aprob\w+ ascend\w+ vint\w+ promoss\w+ promovid\w+ geslaagd gewonnen / 考上|升|获|合格|取れ",
    }.items()
}
"""What is told of somebody. A claim of one needs a word for it in what it quotes, or none at all."""

PEOPLE: Final = {
    name: _pattern(row)
    for name, row in {
        "mother": r"mothers? moms? mums? mummy mommy mutter mama mami mère maman madre mamá mamma mãe mamãe moeder mam / 妈|媽|母",
        "father": r"fathers? dads? daddy vater papa papi père padre papá papà babbo pai papai vader pa / 爸|父(?!母)",
        "parents": r"parents? eltern padres genitori pais ouders miei folks / 父母|両親|爸妈|親",
        "sister": r"sisters? sis schwester\w* sœurs? soeurs? hermanas? sorell\w irmãs? zus\w* / 姐|妹|姉",
        "brother": r"brothers? bro bruder brüder frères? hermanos? fratell\w+ irmãos? broer\w* / 哥|弟|兄",
        "son": r"sons? boys? lad stepson sohn\w* fils hijos? figli\w? filhos? caçula jüngster? zoon\w* zoontje youngest petit kids? child\w* bebé\w? baby jongste kind\w* mother\Wof father\Wof / 儿子|兒子|息子|次男|長男|孩子|子ども|子供",
        "daughter": r"daughters? girls? tochter fille hijas? figlia filhas? dochter\w* kids? child\w* little eldest kleine\w* jüngste\w* petite aînée piccola baby jongste kind\w* / 女儿|女兒|娘|長女|次女|孩子",
        "wife": r"wife frau femme esposa mujer moglie mulher vrouw / 老婆|妻|嫁|太太|奥さん|媳妇",
        "husband": r"husbands? hubby mann mari marido marito man / 老公|丈夫|夫|主人|旦那",
        "partner": r"partners? boyfriends? girlfriends? fianc\w+ freund\w* copine? compagn\w+ conjoint\w? novi[oa] compañer[oa] pareja ragazz[oa] fidanzat[oa] compagn[oa] namorad[oa] vriend\w* verloofde / 男友|女友|男朋友|女朋友|对象|彼氏|彼女",
        "grandmother": r"grandmothers? grandma gran granny nans? nana oma großmutter grand-mère mamie mémé abuel(?:it)?a nonna avó vó / 奶奶|外婆|姥|祖母|おばあ",
        "grandfather": r"grandfathers? grandpa grandad granddad opa großvater grand-père papi papy pépé abuel(?:it)?o nonno av[ôo] vô / 爷|爺|外公|祖父|おじい",
        "aunt": r"aunt\w* tante zia tía tia tata / 姑|姨|婶|叔母|伯母|おば(?!あ)",
        "uncle": r"uncles? onkel oncle tonton zio tío tio oom / 叔|伯|舅|叔父|伯父|おじ(?!い)",
        "cousin": r"cousins? cousine prim[oa]s? cugin[oa] nichtje neef\w* / 表|堂|いとこ|従",
        "nephew": r"nephews? nieces? neffe\w? nichte\w? neveux? nièces? sobrin[oa]s? nipot[ei] nicht\w* neef\w* / 侄|甥|姪|外甥",
        "in-law": r"\w+-in-law in-laws schwieger\w+ schwager schwägerin beau-\w+ belle-\w+ suegr[oa]s? cuñad[oa]s? yerno nuera suocer\w cognat\w genero nuora sogr[oa]s? cunhad[oa]s? genro nora schoon\w+ zwager / 岳|公公|婆婆|嫂|姐夫|妹夫|義",
        "friend": r"friends? mates? best(?:ie|\Wmate) bud(?:dy|dies) pals? freund\w* kumpels? ami\w*? potes? amig[oa]s? amic[oahi]+ colega vriend\w* maat maten / 朋友|闺蜜|友達|友人|親友",
        "colleague": r"colleagues? co-?workers? kolleg\w+ mitarbeiter\w* collègues? collegh?[aei] compañer[oa]s? colegas? collega\w* / 同事|同僚|先輩|後輩",
        "boss": r"boss manager lead supervisor chef\w* patron\w* chefe jefe jefa capo baas \w*leider \w*leiter\w* / 老板|上司|领导|部長|社長",
        "neighbour": r"neighbou?rs? next\Wdoor nachbar\w* voisine?s? vecin[oa]s? vicin[oaie] vizinh[oa]s? buur\w* buren upstairs / 邻居|鄰居|隣",
        "flatmate": r"(?:flat|room|house)mates? mitbewohner\w* coloc\w* coinquilin[oa] huisgeno\w+ compañer[oa] / 室友|ルームメイト|同居",
        "dog": r"dogs? pupp(?:y|ies) pup whippet greyhound \w*hund\w* welpe hündin chiens? chienne lévrier labrador perr[oa]s? galgo can[ei] cachorr[oa]s? cão cães cadela hond\w* / 狗|犬|柯基|金毛|イヌ",
        "cat": r"cats? kittens? kitty kat(?:er|ze\w*) chat\w* gat[oa]s? gatt[oaie] kat kater poes katten / 猫|貓|ネコ",
        "ex": r"ex ex-\w+ / 前夫|前妻|前任|元夫|元妻|元カ",
        "doctor": r"doctors? gp dentist ärzt\w* arzt médecin médic\w dottor\w* dokter / 医生|醫生",
        "landlord": r"landlord landlady vermieter\w* propriétaire caser[oa] padron\w huisbaas / 房东|大家",
        "trainer": r"trainer coach therapist tutor teacher professor lehrer\w* prof / 老师|先生|教练",
    }.items()
}
"""Kinds of people and pets: a sister is no brother, and a cousin neither."""
