"""How facts are said in Dutch, Italian, Portuguese and Spanish: one sentence frame for each.

A name in braces is a list of words in the vocabulary of the language, `{I}` the subject that may
be left out. A group in angle brackets is a value.
"""

from ingest.extractor.rules.rule import HEALTH, KIN, LIKE, NAME, PLACE, WORK, Rule

_KIN = "(?P<kin>{kin})"

FOREIGN: tuple[Rule, ...] = (
    Rule("name abroad", "{I}{named} <name>", "'s name is {name}", NAME,
        {"Ik heet Joris": "User's name is Joris", "Mi chiamo Chiara": "User's name is Chiara", "Meu nome é Inês": "User's name is Inês", "Me llamo Lucía": "User's name is Lucía"}, ("ik heet dat goed", "mi chiamo fuori", "meu nome é segredo", "me llamo la atención")),
    Rule("home abroad", "{I}{live}(?: .{{0,25}})? {in} <place>", "lives in {place}", PLACE,
        {"Ik woon in Utrecht en ik lees veel": "User lives in Utrecht", "Vivo a Torino con mio fratello": "User lives in Torino", "Moro em Recife": "User lives in Recife", "Vivo en Bogotá": "User lives in Bogotá"}, ("ik woon in een huis", "vivo in una casa", "moro em uma casa", "vivo en una casa")),
    Rule("origin abroad", "{I}{come} {from} <place>", "is from {place}", PLACE,
        {"Ik kom uit Gent": "User is from Gent", "Vengo da Bari": "User is from Bari", "Sou do Brasil": "User is from Brasil", "Soy de Perú": "User is from Perú"}, ("ik kom uit bed", "vengo da lontano", "sou do tipo calmo", "soy de los que leen")),
    Rule("age abroad", "{I}{aged} (?P<age>[1-9]\\d)(?: {years}(?! {from}\\b)(?: .*)?)?", "is {age} years old", NAME,
        {"Ik ben 30 jaar": "User is 30 years old", "Ho 30 anni": "User is 30 years old", "Tenho 30 anos": "User is 30 years old", "Tengo 30 años": "User is 30 years old"}, ("ik ben 30 minuten te laat", "ho 30 giorni", "tenho 30 anos de casa", "tengo 30 años de experiencia")),
    Rule("works as abroad", "{I}{work} (?:.{{0,20}} )?{as} <work>", "works as {work}", WORK,
        {"Ik werk als leraar": "User works as leraar", "Lavoro come cuoco": "User works as cuoco", "Trabalho como professor": "User works as professor", "Trabajo como cocinera": "User works as cocinera"}, ("ik werk als het moet van mijn baas", "lavoro come posso fare sempre io", "trabalho como posso fazer sempre eu", "trabajo como puedo hacerlo siempre yo")),
    Rule("works at abroad", "{I}{work} (?:.{{0,20}} )?{at} <firm>", "works at {firm}", WORK,
        {"Ik werk bij Philips": "User works at Philips", "Lavoro per Fiat": "User works at Fiat", "Trabalho na Petrobras": "User works at Petrobras", "Trabajo en Telefónica": "User works at Telefónica"}, ("ik werk bij nacht", "lavoro per vivere", "trabalho em casa", "trabajo en casa")),
    Rule("role abroad", "{I}{am} (?P<role>[a-z]*{role})(?: .*)?", "is {role}", WORK,
        {"Ik ben leraar in Gent": "User is leraar", "Sono infermiera a Milano": "User is infermiera", "Sou enfermeira em Natal": "User is enfermeira", "Soy enfermera en Lima": "User is enfermera"}, ("ik ben moe", "sono stanca", "sou feliz", "soy feliz")),
    Rule("kin by name abroad", f"{{my}} {_KIN} {{is_called}} <name>", "'s {kin} is named {name}", KIN,
        {"Mijn zus heet Ida": "User's sister is named Ida", "Mia sorella si chiama Ida": "User's sister is named Ida", "Minha irmã se chama Ida": "User's sister is named Ida", "Mi hermana se llama Ida": "User's sister is named Ida"}, ("mijn broer is arts", "mio fratello è medico", "meu irmão é médico", "mi hermano es médico")),
    Rule("named in passing abroad", rf"(?:.*\b)?{{my}} {_KIN},? (?P<name>(?-i:[A-ZÀ-Ü])\w+)(?: .*)?", "'s {kin} is named {name}", KIN,
        {"Mijn zus Ida komt morgen": "User's sister is named Ida", "Mia sorella Ida viene domani": "User's sister is named Ida", "Minha irmã Ida vem": "User's sister is named Ida", "Mi hermana Ida viene": "User's sister is named Ida"}, ("mijn hond komt", "mio cane viene", "meu cachorro vem", "mi perro viene")),
    Rule("kin lives abroad", f"{{my}} {_KIN} {{lives}} {{in}} <place>", "'s {kin} lives in {place}", KIN,
        {"Mijn broer woont in Gent": "User's brother lives in Gent", "Mio fratello vive a Pisa": "User's brother lives in Pisa", "Meu irmão mora em Natal": "User's brother lives in Natal", "Mi hermano vive en Quito": "User's brother lives in Quito"}, ("mijn kat woont in een mand", "mio fratello vive in pace", "meu gato vive em paz", "mi gato vive en paz")),
    Rule("has one by name abroad", f"{{I}}{{have}} {{count}} {_KIN} {{by_name}} <name>", "'s {kin} is named {name}", KIN,
        {"Ik heb een hond genaamd Rex": "User's dog is named Rex", "Ho un gatto che si chiama Micio": "User's cat is named Micio", "Tenho um gato chamado Frajola": "User's cat is named Frajola", "Tengo un gato que se llama Bigotes": "User's cat is named Bigotes"}, ("ik heb een hond die heet", "ho un gatto che si chiama come", "tenho um gato chamado assim", "tengo un gato que se llama así")),
    Rule("has kin abroad", "{I}{have} (?P<count>{count}) (?P<kin>{many}|{kin})(?! {in}\\b)(?: .*)?", "has {count} {kin}", KIN,
        {"We hebben twee kinderen": "User has two kids", "Abbiamo due figli": "User has two kids", "Temos dois filhos": "User has two kids", "Tenemos dos hijos": "User has two kids"}, ("ik heb twee vragen", "ho due domande", "tenho duas dúvidas", "tengo dos dudas")),
    Rule("marital abroad", "{I}{am} (?:.{{0,15}} )?(?P<state>{state})(?: .*)?", "is {state}", KIN,
        {"Ik ben getrouwd": "User is married", "Sono sposata": "User is married", "Sou casada": "User is married", "Estoy casada": "User is married"}, ("ik ben getrouwd met mijn werk?", "sono sposato al lavoro?", "estou cansada", "estoy cansada")),
    Rule("allergic abroad", "{I}{am} (?:.{{0,15}} )?{allergic} <thing>", "is allergic to {thing}", HEALTH,
        {"Ik ben allergisch voor noten": "User is allergic to noten", "Sono allergica alle noci": "User is allergic to noci", "Sou alérgica a camarão": "User is allergic to camarão", "Soy alérgico a los cacahuetes": "User is allergic to cacahuetes"}, ("ik ben allergisch voor dat", "sono allergica a questo", "sou alérgico a isso", "soy alérgico a eso")),
    Rule("diet abroad", "{I}{am} (?:.{{0,15}} )?(?P<diet>{diet})(?: .*)?", "is {diet}", HEALTH,
        {"Ik ben vegetariër": "User is vegetarian", "Sono vegetariana": "User is vegetarian", "Sou vegetariana": "User is vegetarian", "Soy vegetariana": "User is vegetarian"}, ("ik ben op dieet", "sono a dieta", "sou de comer bem", "soy de buen comer")),
    Rule("does not eat abroad", "{I}{not_eat} <thing>", "does not eat {thing}", HEALTH,
        {"Ik eet geen vlees": "User does not eat vlees", "Non mangio carne": "User does not eat carne", "Não como carne": "User does not eat carne", "No como carne": "User does not eat carne"}, ("ik eet geen van die dingen", "non mangio questo", "não como isso", "no como eso")),
    Rule("does not drink abroad", "{I}{not_drink} <thing>", "does not drink {thing}", HEALTH,
        {"Ik drink geen alcohol": "User does not drink alcohol", "Non bevo vino": "User does not drink vino", "Não bebo café": "User does not drink café", "No bebo vino": "User does not drink vino"}, ("ik drink geen van die dingen", "non bevo questo", "não bebo isso", "no bebo eso")),
    Rule("dislikes abroad", "{I}{dislike} <thing>", "does not like {thing}", LIKE,
        {"Ik hou niet van koriander": "User does not like koriander", "Non mi piacciono i funghi": "User does not like funghi", "Não gosto de coentro": "User does not like coentro", "No me gusta el cilantro": "User does not like cilantro"}, ("ik hou niet van jou", "non mi piace questo", "não gosto disso", "no me gusta eso")),
    Rule("hates abroad", "{I}{hate} <thing>", "hates {thing}", LIKE,
        {"Ik haat spruitjes": "User hates spruitjes", "Odio il coriandolo": "User hates coriandolo", "Odeio acordar cedo": "User hates acordar cedo", "Detesto madrugar": "User hates madrugar"}, ("ik haat het", "odio quando piove così tanto di notte", "odeio isso", "odio que llueva así")),
    Rule("likes abroad", "{I}{love} <thing>", "loves {thing}", LIKE,
        {"Ik hou van drop": "User loves drop", "Adoro il gelato": "User loves gelato", "Eu gosto de samba": "User loves samba", "Me encanta el fútbol": "User loves fútbol"}, ("ik hou van jou", "mi piace questo", "gosto de você", "me gusta tu idea")),
)  # fmt: skip
