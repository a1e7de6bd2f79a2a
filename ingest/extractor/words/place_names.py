"""Names of countries, states, regions and large towns, in lower case.

Most people who type in lower case write these so too: "i live in berlin" names a place, "i live in
fear" none.
"""

from ingest.extractor.words.patterns import lines_of

PLACES = lines_of("""
    afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria,
    azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan,
    bolivia, bosnia, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia, cameroon,
    canada, cape verde, chad, chile, china, colombia, congo, costa rica, croatia, cuba, cyprus,
    czechia, czech republic, denmark, djibouti, dominica, dominican republic, ecuador, egypt,
    el salvador, eritrea, estonia, eswatini, ethiopia, fiji, finland, france, gabon, gambia, georgia,
    germany, ghana, greece, grenada, guatemala, guinea, guyana, haiti, honduras, hungary, iceland,
    india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan,
    kazakhstan, kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya,
    liechtenstein, lithuania, luxembourg, madagascar, malawi, malaysia, maldives, mali, malta,
    mauritania, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco, mozambique,
    myanmar, namibia, nepal, netherlands, the netherlands, new zealand, nicaragua, niger, nigeria,
    north korea, north macedonia, norway, oman, pakistan, palestine, panama, papua new guinea,
    paraguay, peru, philippines, the philippines, poland, portugal, qatar, romania, russia, rwanda,
    samoa, san marino, saudi arabia, senegal, serbia, seychelles, sierra leone, singapore, slovakia,
    slovenia, somalia, south africa, south korea, korea, south sudan, spain, sri lanka, sudan,
    suriname, sweden, switzerland, syria, taiwan, tajikistan, tanzania, thailand, togo, tonga,
    trinidad, tunisia, turkey, turkmenistan, uganda, ukraine, uae, the uae, uk, the uk, usa, the usa,
    the us, united states, the united states, united kingdom, the united kingdom, great britain,
    britain, england, scotland, wales, northern ireland, uruguay, uzbekistan, vanuatu, vatican,
    venezuela, vietnam, yemen, zambia, zimbabwe, hong kong, puerto rico, greenland, bali, sicily,
    sardinia, corsica, crete, mallorca, ibiza, tenerife, catalonia, bavaria, tuscany, provence,
    normandy, brittany, flanders, andalusia, tibet, punjab, kerala, goa, gujarat, rajasthan, tamil
    nadu, bengal, java, sumatra, borneo, hokkaido, okinawa, kurdistan, europe, asia, africa, america,
    alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, hawaii,
    idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts,
    michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey,
    new mexico, new york, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode
    island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia, washington, west
    virginia, wisconsin, wyoming, ontario, quebec, alberta, british columbia, nova scotia, manitoba,
    saskatchewan, new south wales, queensland, tasmania, cornwall, yorkshire, devon, kent, essex,
    sussex, dorset, norfolk, suffolk, cumbria, lancashire, midlands, socal, norcal, nyc, la, sf, the
    bay area, bay area, silicon valley, new england, the midwest, midwest, amsterdam, athens,
    atlanta, auckland, austin, baghdad, baku, baltimore, bangalore, bengaluru, bangkok, barcelona,
    basel, beijing, beirut, belfast, belgrade, berlin, bern, bilbao, birmingham, bogota, bologna,
    bonn, bordeaux, boston, bratislava, bremen, brighton, brisbane, bristol, brooklyn, brussels,
    bucharest, budapest, buenos aires, cairo, calgary, cambridge, cape town, cardiff, casablanca,
    charlotte, chennai, chicago, cincinnati, cleveland, cologne, copenhagen, cork, dallas, damascus,
    delhi, new delhi, denver, detroit, dhaka, doha, dortmund, dresden, dubai, dublin, dundee, durban,
    edinburgh, edmonton, eindhoven, essen, florence, frankfurt, fukuoka, gdansk, geneva, genoa,
    ghent, glasgow, gothenburg, granada, graz, guadalajara, guangzhou, hamburg, hannover, hanoi,
    havana, helsinki, houston, hyderabad, innsbruck, istanbul, jakarta, jerusalem, johannesburg,
    kabul, karachi, kathmandu, kiev, kyiv, kingston, kolkata, krakow, kuala lumpur, kyoto, lagos,
    lahore, las vegas, leeds, leicester, leipzig, lima, limerick, lisbon, liverpool, ljubljana, lodz,
    london, los angeles, lyon, lyons, madrid, malaga, malmo, manchester, manhattan, manila,
    marseille, melbourne, memphis, mexico city, miami, milan, milwaukee, minneapolis, minsk,
    montevideo, montreal, moscow, mumbai, munich, nagoya, nairobi, nantes, naples, nashville,
    new orleans, newcastle, nice, norwich, nottingham, nuremberg, oakland, odessa, orlando, osaka,
    oslo, ottawa, oxford, palermo, paris, perth, philadelphia, phoenix, pittsburgh, plymouth, porto,
    portland, poznan, prague, pune, queens, quito, reykjavik, riga, rio, rio de janeiro, rome,
    rotterdam, sacramento, salvador, salzburg, san antonio, san diego, san francisco, san jose,
    santiago, sao paulo, são paulo, sarajevo, savannah, seattle, seoul, seville, shanghai, sheffield,
    shenzhen, sofia, southampton, split, st louis, stockholm, strasbourg, stuttgart, sydney, taipei,
    tallinn, tampa, tangier, tehran, tel aviv, the hague, tokyo, toronto, toulouse, trieste, tucson,
    tunis, turin, utrecht, valencia, vancouver, venice, verona, vienna, vilnius, warsaw, wellington,
    winnipeg, wroclaw, york, zagreb, zurich, zürich, köln, münchen, wien, genf, bangor, bath
""")

TOWNS = PLACES | lines_of("""
    aachen, aalborg, aarhus, aberdeen, abidjan, abilene, abu dhabi, abuja, accra, adana, addis ababa, adelaide, agra, ahmedabad, ajaccio,
    akron, albany, albuquerque, aleppo, alexandria, algiers, alicante, almaty, almeria, alsace, amarillo, amherst, amman, amritsar, anaheim,
    anatolia, anchorage, ancona, andorra la vella, angers, anglesey, ankara, ann arbor, annecy, antalya, antwerp, apeldoorn, aquitaine,
    arles, arlington, arnhem, asheville, ashgabat, astana, asturias, asuncion, aswan, athlone, augsburg, augusta, aurora, avignon, badajoz,
    baden-baden, bahia, bakersfield, bamako, bamberg, banff, bangui, banjul, bari, baton rouge, bayreuth, bellevue, bellingham, belmopan,
    bend, bergamo, bergen, berkeley, besancon, bethesda, białystok, bielefeld, billings, bishkek, bismarck, blackburn, blackpool,
    bloemfontein, bloomington, bochum, bohemia, boise, bolton, bolzano, boulder, bournemouth, bradford, braga, brandenburg, brasilia,
    brasov, braunschweig, brazzaville, breda, bregenz, brescia, brest, bridgeport, bridgetown, brixton, brno, bruges, buffalo, bujumbura,
    burgas, burgundy, burlington, busan, bydgoszcz, cadiz, caen, cagliari, calabria, cali, camden, canberra, cancun, cannes, canterbury,
    caracas, carcassonne, carinthia, carlisle, carson city, cartagena, catania, cebu, cedar rapids, central america, champaign, chandigarh,
    charleston, chattanooga, chelsea, cheltenham, chemnitz, chengdu, chester, chesterfield, cheyenne, chiang mai, chisinau, chongqing,
    christchurch, clearwater, clermont-ferrand, clonmel, cluj, cluj-napoca, coimbra, colchester, colombo, colorado springs, columbia,
    columbus, como, conakry, concord, constance, cordoba, corfu, corpus christi, corvallis, cottbus, coventry, cusco, da nang, dakar,
    dalian, dalmatia, dar es salaam, darmstadt, darwin, davao, davis, dayton, daytona beach, debrecen, delft, den haag, derby, derry, des
    moines, deventer, dijon, djibouti city, doncaster, donegal, dordrecht, dover, drogheda, dubrovnik, duisburg, duluth, dundalk, dunedin,
    durango, durham, dusseldorf, düsseldorf, east london, eau claire, el paso, elche, ennis, enschede, erfurt, erie, erlangen, eugene,
    evanston, evansville, exeter, fargo, faro, fayetteville, ferrara, fez, flagstaff, flensburg, fort collins, fort lauderdale, fort wayne,
    fort worth, freetown, freiburg, fresno, fuerteventura, funchal, gaborone, gainesville, galicia, galway, gaza, gdynia, georgetown,
    gibraltar, gijon, gijón, giza, glendale, gloucester, goiania, gozo, gran canaria, grand rapids, greenwich, grenoble, groningen,
    guatemala city, guayaquil, guernsey, göteborg, göttingen, haarlem, hackney, haifa, halifax, halle, hamilton, hampshire, hangzhou,
    hanover, harare, harbin, harlem, harrisburg, hartford, hastings, heidelberg, henderson, hereford, hesse, hilo, hiroshima, ho chi minh
    city, hobart, honolulu, huddersfield, hull, huntsville, indianapolis, inverness, iowa city, ipswich, irvine, isfahan, islamabad, istria,
    ithaca, izmir, jackson, jacksonville, jaipur, jalisco, jeddah, jena, jersey, jersey city, jinan, joensuu, juneau, jutland, kampala,
    kandy, kansas city, kaohsiung, karelia, karlsruhe, kassel, katowice, kauai, kaunas, kazan, kelowna, key west, kharkiv, khartoum, kiel,
    kigali, kilkenny, kingston upon hull, kinshasa, knoxville, kobe, koblenz, kochi, konstanz, kosice, krasnodar, kumasi, kunming, kuopio,
    kuwait city, la paz, la rochelle, lafayette, lahti, lancaster, lansing, lanzarote, lapland, laramie, laredo, las cruces, las palmas,
    latin america, lausanne, leiden, leuven, lexington, lhasa, libreville, liege, liguria, lille, lilongwe, limassol, limoges, lincoln,
    linz, little rock, livorno, liège, logroño, lombardy, long beach, long island, loughborough, louisville, luanda, lubbock, lublin, lucca,
    lucerne, lucknow, ludwigshafen, lugano, lund, lusaka, luton, luxor, lviv, lübeck, maastricht, macau, madeira, madison, madurai,
    magdeburg, mainz, malmö, malé, managua, manama, manaus, mannheim, maputo, marburg, maribor, marrakech, marrakesh, martha's vineyard,
    maui, mecca, medellin, medellín, mendoza, menorca, merida, metz, middlesbrough, milton keynes, minas gerais, missoula, modena, modesto,
    mogadishu, mombasa, moncton, monrovia, monterey, monterrey, montgomery, montpelier, montpellier, moravia, mostar, mulhouse, murcia,
    murmansk, muscat, mykonos, mysore, málaga, nagasaki, nagpur, namur, nancy, nanjing, nantucket, nashua, nassau, new brunswick, new haven,
    newark, newfoundland, newport, niamey, nicosia, nijmegen, nikosia, nonthaburi, north america, north london, northern territory,
    nouakchott, novi sad, novosibirsk, nunavut, oahu, oaxaca, odense, odesa, ohrid, okayama, oklahoma city, olympia, omaha, oran, orkney,
    orleans, osijek, osnabrück, ostend, ostrava, ouagadougou, oulu, oviedo, padua, palm springs, palma, palo alto, pamplona, panama city,
    paphos, parma, pasadena, patagonia, patna, patras, penang, pensacola, peoria, perpignan, perugia, pescara, peshawar, petersburg, phnom
    penh, piacenza, piedmont, pilsen, pisa, plano, plovdiv, podgorica, poitiers, pomerania, pondicherry, port louis, port moresby,
    portsmouth, potsdam, praia, preston, pretoria, prince edward island, princeton, pristina, providence, provo, puebla, puglia, pula, punta
    arenas, pyongyang, qingdao, quebec city, queenstown, rabat, raleigh, rapid city, ravenna, recife, redding, regensburg, regina, reims,
    rennes, reno, reutlingen, rhodes, richmond, rijeka, rimini, riyadh, roanoke, rochester, rostock, rouen, rzeszow, saarbrücken, saint
    louis, saint paul, saint petersburg, salamanca, salem, salerno, salford, salt lake city, samara, samarkand, san juan, san luis obispo,
    san salvador, san sebastian, santa barbara, santa cruz, santa fe, santa monica, santander, santo domingo, santorini, sapporo, saratoga,
    saskatoon, saxony, scandinavia, schwerin, scottsdale, sendai, shetland, shoreditch, shreveport, sibiu, siena, silesia, sioux falls,
    skopje, skye, skåne, sligo, soho, solingen, south america, south australia, south bend, south london, southeast asia, spokane,
    springfield, st andrews, st gallen, st john's, st paul, st petersburg, staten island, stavanger, stirling, stockport, stoke-on-trent,
    sucre, suva, swansea, swindon, syracuse, szczecin, szeged, tacoma, taichung, tallahassee, tampere, taranto, tarragona, tartu, tashkent,
    tbilisi, telford, tempe, the alps, the azores, the balkans, the bronx, the canaries, the caribbean, the cotswolds, the east bay, the
    east coast, the hebrides, the highlands, the isle of man, the isle of wight, the lake district, the middle east, the peak district, the
    pyrenees, the west coast, thessaloniki, thimphu, thuringia, tianjin, tijuana, tilburg, timisoara, tirana, toledo, topeka, torquay,
    torun, toulon, tours, tralee, transylvania, trento, trier, tripoli, tromso, tromsø, trondheim, troyes, tullamore, tulsa, turku, tyrol,
    tübingen, udine, ulaanbaatar, ulm, umbria, umea, umeå, uppsala, utica, vaduz, valladolid, valletta, valparaiso, valparaíso, varanasi,
    varna, vicenza, victoria, vientiane, vigo, villach, vitoria, vladivostok, volgograd, västerås, waco, wakefield, warrington, waterford,
    waterloo, west london, western australia, wexford, wichita, wiesbaden, wilmington, winchester, windhoek, windsor, winterthur, wolfsburg,
    wolverhampton, worcester, wuhan, wuppertal, würzburg, xiamen, yangon, yaounde, yellowknife, yerevan, yokohama, yonkers, youngstown,
    yucatan, yukon, zadar, zaragoza, zwickau, zwolle, örebro,
""")
"""The same with smaller towns and regions, many of which are also names of people or of pets."""

TOWN_ENDINGS = lines_of("""
    burg, burgh, borg, bourg, ville, heim, hausen, stadt, stad, haven, shire, mouth, minster, grad, abad, pur, polis, wick, caster, bury,
    borough, holm, sund, bruck, dorf, ingen, kirchen, springs, falls, heights, hills, valley, island, islands, creek, grove, ton, ham, ford,
""")
"""Ends of the names of towns."""

OF_TOWNS = lines_of("""
    apartment, flat, condo, town, city, village, suburb, suburbs, neighbourhood, neighborhood, county, countryside, coast, seaside, farm,
    landlord, landlady, rent, renting, mortgage, neighbour, neighbours, neighbor, neighbors, university, college, uni, master's, masters,
    phd, studies, husband, wife, boyfriend, girlfriend, fiancé, fiancée, parents, visa, weather, climate, winters, born, sea, beach,
    mountains, my first house, a house, our house, a new house,
""")
"""Words beside a place to which somebody has moved."""

BEFORE_TOWNS = lines_of("""
    upstate, downtown, central, rural, greater, northern, southern, eastern, western, north, south, east, west, sunny, beautiful,
    good old, near, just outside, outside, outside of, the outskirts of, the north of, the south of, the coast of, a small town in,
    a town in, a village in, a small village in, the countryside in, a suburb of, the suburbs of, a flat in, an apartment in,
""")
"""What stands before the name of a place."""

ON_TOWNS = lines_of("""
    island, isle, street, road, avenue, lane, boulevard, drive, square, hill, coast, shore, river, lake, peninsula, crete, sicily, corsica,
    sardinia, malta, bali, maui, oahu, kauai, hawaii, tenerife, gran canaria, lanzarote, mallorca, menorca, ibiza, cyprus, rhodes, madeira,
    skye, orkney, shetland, jersey, guernsey, tasmania, java, sumatra, borneo, reservation, campus,
""")
"""Where one lives "on": islands, streets."""
