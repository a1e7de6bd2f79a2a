"""Relations of people, words that are not names, and things and offices that errands are about."""

from typing import Final

from ingest.extractor.words.lexicon import FIRST_NAMES, KIN
from ingest.extractor.words.patterns import lines_of

RELATIONS: Final = KIN | lines_of("""
    friend, best friend, mate, best mate, flatmate, roommate, housemate, room mate, flat mate, colleague, coworker,
    co-worker, workmate, boss, manager, supervisor, advisor, adviser, professor, teacher, tutor, mentor, coach,
    trainer, neighbour, neighbor, landlord, landlady, therapist, counsellor, counselor, doctor, dentist, gp, vet,
    lawyer, solicitor, accountant, business partner, co-founder, cofounder, labmate, classmate, teammate, ex, ex-husband,
    ex-wife, ex-boyfriend, ex-girlfriend, girlfriend, boyfriend, stepmum, godmother, godfather, assistant, intern,
    babysitter, nanny, hairdresser, physio, buddy, pal, bestie, team lead, line manager, client, physiotherapist,
    study partner, running partner, gym buddy, pen pal, penpal, bandmate, apprentice, pupil, student, cleaner,
    employee, editor, publisher, roomie, stepdad, stepmom, stepsister, stepbrother, sis, bro, nan, aunty, niece, nephew, prof, gran, thesis advisor, phd advisor, dance teacher, piano teacher, yoga teacher, childminder, midwife, builder, plumber, electrician, agent, cofounder, deputy, trainee, lodger, tenant, sponsor, pastor, rabbi, priest, imam, captain, head of department, team leader,
    psychiatrist, psychologist, driving instructor, instructor, fiancé, fiancée, soulmate,
""") - lines_of("baby, newborn, toddler, twin, child, kid")
"""Relations of one person to another."""

NEVER_NAMES: Final = lines_of("""
    i, i'm, i've, i'll, i'd, the, a, an, and, but, or, is, was, has, had, will, would, can, could, said, says, who, that, he,
    she, they, it, we, you, your, his, her, my, our, their, in, on, at, to, for, with, from, of, about, by, as, if, when, then,
    also, just, so, not, no, yes, ok, okay, lol, haha, omg, god, jesus, christ, facebook, instagram, whatsapp, discord, twitter,
    google, english, american, french, german, spanish, italian, chinese, japanese, korean, indian, please, thanks, hi, hello,
    how, what, why, where, which, do, does, did, are, am, were, gave, told, got, went, loves, likes, wants, makes, works,
    id, cv, dm, pc, dvd, lives, really, always, never, now, today, tomorrow, yesterday, monday, tuesday, wednesday, thursday, friday, saturday,
    sunday, january, february, march, april, june, july, august, september, october, november, december, christmas, easter,
    mom, mum, dad, mother, father, sister, brother, ai, chatgpt, siri, alexa, uk, us, usa, tv, dm, pm, am, phd, dr, mr, mrs, ms, last, next, this, sorry, oh, well, yeah, its, anyway, anyways, luckily, however, basically, plus, besides, apparently, currently, sometimes, whenever, though,
    because, since, while, after, before, even, only, hey, yep, yup, ya, ye, nah, nope, lmao, dude, bro, man, unfortunately, fortunately, tonight, good, great, nice, cool, sure, true, right, wow, doctor,
""")
"""Words that begin with a capital after a relation and name nobody."""

BRANDS: Final = lines_of("""
    jack daniel, jack daniels, jim beam, johnnie walker, johnny walker, captain morgan, jose cuervo, josé cuervo, evan williams, sam adams, samuel adams,
    mary jane, dr pepper, siri, cortana, bixby, chat gpt, chatgpt,
""")
"""Drinks and programs with the names of people, whom a jest calls a friend, as a whole."""

TITLES: Final = (
    "(?:Dr|Prof|Professor|Mr|Mrs|Ms|Miss|Frau|Herr|Madame|Monsieur|Señor|Señora|Auntie|Aunt|Uncle)"
)
"""Titles before a name."""

NAMES: Final = (
    FIRST_NAMES
    | lines_of("""
    aaliyah, aaron, abby, abdul, abdullah, abigail, adam, adele, adrian, adriana, agnes, agnieszka, ahmed, aidan, aiden, aileen, aisha, aiko, akira, alan, alana, alasdair, albert, alejandra, alejandro, alessandra, alessandro, alina, alisa, alison, alistair, allison, alma, alonso, alyssa, amara, amber, amelia, amelie, amina, amir, amira, amit, anastasia,
    anders, andre, andré, anika, anja, anjali, anke, anouk, antonia, anya, ariana, arjun, arnold, arun, asha, ashley, ashok, astrid, audrey, aurora, austin, ayesha, ayla, barbara, barry, bart, bea, beata, beatrice, beatriz, becca, becky, bella, beth, bethany, bianca, bilal, birgit, björn, bradley, brandon, brenda, brendan, bridget, brigitte, britt, brooke, bryan, bryony,
    caitlin, callum, cameron, camila, camille, carina, carlo, carlotta, carmen, carolina, carolyn, cassie, cecilia, cedric, chandra, chantal, cheryl, chiara, chidi, chioma, chun, ciara, cindy, claudia, clement, clemence, clémence, colin, colleen, connor, conor, consuelo, corinne, craig, cristina, cynthia, damian, damien, dana, danielle, danny, darius, darren, dawit, deborah, deepa, deepak, demi, denise, dennis, derek, desmond,
    devon, dimitri, dina, dirk, dmitri, dominic, dominik, don, donna, doreen, doris, dorothy, doug, douglas, duncan, dwayne, edith, edna, eduardo, edwin, efua, eileen, eilidh, elaine, eleanor, elif, eliot, elisa, elise, elliot, elliott, elsa, elsie, emeka, emilia, emiliano, emilio, emmanuel, enrique, ernesto, esme, esteban, estelle, esther, eugene, eunice, ewa, ewan, ezra, fatima, federico, fernanda, fernando, finn, flavia, florence, francesco, francisca, francisco,
    franco, frank, franz, freddie, freya, gareth, gary, gavin, gemma, gerald, geraldine, gerard, giacomo, gianni, gideon, gina, giorgio, giovanni, giulia, giuseppe, gloria, gordon, graham, greg, gregory, greta, guillermo, gulsen, gunther, gustav, gustavo, habib, hamid, hamza, hana, hanna, hannah, hans, harald, hari, harriet, hassan, hayley, hazel, heather, hector, heidi, heike, helen, helena, helga, henri, henrik, hilary, hiroshi, hugo, hussein, ian, ibrahim, ida, ignacio,
    igor, ilse, imani, imogen, imran, ines, inga, ingrid, irene, irina, isaac, isabel, isabella, isabelle, isla, ismail, ivan, ivana, ivy, jackie, jacob, jacqueline, jacques, jade, jaden, jahid, jaime, jake, jamal, james, jamie, jan, jana, jane, janet, janice, janine, jared, jasmine, jason, javier, jean, jeanette, jeff, jeffrey, jen, jenna, jennifer, jenny, jeremy, jerome, jess, jesse, jessica, jill, jim, jimmy, jo, joan, joanna, joanne, joaquin, joaquín, joe, joel, johan,
    johanna, johannes, john, johnny, jonah, jonas, jonathan, jordan, jorge, josé, jose, josef, joseph, josephine, josh, joshua, joyce, juan, juana, juanita, judith, judy, julia, julian, juliana, julie, juliet, julio, julius, jürgen, justin, justyna, kai, kaia, kamal, karen, karim, karin, karina, karl, karla, kasia, kate, katerina, katharina, kathleen, kathryn, kathy, katia, katie, katja, katrin, katya, kayla, keiko, keira, keith, kelly, kelsey, kemal, ken, kendra, kenji, kenneth, kerry,
    kevin, khadija, khalid, kieran, kim, kimberly, kira, kirsten, kirsty, klaus, kofi, kris, krishna, kristen, kristin, kristina, kumar, kurt, kwame, kyle, kylie, lakshmi, lana, lara, larry, lars, laura, lauren, laurence, laurie, layla, leah, leila, lena, leo, leon, leonardo, leonie, leroy, lesley, leslie, leticia, lewis, liam, lidia, lila, lilian, lily, lina, linda, lindsay, lindsey, linh, lisa, liz, lizzie, lloyd, logan, lola, lorena, lorenzo, loretta, lorna, lorraine, lotte, louis, louisa, louise,
    luca, lucas, lucia, luciana, lucy, luis, luisa, luka, lukas, luke, lydia, lynn, mabel, madison, mads, magda, magdalena, maggie, mahmoud, maja, malik, manuel, manuela, mara, marc, marcel, marcela, marcelo, marcin, marco, marcos, marcus, margaret, margarita, margot, maria, mariah, mariam, mariana, marie, marina, mario, marion, marisa, marisol, marius, marjorie, markus, marlene, marlon, marta, martha, martin, martina, mary, mateo, mateus, mathias, mathilde, matilda, matt, matteo, matthew, matthias,
    maureen, maurice, mauricio, mauro, max, maxim, maxine, maya, mehmet, mei, mel, melanie, melissa, mercedes, meredith, mia, michael, michaela, michal, michel, michelle, mick, miguel, mika, mike, mikhail, mila, milan, milena, milly, mina, ming, mira, miranda, miriam, mitch, mitchell, moira, mohamed, mohammed, moira, molly, mona, monica, monika, monique, morgan, morten, moses, muhammad, murray, mustafa, myra, nadia, nadine, naima, nancy, naomi, natalia, natalie, natasha, nathan, nathaniel, neha,
    neil, nell, nia, niamh, nicholas, nicola, nicolas, nicole, nigel, nikhil, niklas, nikola, nikos, nils, nina, nisha, noah, noel, noelle, noor, nora, norma, nuno, oksana, ola, olaf, oleg, olga, oliver, olivia, olivier, omar, oona, oscar, oskar, osman, otto, owen, pablo, padraig, pamela, paola, paolo, patricia, patrick, patrik, patty, paul, paula, paulina, pauline, paulo, pavel, pedro, peggy, penelope, percy, perry, pete, peter, petra, phil, philip, philipp, philippa, phillip, phoebe, phyllis, pierre, pilar, pippa, piotr, polly, pooja,
    pradeep, prakash, precious, priya, priyanka, quentin, quinn, rachel, raf, rafael, raj, rajesh, ralph, ramon, ramona, randall, randy, raoul, raquel, rashid, raul, ravi, raymond, rebecca, reggie, reinhard, renata, renate, rené, reza, rhys, riad, ricardo, richard, rick, rita, rob, robert, roberta, roberto, robyn, rocio, roderick, rodrigo, roger, rohan, roisin, roland, rolf, roman, romy, ronald, ronan, ronnie, rory, rosa, rosalie, rosario, rosie, ross, roxanne, ruben, rudi, rupert, russell, ruth, ryan, sabine, sabrina, sadie, saeed, sahil, said, salim, sally, salma, sam, samantha, samir, samira, samuel,
    sandra, sanjay, santiago, sara, sarah, sasha, saskia, scott, sean, sebastian, selim, selma, sergei, sergio, seth, shane, shannon, sharon, shaun, shauna, sheila, shelly, sheree, shirin, shirley, shreya, siddharth, sigrid, silvia, simon, simona, simone, sinead, siobhan, sofia, sofie, solomon, sonia, sonja, sophia, sophie, stan, stanley, stefan, stefania, steffi, stella, steph, stephanie, stephen, steve, steven, stewart, stuart, sue, suki, sunil, sunita, susan, susana, susanna, susanne, susie, suzanne, sven, svetlana, sybil, sylvia, sylvie, tamara, tamika, tania, tanja, tanya, tara, tariq,
    tatiana, ted, teresa, terrence, terry, tess, tessa, thandi, thandiwe, thea, thelma, theo, theresa, thomas, tiago, tiffany, tim, timo, timothy, tina, tobi, tobias, todd, tom, tomas, tomasz, tommy, toni, tony, tracey, tracy, trevor, tricia, trisha, tristan, tyler, tyrone, uche, ulrich, ulrike, umar, uma, ursula, usha, uwe, valentina, valeria, valerie, vanessa, vera, veronica, vicky, victor, victoria, vijay, vikram, vincent, vincenzo, violet, virginia, vivian, vivienne, vladimir, wanda, warren, wayne, wendy, werner, wilfred, wilhelm, will i am, winston, wojtek, wolfgang, xavier, xiao, yael, yara, yasmin, yasmine, yosef, youssef, yuki, yuri,
    yusuf, yvette, yvonne, zach, zachary, zahra, zainab, zara, zeynep, zoe, zofia, zoltan, zsofia, gaz, baz, shaz, trish, jonno, robbo, stu, deb, debs, mags, kaz, kev, vik, raj, sid, abi, izzy, ellie, evie, poppy, gracie, josie, lottie, mo, ash, jas, jaz, dee, shay, kit, ty, trey, jazmin, kaylee, mackenzie, brittany, courtney, amber, crystal, heather, candice, latoya, keisha, deshawn, darnell, jamila, kamala
""")
) - lines_of(
    "don, ola, said, will i am, frank, amber, crystal, precious, heather, hazel, florence, sue, mo, ash, kit, poppy, violet, will, may, grace, mark, art, gene, rob, bill, jack, hope, faith, joy, rose, dawn, summer, chase, drew, dean, pat, sandy, penny, ginger, rich, miles, cliff, pearl, ruby, jade, ivy, iris, lily, daisy, holly, robin, jean, ray, guy, nick, josh, milan, virginia, austin, jordan, paris, sydney, charlotte, carolina, chelsea, roman, christian, earnest, max, stew, jimmy, randy, kai, scott, ian, dee, ty, sid, mercedes, trey"
)
"""Known first names; one in small letters after "my sister" names her."""

THINGS: Final = lines_of("""
    abstract, accommodation, account, address, agenda, airbnb, allotment, antibiotic, apartment, appliance, application, appointment, assignment, attachment, attic,
    backpack, backup, bag, balance, balcony, bathroom, battery, bed, bedding, bedsheet, bib, bike, bill, bin, bird feeder, blanket, blender, blinds, blood test, blurb, boarding pass, boat, boiler, book, booking,
    boots, bottle, bouquet, box, bread, brake, breakdown, brief, broadband, budget, bulb, cable, cage, cake, calendar, camera, camp, campsite, candle, car, car seat, caravan, card, carpet, cat food, cat litter, caterer, catering,
    certificate, chair, chapter, charger, chart, cheque, chicken coop, claim, closet, clothes, coat, contract, cookies, costume, cot, council tax, cover letter, crib, curtain, cushion, cv,
    dashboard, data sheet, database backup, deck, deposit, desk, diagram, diaper, direct debit, dish, dishes, dishwasher, dissertation, document, dog food, domain, door, drain, draft, drawer, dress, drill, driver's licence, driveway,
    ebike, egg, eggs, electric bill, email, engine, enrolment, envelope, essay, estimate, exam fee, expense, expenses, extension, eye drops, eye test, faucet, fee, fees, feedback, fence, figures, fine, fireplace, fish tank, flat, flight, flights,
    flower, flowers, flyer, form, freezer, fridge, fundraiser, furniture, garage, garden, gas, gate, gift, glasses, grade, grades, grant, grass, grinder, grocery, groceries, guest list, guest room, guitar, gutter, haircut, handout, handover, hard drive,
    heating, hedge, helmet, homework, hose, hotel, house, hydrant, id, inhaler, inspection, insulin, insurance, internship application, interview, inventory, invitation, invite, invites, invoice, iron, jab, jacket, jar, jumper, kettle, key, keys, kit, kitchen, kitty, lab report, label, ladder, lamp, laptop,
    laundry, lawn, lawn mower, lawnmower, leaflet, leaflets, lease, leash, letter, library, licence, license, light, light bulb, link, list, litter, litter box, loan, lock, locker, locksmith, log book, logbook, luggage, lunch box, lunchbox, machine, magazine, mail, mailbox, manuscript, map, marinade, mat, mattress, meal, med, meds, medicine,
    medication, meeting notes, membership, menu, meter, meter reading, microwave, milk, mirror, money, mop, mortgage, mot, motorbike, nappies, newsletter, notes, oil, oil change, order, outfit, oven, package, packet, padlock, paint, painting, panel, pants, paper, papers, paperwork, parcel, parking permit, password,
    passport, payment, payroll, payslip, permit, petition, petrol, phone, phone bill, photo, photos, pic, pics, picture, pictures, pill, pillow, pipe, plant, plants, plates, playlist, poster, posters, pot, pram, prescription, present, presents, presentation, printer, programme, programmes, projector, proofs, proposal, pump, puncture, purse, quote, quotes, radiator, ramp, rates, receipt, receipts,
    recipe, recipes, recording, recycling, reference, refill, referral, refund, registration, regulator, rent, report, reports, reservation, resignation, resit, resume, review, ring, rota, roster, roof, room, router, rubbish, rug, salad, sample, samples, scan, scans, scarf, schedule, school bag, scooter, screen, script, seat, seats, seed, seeds, sheet, sheets, shed, shelf, shelves, shirt, shoe, shoes, shopping, shower, sim card,
    sink, skirt, sleeping bag, slide, slides, slot, smoke alarm, snack, snacks, sofa, solar panel, speech, spreadsheet, stain, stamps, statement, stool, storage, storage unit, stove, subscription, suit, suitcase, summary, supply, supplies, survey, sweater, swab, syllabus, table, tablets, tank, tap, tax, tax return, taxes, taxi, tent, test results, textbook, thank you card, thank-you card, thermostat, thesis, ticket, tickets, tile, tiles, timesheet, timesheets, toilet,
    tool, tools, towel, towels, toys, trailer, train tickets, translation, transcript, trash, tree, trousers, truck, tub, tuition, tv licence, tyre, tyres, tire, tires, umbrella, uniform, update, usb stick, utility bill, vaccination, vaccine, vaccines, van, vehicle, venue, video, vinyl, visa, vitamins, voucher, wall, wallet, wardrobe, warranty, washing, washing machine,
    washing up, water filter, webinar, wedding gift, wheel, wheels, window, windows, wine, worksheet, wreath, x-ray, yard, zip, bandage, costing, costings, coursework, crate, cups, dinner reservation, flat tyre, forms, gown, headset, headphones, hearing aid, hearing aids, instrument, jabs, keyboard, lab coat, lab results, leak, linen, meds, monitor, moulds, mower, notebook, nursery place, order form, parts, pens, permission slip, permit, phone charger, plumbing,
    portfolio, pull request, rsvp, rota, sewing machine, shift swap, stereo, sunscreen, syringe, tarp, tips, toner, torch, transfer, tripod, valet, vase, violin, visa application, whiteboard, wifi, amp, stroller, buggy, booster, bottle bank, pizza, sandwiches, cupcakes, brownies, lasagne, lasagna, ingredients, chapters, syllabi, lesson plan, lesson plans, quiz, rubric, ethics form, consent form, consent forms, referee, appeal,
""")
"""Things that somebody sends, fetches, pays, repairs, writes or hands in."""

OFFICES: Final = lines_of("""
    accountant, agency, agent, airline, architect, babysitter, bank, barber, bookkeeper, broadband company, builder, cafe, carpenter, caterer, cleaner, clinic, consulate, contractor, council, courier, customer, decorator, dentist, doc, doctor, doctors,
    electric company, electrician, embassy, energy company, estate agent, florist, garage, gardener, gas company, gp, gym, hairdresser, handyman, hospital, hotel, hr, insurance, insurer, it desk, jobcentre, kennel, kennels, kindergarten, landlady, landlord, lawyer, letting agent, library, locksmith, mechanic,
    movers, moving company, museum, notary, nurse, nursery, office, optician, optometrist, orthodontist, painter, payroll, pharmacist, pharmacy, phone company, photographer, physio, piano tuner, plumber, police, post office, printer, publisher, receptionist, recruiter, registrar, registry, removal company, restaurant, roofer, school, secretary, seller, solicitor, supplier, surgery,
    surveyor, tailor, tax office, tenant, theatre, therapist, travel agent, uni, university, vendor, venue, vet, warehouse, water company, insurance company, internet provider, isp, dermatologist, psychiatrist, surgeon, midwife, health visitor, social worker, caseworker, hmrc, irs, dmv, dvla, registrar's office, financial aid, student finance, housing office, leasing office, management company, superintendent, concierge, handyman, exterminator, window cleaner, client, clients, committee, board,
    parents, folks, neighbours, neighbors, mum, mom, dad, nan, gran, grandma, grandpa, granny, auntie, aunt, uncle, sis, bro,
""")
"""Offices, trades and groups that are called or written to."""

SOMEBODY: Final = RELATIONS | OFFICES | NAMES
"""Words of a person or an office, in lower case."""
