"""Branches in which people work, and businesses that they own."""

from ingest.extractor.words.patterns import lines_of

INDUSTRIES = lines_of("""
    advertising, marketing, sales, finance, banking, insurance, healthcare, health care, retail, it,
    tech, education, construction, logistics, hospitality, real estate, fast food, customer service,
    human resources, hr, law, engineering, agriculture, manufacturing, publishing, journalism, pr,
    public relations, software, biotech, pharma, pharmaceuticals, accounting, consulting, tourism,
    social work, film, television, tv, fashion, catering, government, politics, academia, research,
    security, transportation, transport, mining, energy, telecom, telecommunications, e-commerce,
    aviation, aerospace, automotive, graphic design, design, web design, ux, data science, nursing,
    food, service, restaurant, pharmacy, childcare, child care, elder care, palliative care, a hospital, a bank, a library, a school, a
    restaurant, a factory, a warehouse, a call center, a call centre, a supermarket, a bakery, a
    pharmacy, a hotel, a kitchen, a kindergarten, a nursing home, a museum, a bookstore, a bookshop,
    a cafe, a coffee shop, a garage, a lab, a laboratory, a law firm, a clinic, a daycare, food
    service, the military, property management, event management, music, entertainment, gaming
""")
WORKPLACES = lines_of("""
    shop, store, hospital, school, office, shelter, library, restaurant, factory, warehouse, bakery, pharmacy,
    hotel, museum, bookstore, bookshop, cafe, café, coffee shop, garage, lab, laboratory, law firm, clinic,
    daycare, nursery, bank, supermarket, call center, call centre, salon, brewery, winery, prison, kindergarten,
    nursing home, care home, theatre, theater, studio, mine, shipyard, greenhouse, bar, pub, diner, mall,
""")
DWELLINGS = lines_of("""
    farm, ranch, boat, houseboat, island, countryside, village, suburbs, small town, small village, cabin,
    farmhouse, trailer, mobile home, camper van, motorhome, dorm, dormitory, convent, lighthouse, retirement home,
""")
"""Where people work, and where they live, by its kind."""

WORKED_AT = lines_of("""
    report, presentation, thesis, dissertation, essay, puzzle, problem, plan, book, novel, painting, song, poem, script, draft, proposal,
    manuscript, task, assignment, design, table, pace, speed, deadline, disadvantage, loss, details,
""")
"""What somebody works at that employs nobody."""

BUSINESSES = lines_of("""
    bakery, restaurant, shop, store, company, business, farm, salon, studio, cafe, café, bar, agency,
    clinic, firm, practice, gallery, brewery, startup, start-up, bookshop, bookstore, hotel, hostel,
    vineyard, winery, garage, gym, nursery, dance studio, barbershop, boutique, franchise, food truck,
    pub, coffee shop, pizzeria, florist, dealership, consultancy, daycare, kennel, ranch, orchard
""")

NAMED_FOR = lines_of("""
    teach, code, habitat, doctors, lawyers, teachers, partners, center, centre, institute, foundation, academy, office, ministry, department, agency,
    council, fund, trust, campaign, alliance, coalition, network, citizens, students, friends, scientists, engineers, tech, books, mothers, parents,
""")
"""What stands before "for" in the name of an employer: "Teach for America"."""
