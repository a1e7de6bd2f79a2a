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
