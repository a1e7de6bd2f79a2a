"""Things that errands are about, and people and offices that wait for a word, as plain lists."""

from typing import Final

from ingest.distillation.words import NAMES, RELATIONS
from ingest.extractor.words.patterns import lines_of

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
