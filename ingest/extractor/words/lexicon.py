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
    "granny nana fiancée stepmother stepmom stepsister stepdaughter granddaughter "
    "mother-in-law sister-in-law daughter-in-law goddaughter godmother gf "
    "half-sister step-sister step-mother step-mom step-mum step-daughter stepmum gran mam auntie nonna oma abuela great-grandmother"
)
HE = _words(
    "husband boyfriend father dad papa daddy brother son uncle nephew grandfather grandpa granddad "
    "stepfather stepdad stepbrother stepson grandson father-in-law "
    "brother-in-law son-in-law godson godfather bf hubby fiancé "
    "half-brother step-brother step-father step-dad step-son grandad opa nonno abuelo great-grandfather"
)
KIN = (
    SHE
    | HE
    | _words(
        "partner spouse fiance fiancee cousin child kid baby newborn toddler twin grandchild "
        "parent sibling stepchild grandkid half-sibling godchild nibling foster-child"
    )
)
"""One relative, or one's partner."""

COUPLE = _words(
    "wife husband partner spouse fiance fiancee fiancé fiancée girlfriend boyfriend gf bf hubby"
)

ONE_OF_A_KIND = COUPLE - _words("gf bf hubby") | _words(
    "mother mom mum father dad boss manager employer company landlord therapist"
)
"""Relations of whom people have one, so that a name or a home of theirs can be contradicted."""

UNPAID = _words(
    "student freshman sophomore undergrad undergraduate homemaker housewife househusband retiree pensioner landlord blogger vlogger "
    "youtuber streamer podcaster influencer freelancer founder co-founder cofounder author writer poet novelist artist captain athlete "
    "entrepreneur model tester soldier marine organizer guard"
)
"""Roles that somebody may have with several at once, or with no employer."""

BARE_VERBS = _lines("""
    lives, likes, loves, hates, enjoys, adores, dislikes, prefers, works, is, has, was born, goes by, moved, cannot,
    can't, does not, doesn't, speaks, studies, comes
""")
"""Verbs with which a note about the user begins that leaves them out."""

MANY_KIN = _words(
    "parents kids children sons daughters brothers sisters siblings twins grandparents "
    "grandchildren grandkids cousins uncles aunts nephews nieces "
    "in-laws parents-in-law sisters-in-law brothers-in-law sons-in-law daughters-in-law mothers-in-law stepchildren triplets boys girls stepsons stepdaughters half-sisters half-brothers "
    "granddaughters grandsons nibblings godchildren toddlers teenagers babies"
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
MANY_PETS |= frozenset(f"{pet}s" for pet in PETS if not pet.endswith(("s", "y", "fish")))

HEALTH = _lines("""
    diabetes, type 1 diabetes, type 2 diabetes, asthma, adhd, add, epilepsy, arthritis, migraines,
    hypertension, high blood pressure, low blood pressure, celiac disease, coeliac disease, celiac,
    crohn's, crohn's disease, ibs, ocd, ptsd, depression, anxiety, bipolar disorder, cancer, lupus,
    eczema, psoriasis, insomnia, sleep apnea, sleep apnoea, tinnitus, dyslexia, autism, scoliosis,
    multiple sclerosis, ms, parkinson's, endometriosis, pcos, hay fever, rosacea,
    a heart arrhythmia, an arrhythmia, a heart murmur, atrial fibrillation,
    afib, sciatica, ulcerative colitis, narcolepsy, bipolar, schizophrenia, hiv,
    sickle cell disease,
    ehlers-danlos, cystic fibrosis, muscular dystrophy, cerebral palsy, rheumatoid arthritis,
    osteoarthritis, type one diabetes, type two diabetes, type-1 diabetes, type-2 diabetes,
    gestational diabetes, postpartum depression, polycystic ovary syndrome, a thyroid condition,
    graves' disease, a peanut allergy, a nut allergy, a pollen allergy, a dust allergy, heart
    failure, an autoimmune disease, celiac's, dysphagia, a seizure disorder, seizures, bulimia,
    anorexia, an eating disorder, borderline personality disorder, bpd, misophonia, aphantasia,
    pots, mcas, ibd, crohn disease, interstitial cystitis, a blood clotting disorder, neuropathy,
    prostate cancer, skin cancer, thyroid cancer, ovarian cancer, colon cancer, melanoma, copd,
    emphysema, bronchitis, chronic bronchitis, tachycardia, arrhythmia, a weak heart, keratoconus,
    colour blindness, color blindness, astigmatism, chronic fatigue syndrome, me/cfs, chronic fatigue,
    cataracts, macular degeneration, carpal tunnel, plantar fasciitis, a hernia,
    kidney stones, diverticulitis, one kidney, narcolepsy, hepatitis b, hepatitis c, restless legs, a latex allergy, thalassemia,
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
    anemic, anaemic, short-sighted,
    deaf in my left ear, deaf in my right ear, blind in one eye, blind in my left eye,
    blind in my right eye, on the autism spectrum, visually impaired, legally blind,
    dyscalculic, hypoglycemic,
    perimenopausal, menopausal, disabled, chronically ill, hearing impaired, lactose-free,
    nearsighted, a wheelchair user, a type 1 diabetic, a type 2 diabetic,
    a cancer survivor, neurodivergent, on the spectrum, deaf in one ear, immunocompromised,
    a recovering alcoholic, a diabetic, an asthmatic, a coeliac, a celiac, hypertensive, bulimic,
    anorexic, a type-1 diabetic, a type-2 diabetic, type-1 diabetic, type-2 diabetic, prediabetic,
    hiv positive, hiv-positive, hypothyroid, hyperthyroid, a hemophiliac, a haemophiliac, mute,
    lactose intolerant and celiac, hard-of-hearing, gluten sensitive, deafblind, narcoleptic
""")
DIETS = _lines("""
    vegan, vegetarian, pescatarian, a vegan, a vegetarian, a pescatarian, teetotal, a teetotaller,
    a strict vegetarian, a strict vegan, strictly vegan, strictly vegetarian, plant-based,
    a pescetarian, pescetarian, a flexitarian, flexitarian, a fruitarian, a carnivore,
    gluten-free, gluten free, dairy-free, dairy free, a teetotaler, mostly vegetarian, mostly vegan,
    a lifelong vegetarian, a lifelong vegan, lacto-vegetarian, a raw vegan, ovo-vegetarian
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
    "dev sde swe sre lumberjack docent herbalist luthier "
    "philosopher linguist nutritionist dietitian physiotherapist physio chiropractor optician "
    "optometrist midwife doula nanny babysitter caregiver carer janitor cleaner housekeeper butler "
    "stewardess steward sailor fisherman captain officer guard lifeguard ranger forester zookeeper "
    "beekeeper winemaker brewer butcher tutor instructor principal headteacher intern apprentice "
    "postdoc freshman sophomore undergrad undergraduate trucker "
    "radiologist cardiologist dermatologist oncologist pediatrician paediatrician neurologist gp "
    "anesthesiologist anaesthetist obstetrician technician operator planner organizer curator "
    "strategist copywriter blogger youtuber streamer podcaster influencer model stylist DJ dj "
    "tester "
    "drummer guitarist pianist violinist bassist cellist composer conductor conservator restorer "
    "homemaker housewife househusband retiree pensioner landlord "
    "vlogger "
    "hygienist machinist bricklayer plasterer glazier sommelier notary bailiff warden curate vicar "
    "phlebotomist sonographer radiographer anaesthesiologist audiologist podiatrist osteopath "
    "acupuncturist masseuse masseur groomer milliner cobbler upholsterer bookbinder stonemason "
    "blacksmith farrier shepherd goldsmith stagehand stuntman usher postie binman signalman "
    "fishmonger greengrocer caterer sous-chef cabbie stevedore "
    "bodybuilder technologist optician machinist toolmaker watchmaker shoemaker woodworker "
    "metalworker ironworker steelworker mason tiler joiner cabinetmaker glassblower surveyor "
    "cartographer meteorologist oceanographer epidemiologist virologist botanist zoologist ecologist "
    "paleontologist immunologist geneticist pathologist radiotherapist urologist gynecologist "
    "gynaecologist hematologist endocrinologist nephrologist rheumatologist ophthalmologist "
    "psychotherapist hypnotherapist naturopath homeopath orthodontist orderly dispatcher "
    "barrister solicitor attorney magistrate prosecutor conveyancer mediator arbitrator "
    "treasurer controller comptroller estimator buyer merchandiser storekeeper shopkeeper grocer "
    "baker confectioner chocolatier cheesemaker distiller innkeeper hotelier concierge bellhop "
    "croupier bouncer pawnbroker auctioneer valuer appraiser adjuster loss-adjuster teller "
    "choreographer ballerina acrobat puppeteer ventriloquist narrator presenter announcer "
    "broadcaster newsreader correspondent columnist reporter cameraman videographer cinematographer "
    "screenwriter playwright ghostwriter proofreader typesetter archivist genealogist "
    "museologist chaplain deacon missionary minister bishop sexton undertaker embalmer "
    "crane-operator tram-driver bus-driver signaller boatbuilder shipwright deckhand trawlerman "
    "farmhand rancher cowboy viticulturist arborist landscaper groundskeeper greenkeeper horticulturist "
    "falconer gamekeeper jockey stablehand breeder trapper veterinary au-pair governess valet "
    "footman chambermaid maid dishwasher busboy waitstaff server hostess "
    "lecturer dean provost vice-principal superintendent kindergartener preschool-teacher "
    "invigilator examiner registrar bursar "
    "fireman firewoman policewoman sheriff deputy sergeant corporal lieutenant colonel major admiral "
    "airman seaman submariner paratrooper sapper gunner medic reservist cadet"
)
"""What people are by trade, calling or passion: the last word before "of", "at", "in", "with"."""

NO_NAMES = _words(
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
    "mormon lds atheist agnostic buddhist hindu sikh protestant baptist lutheran methodist orthodox pagan "
    "gay lesbian bi bisexual trans queer straight asian black white latino latina hispanic "
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


ADJECTIVES = _words(
    "clear simple safe welcoming dark small big long short warm cold hot sweet spicy strong soft old new good bad light heavy "
    "fast slow quiet loud clean fresh crisp dry wet bright bold thick thin rich plain modern classic vintage fun "
    "nice cute funny cozy cosy calm deep easy hard high low loose tight open tiny tall wide smooth rough sour "
    "salty bitter direct brief concise honest cheap raw creamy crunchy juicy healthy weird sad happy scary "
    "gritty moody slow-paced fast-paced natural neutral minimal colorful colourful flexible structured"
)
"""Words that say how something is: before a comma, the thing itself comes later."""
