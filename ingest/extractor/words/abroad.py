"""The vocabularies of other languages than English: a name of the grammar, and its words.

Plain words and phrases; `=` gives the English of a word where a memory names it.
"""

from ingest.extractor.words.patterns import lines_of, tables_of

DUTCH = tables_of("""
    subject:
    lent: ik, ik ben
    joint: en, maar, want
    after: sinds, en, maar, omdat, want, met, waar, die, dat, voor, bij, nu, momenteel, heel erg, erg,
        vooral, meer dan, ook, zoals, als, toen, samen, niet, op, in, aan
    doubt: als ik, als je, als we, als hij, als ze, als het, misschien, zou, zouden, stel, zegt, zei,
        vroeger, toen, wou, mocht, droomde, ex
    named: ik heet, mijn naam is, mijn volledige naam is, m'n naam is, iedereen noemt me, ze noemen me
    live: ik woon, wij wonen, we wonen, ik leef, we leven, wij leven
    in: in, bij, vlak bij
    come: ik kom, ik kom oorspronkelijk, ik kom eigenlijk, ik ben
    from: uit
    aged: ik ben, ik ben nu
    years: jaar, jaar oud, jaar jong
    work: ik werk
    as: als
    at: bij, voor
    am: ik ben, ik ben een
    my: mijn, m'n, onze, ons
    is_called: heet, is
    lives: woont
    have: ik heb, wij hebben, we hebben
    by_name: genaamd, die
    allergic: allergisch voor
    not_eat: ik eet geen, ik eet echt geen, ik eet helemaal geen
    not_drink: ik drink geen, ik drink echt geen, ik drink helemaal geen
    dislike: ik hou niet van, ik houd niet van, ik hou echt niet van, ik hou helemaal niet van, ik houd echt
        niet van, ik houd helemaal niet van
    hate: ik haat, ik heb een hekel aan
    love: ik hou van, ik houd van, ik hou heel erg van, ik hou veel van, ik hou echt van, ik houd heel erg
        van, ik houd veel van, ik houd echt van
    kin: vrouw=wife, man=husband, zus=sister, zusje=sister, broer=brother, broertje=brother, moeder=mother,
        vader=father, mama=mom, papa=dad, zoon=son, zoontje=son, dochter=daughter, dochtertje=daughter,
        vriendin=girlfriend, vriend=boyfriend, hond=dog, kat=cat, poes=cat, tante=aunt, oom=uncle,
        oma=grandma, opa=grandpa, partner=partner
    many: kinderen=kids, zonen=sons, dochters=daughters, zussen=sisters, broers=brothers, katten=cats,
        honden=dogs, kind=kid
    count: een=a, één=a, twee=two, drie=three, vier=four, vijf=five
    role: leraar, lerares, leerkracht, verpleegkundige, verpleger, verpleegster, arts, dokter, ingenieur,
        programmeur, ontwikkelaar, verkoper, verkoopster, kok, student, studente, gepensioneerd, bakker,
        timmerman, chauffeur, kapper, kapster, advocaat, advocate, architect, kunstenaar, muzikant,
        journalist, journaliste, boekhouder, monteur, elektricien, loodgieter, adviseur, ontwerper, agent,
        agente, verloskundige, therapeut, psycholoog, psychologe, assistent, assistente, docent, docente,
        apotheker, tandarts, dierenarts, fotograaf, fotografe, vertaler, boer, boerin, schilder, tuinman,
        secretaresse, bibliothecaris, fysiotherapeut, onderzoeker, schrijver, schrijfster, huisvrouw,
        postbode, brandweerman, notaris, rechter
""")

ITALIAN = tables_of("""
    subject: io, a me
    lent: sono, io
    joint: e, ed, ma, però, perché
    after: da, e, ma, perché, con, dove, che, per, in, adesso, ora, al momento, molto, tanto, soprattutto,
        più di, anche, come, quando, a, attualmente, insieme
    doubt: se, forse, vorrei, sarei, avrei, potrei, magari, dice, diceva, immagina, da bambino, da bambina,
        ero, avevo, una volta, ex, sognato
    named: mi chiamo, il mio nome è, il mio nome completo è, tutti mi chiamano, mi chiamano
    live: vivo, abito, viviamo, abitiamo
    in: a, in, vicino a
    come: vengo, sono, sono originario, sono originaria
    from: di, da, dalla, dal, della
    aged: ho
    years: anni
    work: lavoro
    as: come
    at: alla, da, per, presso
    am: sono, sono un, sono una
    my: mia, mio, nostra, nostro, la mia, il mio, la nostra, il nostro
    is_called: si chiama, è
    lives: vive, abita
    have: ho, abbiamo
    by_name: che si chiama, di nome, chiamato, chiamata
    allergic: allergico a, allergica a, allergico al, allergica al, allergico alla, allergica alla,
        allergico alle, allergica alle, allergico ai, allergica ai, allergico agli, allergica agli
    not_eat: non mangio, non mangio mai, non mangio più
    not_drink: non bevo, non bevo mai, non bevo più
    dislike: non mi piace, non mi piacciono, non mi piace per niente, non mi piacciono per niente
    hate: odio, detesto
    love: adoro, amo, mi piace, mi piacciono, mi piace molto, mi piacciono molto, mi piace tanto, mi
        piacciono tanto
    kin: moglie=wife, marito=husband, sorella=sister, fratello=brother, madre=mother, padre=father,
        mamma=mom, papà=dad, figlio=son, figlia=daughter, fidanzata=girlfriend, fidanzato=boyfriend,
        ragazza=girlfriend, ragazzo=boyfriend, cane=dog, gatto=cat, gatta=cat, zia=aunt, zio=uncle,
        nonna=grandma, nonno=grandpa, compagno=partner, compagna=partner
    many: figli=kids, figlie=daughters, bambini=kids, sorelle=sisters, fratelli=brothers, gatti=cats,
        cani=dogs, bambino=kid, bambina=kid
    count: un=a, una=a, due=two, tre=three, quattro=four, cinque=five
    role: infermiera, infermiere, maestro, maestra, insegnante, professore, professoressa, medico, dottore,
        dottoressa, avvocato, avvocata, ingegnere, architetto, architetta, studente, studentessa, cuoco,
        cuoca, cameriere, cameriera, commesso, commessa, impiegato, impiegata, operaio, operaia,
        giornalista, fotografo, fotografa, grafico, grafica, programmatore, programmatrice, traduttore,
        traduttrice, pensionato, pensionata, parrucchiera, parrucchiere, barista, autista, falegname,
        idraulico, elettricista, farmacista, dentista, veterinario, veterinaria, psicologo, psicologa,
        contabile, commercialista, segretario, segretaria, pittore, pittrice, musicista, panettiere,
        pasticcere, pasticcera, ricercatore, ricercatrice, fisioterapista, ostetrica, poliziotto,
        poliziotta, bibliotecario, bibliotecaria, notaio, agente, consulente, sviluppatore, sviluppatrice
""")

PORTUGUESE = tables_of("""
    subject: eu
    lent: eu, sou
    joint: e, mas, porque, porém
    after: desde, há, e, mas, porque, com, onde, que, para, agora, atualmente, muito, principalmente, mais
        que, também, como, quando, em, na, no, a, junto
    doubt: talvez, queria, gostaria, seria, teria, poderia, diz, dizia, disse, imagina, quando criança, era,
        antes, tomara, sonhei, ex, se eu, se a, se o, se for, se tiver, se fosse
    named: me chamo, chamo-me, meu nome é, o meu nome é, meu nome completo é, o meu nome completo é, todo
        mundo me chama de, me chamam de
    live: moro, moramos, vivo, vivemos, resido
    in: em, no, na, nos, nas, perto de
    come: sou, venho, sou natural
    from: de, do, da, dos
    aged: tenho
    years: anos
    work: trabalho
    as: como
    at: na, no, em, para a, para o, pra
    am: sou, sou um, sou uma, estou, tenho
    my: meu, minha, nosso, nossa, o meu, a minha, o nosso, a nossa
    is_called: se chama, chama-se, é, se chama o, se chama a, é o, é a
    lives: mora, vive
    have: tenho, temos
    by_name: que se chama, chamado, chamada
    allergic: alérgico a, alérgico à, alérgico ao, alérgico aos, alérgico às, alérgica a, alérgica à,
        alérgica ao, alérgica aos, alérgica às, alergia a, alergia à, alergia ao, alergia aos, alergia às
    not_eat: não como, não como mais
    not_drink: não bebo, não bebo mais, não tomo, não tomo mais
    dislike: não gosto de, não gosto do, não gosto da, não gosto dos, não gosto das, não gosto nada de, não
        gosto nada do, não gosto nada da, não gosto nada dos, não gosto nada das, não gosto muito de, não
        gosto muito do, não gosto muito da, não gosto muito dos, não gosto muito das
    hate: odeio, detesto
    love: amo, adoro, gosto de, gosto do, gosto da, gosto dos, gosto das, gosto muito de, gosto muito do,
        gosto muito da, gosto muito dos, gosto muito das, gosto bastante de, gosto bastante do, gosto
        bastante da, gosto bastante dos, gosto bastante das, curto de, curto do, curto da, curto dos, curto
        das, curto muito de, curto muito do, curto muito da, curto muito dos, curto muito das, curto
        bastante de, curto bastante do, curto bastante da, curto bastante dos, curto bastante das
    kin: esposa=wife, mulher=wife, marido=husband, irmã=sister, irmão=brother, mãe=mother, pai=father,
        filho=son, filha=daughter, namorada=girlfriend, namorado=boyfriend, cachorro=dog, cachorra=dog,
        cão=dog, cadela=dog, gato=cat, gata=cat, tia=aunt, tio=uncle, avó=grandma, avô=grandpa,
        parceiro=partner, parceira=partner
    many: filhos=kids, filhas=daughters, crianças=kids, irmãs=sisters, irmãos=siblings, gatos=cats,
        cachorros=dogs, gatas=cats, cães=dogs
    count: um=a, uma=a, dois=two, duas=two, três=three, quatro=four, cinco=five
    role: enfermeiro, enfermeira, professor, professora, médico, médica, doutor, doutora, advogado,
        advogada, engenheiro, engenheira, arquiteto, arquiteta, estudante, cozinheiro, cozinheira, garçom,
        garçonete, designer, programador, programadora, desenvolvedor, desenvolvedora, tradutor, tradutora,
        jornalista, fotógrafo, fotógrafa, aposentado, aposentada, cabeleireiro, cabeleireira, motorista,
        carpinteiro, carpinteira, encanador, eletricista, farmacêutico, farmacêutica, dentista, veterinário,
        veterinária, psicólogo, psicóloga, contador, contadora, secretário, secretária, pintor, pintora,
        músico, música, padeiro, padeira, pesquisador, pesquisadora, fisioterapeuta, policial, bombeiro,
        bombeira, bibliotecário, bibliotecária, vendedor, vendedora, pedreiro, mecânico, mecânica,
        agricultor, agricultora, biólogo, bióloga, químico, química, físico, física, escritor, escritora,
        chef, confeiteiro, confeiteira, nutricionista, analista
""")

SPANISH = tables_of("""
    subject: yo, a mí
    lent: soy, yo
    joint: y, e, pero, porque, aunque
    after: desde, hace, y, pero, porque, con, donde, que, para, ahora, actualmente, mucho, sobre todo, más
        que, también, como, cuando, en, de la, a, junto
    doubt: si, quizá, quizás, tal vez, quisiera, gustaría, sería, tendría, podría, dice, decía, dijo,
        imagina, de niño, de niña, era, antes, ojalá, soñé, ex
    named: me llamo, mi nombre es, mi nombre completo es, todos me llaman, todos me dicen, me dicen
    live: vivo, vivimos, resido
    in: en, cerca de
    come: soy, vengo, soy originario, soy originaria
    from: de, del
    aged: tengo
    years: años
    work: trabajo
    as: como, de
    at: en, para
    am: soy, soy un, soy una, estoy
    my: mi, nuestro, nuestra
    is_called: se llama, es
    lives: vive
    have: tengo, tenemos
    by_name: que se llama, llamado, llamada
    allergic: alérgico a, alérgica a, alérgico al, alérgica al
    not_eat: no como, ya no como, nunca como
    not_drink: no bebo, ya no bebo, nunca bebo, no tomo, ya no tomo, nunca tomo
    dislike: no me gusta, no me gusta nada, no me gusta mucho, no me gustan, no me gustan nada, no me gustan
        mucho
    hate: odio, detesto
    love: amo, adoro, me gusta, me gusta mucho, me gustan, me gustan mucho, me encanta, me encanta mucho, me
        encantan, me encantan mucho
    kin: esposa=wife, mujer=wife, esposo=husband, marido=husband, hermana=sister, hermano=brother,
        madre=mother, padre=father, mamá=mom, papá=dad, hijo=son, hija=daughter, novia=girlfriend,
        novio=boyfriend, perro=dog, perra=dog, perrita=dog, gato=cat, gata=cat, tía=aunt, tío=uncle,
        abuela=grandma, abuelo=grandpa, pareja=partner
    many: hijos=kids, hijas=daughters, niños=kids, hermanas=sisters, hermanos=siblings, gatos=cats,
        perros=dogs, gatas=cats
    count: un=a, una=a, dos=two, tres=three, cuatro=four, cinco=five
    role: enfermero, enfermera, maestro, maestra, profe, profesor, profesora, médico, médica, doctor,
        doctora, abogado, abogada, ingeniero, ingeniera, arquitecto, arquitecta, estudiante, cocinero,
        cocinera, camarero, camarera, diseñador, diseñadora, programador, programadora, desarrollador,
        desarrolladora, traductor, traductora, periodista, fotógrafo, fotógrafa, jubilado, jubilada,
        peluquero, peluquera, taxista, chófer, carpintero, carpintera, fontanero, plomero, electricista,
        farmacéutico, farmacéutica, dentista, veterinario, veterinaria, psicólogo, psicóloga, contable,
        contador, contadora, secretario, secretaria, pintor, pintora, músico, música, panadero, panadera,
        investigador, investigadora, fisioterapeuta, matrona, policía, bombero, bombera, bibliotecario,
        bibliotecaria, vendedor, vendedora, dependiente, dependienta, albañil, mecánico, mecánica,
        conductor, conductora, agricultor, agricultora, biólogo, bióloga, químico, química, físico, física,
        editor, editora, escritor, escritora, chef
""")

IN_ENGLISH = tables_of("""
    state: sposato=married, sposata=married, getrouwd=married, casado=married, casada=married,
        single=single, soltero=single, soltera=single, solteiro=single, solteira=single, vrijgezel=single,
        divorciado=divorced, divorciada=divorced, divorziato=divorced, divorziata=divorced,
        gescheiden=divorced, prometido=engaged, prometida=engaged, fidanzato=engaged, fidanzata=engaged,
        noivo=engaged, noiva=engaged, verloofd=engaged, viudo=widowed, viuda=widowed, vedovo=widowed,
        vedova=widowed, viúvo=widowed, viúva=widowed, weduwe=widowed, weduwnaar=widowed
    diet: vegan=vegan, vegano=vegan, vegana=vegan, veganist=vegan, vegetariano=vegetarian,
        vegetariana=vegetarian, vegetariër=vegetarian, vegetarisch=vegetarian
""")
"""States and diets, which every language shares."""

OF_THE_SPEAKER = lines_of("""
    subject, named, live, come, aged, work, am, my, have, not_eat, not_drink, dislike, hate, love,
""")
"""Names of the grammar: every sentence about the speaker has a word of one of them."""
