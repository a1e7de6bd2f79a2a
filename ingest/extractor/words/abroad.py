"""Words of other languages: kin and pets, small numbers, and trades, with their English."""

from typing import NamedTuple


class Words(NamedTuple):
    """The words of a language: one relative or pet, how many, several of them, and trades.

    `role` holds patterns of trades, for their endings differ by gender.
    """

    kin: dict[str, str]
    numbers: dict[str, str]
    many: dict[str, str]
    role: str


DUTCH_WORDS = Words(
    kin=dict(
        zip(
            "vrouw man zus zusje broer broertje moeder vader mama papa zoon zoontje dochter dochtertje vriendin vriend hond kat poes tante oom oma opa partner".split(),
            "wife husband sister sister brother brother mother father mom dad son son daughter daughter girlfriend boyfriend dog cat cat aunt uncle grandma grandpa partner".split(),
            strict=True,
        )
    ),
    numbers=dict(
        zip("een één twee drie vier vijf".split(), "a a two three four five".split(), strict=True)
    ),
    many=dict(
        zip(
            "kinderen zonen dochters zussen broers katten honden kind".split(),
            "kids sons daughters sisters brothers cats dogs kid".split(),
            strict=True,
        )
    ),
    role=(
        r"(?:[a-z]*(?:leraar|lerares|leerkracht|verpleegkundige|verpleger|verpleegster|arts|"
        r"dokter|ingenieur|programmeur|ontwikkelaar|verkoper|verkoopster|kok|student|studente|"
        r"gepensioneerd|bakker|timmerman|chauffeur|kapper|kapster|advocaat|advocate|architect|"
        r"kunstenaar|muzikant|journalist|journaliste|boekhouder|monteur|elektricien|loodgieter|"
        r"adviseur|ontwerper|agent|agente|verloskundige|therapeut|psycholoog|psychologe|assistent|"
        r"assistente|docent|docente|apotheker|tandarts|dierenarts|fotograaf|fotografe|vertaler|"
        r"boer|boerin|schilder|tuinman|secretaresse|bibliothecaris|fysiotherapeut|onderzoeker|"
        r"schrijver|schrijfster|huisvrouw|postbode|brandweerman|notaris|rechter))"
    ),
)

ITALIAN_WORDS = Words(
    kin=dict(
        zip(
            "moglie marito sorella fratello madre padre mamma papà figlio figlia fidanzata fidanzato ragazza ragazzo cane gatto gatta zia zio nonna nonno compagno compagna".split(),
            "wife husband sister brother mother father mom dad son daughter girlfriend boyfriend girlfriend boyfriend dog cat cat aunt uncle grandma grandpa partner partner".split(),
            strict=True,
        )
    ),
    numbers=dict(
        zip("un una due tre quattro cinque".split(), "a a two three four five".split(), strict=True)
    ),
    many=dict(
        zip(
            "figli figlie bambini sorelle fratelli gatti cani bambino bambina".split(),
            "kids daughters kids sisters brothers cats dogs kid kid".split(),
            strict=True,
        )
    ),
    role=(
        r"infermier[ae]|maestr[oa]|insegnante|professor(?:e|essa)|medico|dottor(?:e|essa)|"
        r"avvocat[oa]|ingegnere|architett[oa]|studente|studentessa|cuoc[oa]|cameriere|cameriera|"
        r"commess[oa]|impiegat[oa]|operai[oa]|giornalista|fotograf[oa]|grafic[oa]|programmatore|"
        r"programmatrice|traduttore|traduttrice|pensionat[oa]|parrucchier[ae]|barista|autista|"
        r"falegname|idraulico|elettricista|farmacista|dentista|veterinari[oa]|psicolog[oa]|"
        r"contabile|commercialista|segretari[oa]|pittore|pittrice|musicista|panettiere|"
        r"pasticcer[ea]|ricercatore|ricercatrice|fisioterapista|ostetrica|poliziotto|poliziotta|"
        r"bibliotecari[oa]|notaio|agente|consulente|sviluppatore|sviluppatrice"
    ),
)

PORTUGUESE_WORDS = Words(
    kin=dict(
        zip(
            "esposa mulher marido irmã irmão mãe pai filho filha namorada namorado cachorro cachorra cão cadela gato gata tia tio avó avô parceiro parceira".split(),
            "wife wife husband sister brother mother father son daughter girlfriend boyfriend dog dog dog dog cat cat aunt uncle grandma grandpa partner partner".split(),
            strict=True,
        )
    ),
    numbers=dict(
        zip(
            "um uma dois duas três quatro cinco".split(),
            "a a two two three four five".split(),
            strict=True,
        )
    ),
    many=dict(
        zip(
            "filhos filhas crianças irmãs irmãos gatos cachorros gatas cães".split(),
            "kids daughters kids sisters siblings cats dogs cats dogs".split(),
            strict=True,
        )
    ),
    role=(
        r"enfermeir[oa]|professora?|médic[oa]|doutora?|advogad[oa]|engenheir[oa]|arquitet[oa]|"
        r"estudante|cozinheir[oa]|garçom|garçonete|designer|programadora?|desenvolvedora?|"
        r"tradutora?|jornalista|fotógraf[oa]|aposentad[oa]|cabeleireir[oa]|motorista|"
        r"carpinteir[oa]|encanador|eletricista|farmacêutic[oa]|dentista|veterinári[oa]|"
        r"psicólog[oa]|contadora?|secretári[oa]|pintora?|músic[oa]|padeir[oa]|pesquisadora?|"
        r"fisioterapeuta|policial|bombeir[oa]|bibliotecári[oa]|vendedora?|pedreiro|mecânic[oa]|"
        r"agricultora?|biólog[oa]|químic[oa]|físic[oa]|escritora?|chef|confeiteir[oa]|"
        r"nutricionista|analista"
    ),
)

SPANISH_WORDS = Words(
    kin=dict(
        zip(
            "esposa mujer esposo marido hermana hermano madre padre mamá papá hijo hija novia novio perro perra perrita gato gata tía tío abuela abuelo pareja".split(),
            "wife wife husband husband sister brother mother father mom dad son daughter girlfriend boyfriend dog dog dog cat cat aunt uncle grandma grandpa partner".split(),
            strict=True,
        )
    ),
    numbers=dict(
        zip("un una dos tres cuatro cinco".split(), "a a two three four five".split(), strict=True)
    ),
    many=dict(
        zip(
            "hijos hijas niños hermanas hermanos gatos perros gatas".split(),
            "kids daughters kids sisters siblings cats dogs cats".split(),
            strict=True,
        )
    ),
    role=(
        r"enfermer[oa]|maestr[oa]|profe|profesora?|médic[oa]|doctora?|abogad[oa]|ingenier[oa]|"
        r"arquitect[oa]|estudiante|cociner[oa]|camarer[oa]|diseñadora?|programadora?|"
        r"desarrolladora?|traductora?|periodista|fotógraf[oa]|jubilad[oa]|peluquer[oa]|taxista|"
        r"chófer|carpinter[oa]|fontanero|plomero|electricista|farmacéutic[oa]|dentista|"
        r"veterinari[oa]|psicólog[oa]|contable|contadora?|secretari[oa]|pintora?|músic[oa]|"
        r"panader[oa]|investigadora?|fisioterapeuta|matrona|policía|bombera?o?|bibliotecari[oa]|"
        r"vendedora?|dependient[ea]|albañil|mecánic[oa]|conductora?|agricultora?|biólog[oa]|"
        r"químic[oa]|físic[oa]|editora?|escritora?|chef"
    ),
)

IN_ENGLISH = {
    **dict.fromkeys("sposato sposata getrouwd casado casada".split(), "married"),
    **dict.fromkeys("single soltero soltera solteiro solteira vrijgezel".split(), "single"),
    **dict.fromkeys("divorciado divorciada divorziato divorziata gescheiden".split(), "divorced"),
    **dict.fromkeys(
        "prometido prometida fidanzato fidanzata noivo noiva verloofd".split(), "engaged"
    ),
    **dict.fromkeys("viudo viuda vedovo vedova viúvo viúva weduwe weduwnaar".split(), "widowed"),
    **dict.fromkeys("vegan vegano vegana veganist".split(), "vegan"),
    **dict.fromkeys("vegetariano vegetariana vegetariër vegetarisch".split(), "vegetarian"),
    **dict.fromkeys("mangio eet como".split(), "eat"),
    **dict.fromkeys("bevo drink bebo tomo".split(), "drink"),
}
"""States, diets and deeds that every language's sentences name in English."""
