"""Function words of the Latin-script languages, common in any few sentences.

They show that a text is in a language other than English.
"""

_WORDS = {
    "Czech, Slovak": "jaký kde "
    "se je že pro jako nebo jsou také když si od který tak ale aby po pod sa nie",
    "Danish, Norwegian": "og at det som en er på for av af med ikke til et har kan fra eller der "
    "hvad hvordan hvor hvorfor",
    "Dutch": "de het een en dat op te voor zijn niet aan wordt om ook er bij naar deze worden uit "
    "wat hoe waarom",
    "Finnish": "ja ei että se ovat kun tai myös joka jos mutta sekä tämä voi mikä miten mitä "
    "kuin sen ne sille niiden kanssa kaikki jotka jossa ovat olla voidaan",
    "French": "le la les des du une est et dans que qui sur avec par pas sont cette ce ou vous "
    "être peut ne au aux ses il elle comment quel quelle quels pourquoi où",
    "German": "der das und ist nicht ein eine einen einem einer eines mit für von auf dem des sich "
    "wird werden auch als bei oder kann sind durch wenn wie nach über zu zur zum aus im noch dass "
    "dieser diese wurde sie wo warum welche welcher wieviel was",
    "Hungarian": "az és hogy nem egy van vagy meg ez csak lehet mi hogyan milyen ezt "
    "vagy ami amely minden kell ha",
    "Indonesian, Malay": "yang dan di ini itu dengan untuk dari tidak pada adalah apa bagaimana",
    "Italian": "il lo gli che è un una con del della dei delle nel nella sono non da al dal questo "
    "anche quale quali perché dove cosa",
    "Polish": "na się do nie jest że jak dla przez są oraz lub która tym jako "
    "co jaki jaka jakie kiedy gdzie oraz ale jego przy można od przed",
    "Portuguese": "os da do dos das em um uma para com não por na ao mais são ou "
    "qual quais quando onde",
    "Romanian": "și în la cu pe nu este care că din să pentru sunt mai sau ce cum unde cine",
    "Serbian, Croatian, Bosnian": "u za su koji kao ili nije što kako",
    "Spanish": "el los las de y en es por se su lo como más este esta son sus "
    "qué cómo cuál cuándo dónde quién",
    "Swedish": "och att det är av till inte den ett om har från vara vad hur varför",
    "Turkish": "ve bir bu için ile olarak olan gibi daha çok veya her ne nasıl nedir hangi",
}

_ENGLISH = """
    the of and that with are this be from it by not or which you can has have will was were if when
    should a i in is to on as at so an do he me no us for also all come per more over under up out
"""

ENGLISH = frozenset(_ENGLISH.split())
"""English words, and words that other languages spell alike."""

FOREIGN = frozenset(" ".join(_WORDS.values()).split()) - ENGLISH
"""Words of all other languages, in lower case."""

_QUESTIONS = (
    "the of and to that with this from for it which you can are how what why where who does"
)
ENGLISH_ONLY = frozenset(_QUESTIONS.split())
"""English words that hardly ever occur in a question in another language."""
