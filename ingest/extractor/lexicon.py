"""Words that the rules know, as plain lists: what people are to each other, are, speak, eat.

Pure tables. A word that is missing costs a memory that is not made; one that is wrong makes a false
memory. So the lists hold what is plain, and leave out what means something else as often.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.replace("\n", ",").split(",") if line.strip())


SHE = _words(
    "wife girlfriend mother mom mum mama mommy sister daughter aunt niece grandmother grandma nan "
    "granny nana fiancée stepmother stepmom stepsister stepdaughter granddaughter ex-wife "
    "ex-girlfriend mother-in-law sister-in-law daughter-in-law goddaughter godmother gf "
    "half-sister step-sister stepmum gran mam auntie missus nonna oma abuela great-grandmother"
)
HE = _words(
    "husband boyfriend father dad papa daddy brother son uncle nephew grandfather grandpa granddad "
    "stepfather stepdad stepbrother stepson grandson ex-husband ex-boyfriend father-in-law "
    "brother-in-law son-in-law godson godfather bf hubby fiancé "
    "half-brother step-brother grandad opa nonno abuelo great-grandfather"
)
PEOPLE = (
    SHE
    | HE
    | _words(
        "partner spouse fiance fiancee cousin child kid baby newborn toddler twin grandchild "
        "parent ex "
        "friend bestie flatmate roommate housemate neighbour neighbor colleague coworker co-worker "
        "boss manager supervisor mentor therapist teacher landlord godchild sibling stepchild "
        "lodger landlady carer grandkid half-sibling"
    )
)
MANY_PEOPLE = _words(
    "parents kids children sons daughters brothers sisters siblings twins grandparents "
    "grandchildren grandkids cousins friends uncles aunts nephews nieces roommates flatmates "
    "housemates in-laws stepchildren triplets boys girls exes"
)
PETS = _words(
    "dog cat puppy kitten hamster rabbit bunny parrot horse pony goldfish fish turtle tortoise "
    "snake lizard gecko ferret bird budgie canary hedgehog chinchilla rat mouse cockatiel pig goat "
    "labrador poodle beagle corgi dachshund husky retriever terrier bulldog collie spaniel pug "
    "tabby cockapoo labradoodle goldendoodle maltese shihtzu schnauzer siamese persian mutt stray "
    "chihuahua greyhound dalmatian rottweiler pitbull shepherd pup pet doggo kitty iguana"
)
MANY_PETS = _words(
    "dogs cats puppies kittens hamsters rabbits bunnies parrots horses ponies goldfish turtles "
    "tortoises snakes lizards ferrets birds chickens hens goats sheep bees rats pets budgies fish "
    "pups poodles huskies ducks cows pigs"
)
THINGS = _words(
    "car bike bicycle motorbike motorcycle scooter van truck boat house flat apartment cottage "
    "cabin garden farm allotment piano guitar violin cello drum ukulele saxophone telescope camera "
    "laptop macbook mac pc computer iphone ipad android tablet kindle console playstation ps5 xbox "
    "switch tesla bmw audi toyota honda volvo ford vw subaru mazda tattoo tattoos piercing "
    "business "
    "company startup shop store restaurant bakery cafe blog podcast channel website newsletter "
    "greenhouse pool condo caravan campervan motorhome rv tractor sailboat kayak drone printer "
    "collection degree phd master's bachelor's masters bachelors diploma license licence "
    "subscription "
    "cars bikes guitars computers houses e-bike ebike sauna treadmill turntable typewriter "
    "thinkpad dell chromebook pixel galaxy gopro garmin fitbit roomba vespa yamaha steinway fender "
    "deck pi nikon canon fujifilm leica thermomix airfryer synthesizer synth projector server "
    "salon studio gallery brewery dealership mortgage scholarship visa citizenship passport"
)
HEALTH = _lines("""
    diabetes, type 1 diabetes, type 2 diabetes, asthma, adhd, add, epilepsy, arthritis, migraines,
    hypertension, high blood pressure, low blood pressure, celiac disease, coeliac disease, celiac,
    crohn's, crohn's disease, ibs, ocd, ptsd, depression, anxiety, bipolar disorder, cancer, lupus,
    eczema, psoriasis, insomnia, sleep apnea, sleep apnoea, tinnitus, dyslexia, autism, scoliosis,
    multiple sclerosis, ms, parkinson's, endometriosis, pcos, hay fever, rosacea,
    a heart arrhythmia, an arrhythmia, a heart murmur, atrial fibrillation,
    afib, sciatica, ulcerative colitis, narcolepsy, bipolar, schizophrenia, hiv,
    sickle cell disease,
    ehlers-danlos, cataracts, macular degeneration, carpal tunnel, plantar fasciitis, a hernia,
    kidney stones, one kidney, diverticulitis, restless legs, a latex allergy, thalassemia,
    a torn meniscus, a herniated disc, a slipped disc, a frozen shoulder, high cholesterol, anemia,
    anaemia, hypothyroidism, fibromyalgia, long covid, chronic pain, chronic back pain, chronic
    migraines, back problems, a heart condition, a pacemaker, a bad back, a bad knee, bad knees,
    dementia, alzheimer's, heart disease, leukemia, leukaemia, kidney disease, vitiligo, lung
    cancer,
    hemophilia, dyspraxia, dyscalculia, glaucoma, gout, vertigo, social anxiety, an anxiety
    disorder, osteoporosis, breast cancer,
    hashimoto's, tourette's, a stutter, a prosthetic leg, hearing loss, rosacea, acid reflux, gerd
""")
HEALTH_STATES = _lines("""
    diabetic, asthmatic, celiac, coeliac, lactose intolerant, lactose-intolerant, gluten intolerant,
    gluten-intolerant, epileptic,
    colour-blind, color-blind, colour blind, color blind, colourblind,
    colorblind,
    deaf, blind, autistic, dyslexic, bipolar, hard of hearing, in a wheelchair, pregnant,
    type 1 diabetic, type 2 diabetic, short sighted, long-sighted, near-sighted, far-sighted,
    left-handed, left handed, right-handed, ambidextrous, anemic, anaemic, short-sighted,
    deaf in my left ear, deaf in my right ear, blind in one eye, blind in my left eye,
    blind in my right eye, on the autism spectrum, visually impaired, legally blind,
    dyscalculic, hypoglycemic,
    perimenopausal, menopausal, disabled, chronically ill, hearing impaired, lactose-free,
    nearsighted, sober, in recovery, a wheelchair user, a type 1 diabetic, a type 2 diabetic,
    a cancer survivor, neurodivergent, on the spectrum, deaf in one ear, immunocompromised,
    gluten-free, gluten free, a recovering alcoholic, a diabetic
""")
DIETS = _lines("""
    vegan, vegetarian, pescatarian, a vegan, a vegetarian, a pescatarian, teetotal, a teetotaller,
    kosher, keto, a strict vegetarian, a strict vegan, strictly vegan, strictly vegetarian
""")
BELONGING = _lines("""
    christian, catholic, protestant, muslim, jewish, buddhist, hindu, sikh, atheist, agnostic,
    an atheist, a christian, a catholic, a muslim, a buddhist, a hindu, mormon, orthodox, lutheran,
    gay,
    lesbian, bisexual, bi, trans, transgender, queer, asexual, non-binary, nonbinary, pansexual,
    straight, an introvert, an extrovert, introverted, extroverted, a republican, a democrat,
    a feminist, a pacifist, an only child, a twin, adopted, bilingual, trilingual, a morning person,
    a night owl, an early bird, a cat person, a dog person, a trans woman, a trans man, a lesbian,
    a gay man, a leo, a virgo, a libra, a scorpio, a capricorn, an aquarius, a pisces, an aries,
    a taurus, a gemini, a sagittarius, religious, a minimalist, a quaker, a dual citizen,
    a permanent resident, a dane, a swede, a finn, a brit, a pole, a scot, a spaniard, a new yorker,
    a londoner, a berliner, an aussie, a texan, a californian, a parisian,
    jain, a jain, a sikh, sikhs, taoist, a taoist, wiccan, a wiccan, pagan, a pagan, zoroastrian,
    bahá'í, baha'i, a baha'i, shia, sunni, presbyterian, methodist, a methodist, baptist, a baptist,
    anglican, an anglican, evangelical, pentecostal, an adventist, unitarian, hasidic, coptic,
    a widow, a widower, an orphan, a veteran, a smoker, a non-smoker, dutch reformed
""")
MARITAL = _words("married single divorced engaged widowed separated")

NATIONALITIES = _words(
    "american british english scottish welsh irish german french italian spanish portuguese dutch "
    "belgian swiss austrian danish swedish norwegian finnish icelandic polish czech slovak "
    "hungarian romanian bulgarian greek turkish russian ukrainian belarusian lithuanian latvian "
    "estonian serbian croatian bosnian slovenian albanian macedonian georgian armenian "
    "azerbaijani kazakh uzbek indian pakistani bangladeshi nepali chinese japanese korean "
    "vietnamese thai filipino filipina indonesian malaysian singaporean taiwanese mongolian "
    "australian kiwi canadian mexican brazilian argentinian argentine chilean colombian peruvian "
    "venezuelan ecuadorian bolivian cuban jamaican haitian dominican nigerian ghanaian kenyan "
    "ethiopian egyptian moroccan algerian tunisian libyan sudanese somali ugandan tanzanian "
    "zimbabwean iranian persian iraqi syrian lebanese jordanian palestinian israeli saudi emirati "
    "yemeni afghan maltese cypriot luxembourgish bavarian catalan basque cameroonian senegalese "
    "igbo yoruba hausa zulu xhosa maori māori kurdish sami roma berber amazigh tamil punjabi "
    "gujarati bengali tatar uyghur tibetan hmong hawaiian samoan tongan fijian navajo cherokee "
    "mauritian angolan mozambican ivorian congolese zambian malawian namibian eritrean omani "
    "qatari "
    "kuwaiti bahraini laotian panamanian surinamese guyanese trinidadian barbadian nicaraguan "
    "moldovan kosovar montenegrin turkmen tajik kyrgyz bhutanese maldivian papuan galician cornish "
    "rwandan guatemalan honduran salvadoran uruguayan paraguayan cambodian burmese"
) | frozenset({"south african", "sri lankan", "new zealander", "puerto rican", "costa rican"})
LANGUAGES = (
    (
        NATIONALITIES
        - _words("american british swiss austrian belgian indian canadian australian kiwi")
    )
    | _words(
        "hindi urdu bengali punjabi tamil telugu marathi gujarati malayalam kannada mandarin "
        "cantonese arabic hebrew farsi swahili yoruba igbo hausa amharic tagalog malay esperanto "
        "latin "
        "gaelic galician asl esperanto klingon zulu xhosa afrikaans flemish bahasa sinhala nepali "
        "czech croatian serbian slovak"
    )
    | frozenset({"sign language", "american sign language", "swiss german", "brazilian portuguese"})
)

ROLES = _words(
    "nurse doctor teacher lawyer engineer developer programmer designer architect accountant "
    "student chef cook baker barista waiter waitress bartender driver pilot dentist pharmacist vet "
    "veterinarian surgeon paramedic firefighter policeman policewoman cop detective soldier marine "
    "electrician plumber carpenter mechanic welder farmer gardener florist hairdresser barber "
    "photographer artist painter musician singer dancer actor actress writer author poet novelist "
    "journalist editor translator interpreter librarian professor lecturer researcher scientist "
    "biologist chemist physicist mathematician statistician economist psychologist psychiatrist "
    "therapist counselor counsellor coach trainer athlete manager director ceo cto cfo coo founder "
    "co-founder cofounder entrepreneur consultant analyst administrator sysadmin secretary "
    "assistant "
    "receptionist cashier salesperson salesman saleswoman marketer realtor broker banker trader "
    "auditor recruiter freelancer contractor builder roofer tailor seamstress jeweller potter "
    "sculptor illustrator animator filmmaker producer comedian magician priest pastor rabbi imam "
    "nun "
    "monk diplomat politician judge paralegal clerk postman mailman courier bookkeeper "
    "underwriter actuary geologist astronomer historian archaeologist anthropologist sociologist "
    "dev sde swe qa pm ba sre devops md rn chemist's lumberjack docent herbalist luthier "
    "philosopher linguist nutritionist dietitian physiotherapist physio chiropractor optician "
    "optometrist midwife doula nanny babysitter caregiver carer janitor cleaner housekeeper butler "
    "stewardess steward sailor fisherman captain officer guard lifeguard ranger forester zookeeper "
    "beekeeper winemaker brewer butcher tutor instructor principal headteacher intern apprentice "
    "postdoc freshman sophomore senior junior undergrad undergraduate graduate phd trucker "
    "radiologist cardiologist dermatologist oncologist pediatrician paediatrician neurologist gp "
    "anesthesiologist anaesthetist obstetrician technician operator planner organizer curator "
    "strategist copywriter blogger youtuber streamer podcaster influencer model stylist DJ dj "
    "tester "
    "drummer guitarist pianist violinist bassist cellist composer conductor conservator restorer "
    "homemaker housewife househusband retiree pensioner landlord volunteer scout immigrant refugee "
    "expat runner swimmer cyclist climber gamer surfer skier hiker vlogger crafter knitter "
    "hygienist machinist bricklayer plasterer glazier sommelier notary bailiff warden curate vicar "
    "phlebotomist sonographer radiographer anaesthesiologist audiologist podiatrist osteopath "
    "acupuncturist masseuse masseur groomer milliner cobbler upholsterer bookbinder stonemason "
    "blacksmith farrier shepherd goldsmith stagehand stuntman usher postie binman signalman "
    "fishmonger greengrocer caterer sous-chef cabbie stevedore "
    "birdwatcher collector triathlete vegan vegetarian bodybuilder yogi lead"
)
"""What people are by trade, calling or passion: the last word before "of", "at", "in", "with"."""

PARENTHOOD = _words(
    "mother father mom mum dad parent grandmother grandfather grandma grandpa mama papa aunt uncle "
    "godmother godfather stepmom stepdad caregiver"
)
NO_ROLES = _words(
    "bit little lot mess beginner newbie noob idiot fool wreck loser winner believer sucker goner "
    "genius joke person guy girl man woman human failure disaster big huge stranger customer user "
    "client member fan one total complete tad while day week month year hurry rush pickle"
)
"""What people call themselves in passing."""

NO_TRADES = _words(
    "monster disaster number member subscriber newcomer fighter quitter procrastinator overthinker "
    "thinker worrier bother dreamer cheater hater sleeper talker listener learner reader eater "
    "drinker killer player outsider foreigner traveler traveller perfectionist optimist pessimist "
    "realist narcissist racist sexist sister brother daughter partner neighbor neighbour stickler "
    "owner holder lover rather helper robot sinner danger hipster failure caller sender recipient "
    "survivor prisoner gangster vampire dancer's pushover leader follower observer supporter "
    "believer power order matter letter computer printer burner terror horror error mirror visitor "
    "successor ancestor actor's buyer shopper renter tenant seller poster commenter lurker asker "
    "wanderer loner joker sucker complainer over-thinker people-pleaser former future better "
    "whisper conqueror emperor destroyer slayer warrior ranger hunter master jester sorcerer "
    "barbarian civilian vulgarian goner bummer bore tester's latter stranger whiner spender saver "
    "character chapter paper water dinner letter weather corner center quarter filter folder "
    "header "
    "footer parameter pointer integer compiler cluster docker container tower flower finger butter "
    "gender tender color labor flavor favor harbor minor sensor vector factor tensor processor "
    "worse "
    "monitor master server cover layer marker trigger offer shower summer winter october september "
    "retriever setter pointer terrier springer loser stoner boner rockstar quarter halter "
    "princess goddess mess witness empress business illness weakness"
)
"""Words that end as trades do and are none, or are said in passing, in play, by customers."""

FAMILY_NAMES_OF_NOBODY = _words(
    "not the a an in on at so very sorry sure fine good ok okay here there back home done late "
    "ready happy sad tired hungry bored glad afraid scared excited busy free alone lost stuck new "
    "old young still just also only too now then well better best worse curious confused serious "
    "aware able about all any both dead drunk fat thin tall short rich poor right wrong left up "
    "down out off over under from with without like into yes no maybe perhaps monday tuesday "
    "wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december team god batman superman groot spartacus spiderman "
    "santa yours mine his hers theirs ours it him her them you your my me we us they who what when "
    "where why how that this these those everything nothing something someone anyone nobody none "
    "unknown hard weird irrelevant private secret unimportant changed spelled pronounced taken "
    "really always never actually totally literally definitely probably obviously honestly "
    "looking trying going working using getting having making doing wondering thinking planning "
    "writing reading learning building running calling asking hoping feeling starting assuming "
    "asleep awake sick ill cold hot warm wet dry mad angry upset worried stressed exhausted "
    "married single divorced engaged vegan vegetarian pregnant retired unemployed jewish muslim "
    "christian catholic english however mr mrs ms dr sir madam lord lady king queen and or but "
    "because if though while inevitable ironman iron legion satan jesus christ darth luke vader "
    "bond sherlock hal neo zorg voldemort frodo gandalf dracula hamlet hitler napoleon zeus odin "
    "shocked thrilled stoked amazed impressed blessed grateful thankful proud jealous nervous "
    "anxious interested available unavailable online offline broke fired hired beyond damn "
    "definately gonna legit super pretty quite hella kinda sorta fucking freaking bloody absolutely"
)
"""Words after "I'm" or "my name is" that are no name, however they are written."""

FIRST_NAMES = _words(
    "alex alexander alexandra alice alicia amanda amy ana andrea andreas andrew andy angela anita "
    "ann anna anne annie anthony antonio arthur ben benjamin bill bob brian bruno carl carla "
    "carlos "
    "carol caroline catherine charles charlie charlotte chloe chris christian christina christine "
    "claire clara daniel daniela dave david deborah diana diego dmitri dmitry dylan edward elena "
    "eli elias elizabeth ella ellen emil emily emma eric erik erin ethan eva evan evelyn felix "
    "fiona florian francesca francis frida fred gabriel george georgia gina giovanni greg hannah "
    "hans harry heather helen henry hugo ian igor ines ingrid irene isaac isabel isabella ivan "
    "jack "
    "jacob jake james jamie jan jane janet jason jean jeff jen jenna jennifer jenny jeremy jerry "
    "jess jessica jim joanna joe johan john johnny jonas jonathan jordan jorge jose joseph josh "
    "joshua "
    "juan julia julian julie justin karen karl kate katie kathy kelly ken kevin kim kyle lars "
    "laura "
    "lauren lea lena leo leon liam linda lisa liz lizzie logan lorenzo louis luca lucas lucia lucy "
    "luis luisa lukas maggie manuel marco marcus maria marie marina mario marta martin mary mateo "
    "matt matthew max maya megan melanie mia michael michelle miguel mike mila miriam mohamed "
    "mohammed molly monica nadia nancy naomi natalia natalie nate nathan nick nicholas nicola "
    "nicole "
    "nina noah nora olga oliver olivia oscar pablo paul paula paulo pedro peter petra phil philip "
    "priya rachel rafael raj ravi rebecca ricardo richard rob robert roberto robin roger roman "
    "rosa "
    "ryan sam samantha samuel sandra sara sarah sasha scott sean sebastian sergio sharon simon "
    "sofia "
    "sophia sophie stefan stella stephanie stephen steve steven susan suzanne sven tanya teresa "
    "thomas "
    "tim tina tobias todd tom tommy tony valentina vanessa vera veronica victor victoria vincent "
    "vladimir walter wendy yara yuki yusuf zara zoe"
)
"""Common first names, for the many who type them small: "im alex"."""

DONE_TOGETHER = _words(
    "adopted am are attended became booked bought broke camped celebrate celebrated completed "
    "cook cycle did divorced do drive drove eat enjoy expecting explored finished flew "
    "fostered go got grew had hate have hike hiked hosted joined keep launched like live love "
    "made met moved never opened own painted plan play raise ran relocated rescued run saw "
    "separated signed sold speak spend spent split started stayed took travel traveled "
    "travelled close sail meet perform compete marry rent homeschool home-school use visit "
    "visited volunteer volunteered watch went will won "
)
"""What is true of each when "we" say it; "we use" may be a company."""

OFTEN = (
    r"(?:(?:once|twice|thrice|two times|three times|four times|a few times|several times|\d "
    r"times) (?:a|per|every|each) "
    r"(?:day|week|month|year)|every (?:other |second |third |single |two |three |four |six |"
    r"eight )?(?:day|morning|evening|"
    r"night|week|weekend|month|year|summer|winter|spring|autumn|fall|mon|tues|wednes|thurs|fri|satur|sun)(?:days?|s)?|"
    r"(?:on |at )?(?:the )?(?:weekends|week(?:day|night)s)|(?:on )?(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)days?(?: and "
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)? (?:mornings|afternoons|evenings|nights)|(?:on "
    r")(?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?|most (?:days|"
    r"mornings|evenings|nights|"
    r"weekends)|(?:from )?\d{1,2}(?::\d\d)? ?(?:am|pm)? ?(?:to|until|till|-) ?\d{1,2}(?::\d\d)? "
    r"?(?:am|pm)|on the (?:first|second|third|last) \w+day of (?:every|each) month)"
)
"""How often an act is done: a habit, whichever the verb."""

RECURRING = (
    r"(?:every|each) (?!time|one|single time|other\b.{0,3}$)\w+|daily|weekly|nightly|regularly|"
    r"(?:once|twice|thrice|\w+ times|a few times|several times) (?:a|per|every|each) \w+|"
    r"(?:on|at) (?:week(?:day|end|night)s|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b(?=s| and)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|nights?)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)|most "
    r"(?:days|mornings|evenings|nights)|"
    r"in the (?:mornings?|evenings?)|before (?:bed|work|breakfast|sleep|sleeping|lunch|school)|"
    r"most \w+s|"
    r"in (?:winter|summer|spring|autumn)|first thing|"
    r"after (?:work|dinner|school)|"
    r"at \d{1,2}(?:[:.]\d\d)? ?(?:am|pm)|when i was \w+|on (?:the )?weekends?"
)
"""What makes a habit of an act."""
