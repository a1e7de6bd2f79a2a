"""What people sign up to, watch, install and buy, and words beside it, as plain lists.

"I joined Spotify" and "we moved to Debian" tell of no employer and no home.
"""

from ingest.extractor.words.patterns import lines_of

SERVICES = lines_of("""
    spotify, netflix, hulu, disney, disney+, hbo, hbo max, max, paramount, peacock, apple music, apple tv, amazon prime, prime, prime video,
    audible, kindle, scribd, crunchyroll, youtube, youtube premium, youtube music, twitch, tidal, deezer, soundcloud, pandora, bandcamp, sirius,
    duolingo, babbel, busuu, memrise, rosetta stone, coursera, udemy, skillshare, masterclass, khan academy, brilliant, codecademy, leetcode,
    linkedin, facebook, instagram, threads, twitter, x, tiktok, snapchat, pinterest, reddit, tumblr, quora, mastodon, bluesky, discord,
    telegram, whatsapp, signal, wechat, line, viber, messenger, skype, zoom, clubhouse, bereal, nextdoor, strava, fitbit, whoop,
    myfitnesspal, noom, weight watchers, ww, peloton, planet fitness, anytime fitness, gold's gym, la fitness, crossfit, orangetheory, equinox,
    puregym, virgin active, classpass, curves, barry's, tinder, bumble, hinge, grindr, okcupid, match, eharmony, badoo, feeld,
    airbnb, couchsurfing, bolt, doordash, deliveroo, instacart, hellofresh, blue apron, costco, sam's club, etsy, vinted,
    depop, shein, temu, patreon, substack, medium, onlyfans, ko-fi, kickstarter, gofundme, goodreads, letterboxd, storygraph, ravelry, steam,
    xbox, xbox live, game pass, playstation, playstation plus, nintendo, epic games, roblox, minecraft, fortnite, world of warcraft, revolut,
    monzo, n26, wise, venmo, cash app, robinhood, coinbase, binance, kraken, chatgpt, claude, gemini, copilot, perplexity, midjourney,
    headspace, calm, betterhelp, nordvpn, expressvpn, proton, mensa, toastmasters, rotary, scouts, girl scouts, ymca, aaa, aarp, aa, ikea family,
    sephora, starbucks rewards, delta skymiles, github, stack overflow, hacker news, product hunt, kaggle, meetup, eventbrite,
""")
"""What people join, start and leave as customers and members."""

SOFTWARE = lines_of("""
    linux, windows, macos, mac, os x, ios, android, chrome os, chromeos, ubuntu, debian, fedora, arch, arch linux, mint, linux mint, manjaro,
    nixos, nix, gentoo, opensuse, centos, rocky, red hat, rhel, alpine, freebsd, openbsd, pop os, zorin, kubernetes, k8s, docker, podman, helm,
    nomad, mesos, openshift, rancher, terraform, opentofu, pulumi, ansible, puppet, chef, salt, vagrant, jenkins, drone, circleci, travis,
    gitlab, github, github actions, gitea, bitbucket, git, svn, mercurial, perforce, bazel, gradle, maven, cmake, make, npm, yarn, pnpm, bun,
    deno, node, node.js, typescript, javascript, python, rust, go, golang, java, kotlin, scala, swift, ruby, rails, php, laravel, django, flask,
    fastapi, spring, elixir, phoenix, erlang, haskell, clojure, julia, perl, lua, zig, dart, flutter, c, c++, c#, .net, react, vue, angular,
    svelte, sveltekit, next, next.js, nuxt, remix, astro, gatsby, vite, webpack, tailwind, bootstrap, electron, tauri, wayland, gnome, kde,
    plasma, xfce, i3, sway, hyprland, vim, neovim, emacs, nano, vs code, vscode, visual studio, intellij, pycharm, eclipse, xcode, zed, cursor,
    sublime, atom, helix, arc, chrome, firefox, safari, brave, edge, vivaldi, opera, zen, tor, slack, teams, microsoft teams, zoom, google meet,
    google chat, google workspace, gmail, outlook, thunderbird, fastmail, hey, proton, protonmail, notion, obsidian, evernote, roam, logseq,
    onenote, bear, craft, anytype, joplin, todoist, things, ticktick, trello, asana, jira, linear, monday.com, clickup, basecamp, airtable,
    confluence, coda, figma, sketch, canva, photoshop, lightroom, affinity, blender, maya, unity, unreal, godot, excel, sheets, google sheets,
    word, google docs, libreoffice, latex, typst, markdown, quickbooks, xero, sap, salesforce, hubspot, zendesk, freshdesk, intercom, mailchimp,
    shopify, woocommerce, wordpress, gutenberg, squarespace, wix, webflow, ghost, drupal, joomla, magento, aws, azure, gcp, google cloud, heroku,
    vercel, netlify, render, fly, hetzner, digitalocean, linode, ovh, cloudflare, firebase, supabase, postgres, postgresql, mysql, mariadb,
    sqlite, mongodb, mongo, redis, valkey, cassandra, dynamodb, elasticsearch, opensearch, clickhouse, snowflake, bigquery, databricks, redshift,
    duckdb, kafka, rabbitmq, pulsar, airflow, dagster, prefect, dbt, spark, flink, iceberg, grafana, prometheus, datadog, splunk, sentry,
    new relic, oracle, microservices, serverless, graphql, rest, grpc, scrum, kanban, agile, safe, waterfall, holacracy, okrs, dropbox,
    google drive, onedrive, icloud, nextcloud, box, bitwarden, 1password, lastpass, keepass, plex, jellyfin, kodi, home assistant, alexa, siri,
    google home, iphone, pixel, samsung, galaxy, tesla, standard time, summer time, daylight saving time, usb-c, thunderbolt, bluetooth, ipv6,
    valheim, skeleton, newton, norton, triton, photon, apple silicon, intel, amd, nvidia, arm, m1, team, plan, phase, stage, tier, premium,
""")
"""What people and firms move to and live in that is no place."""

OF_PRODUCTS = lines_of("""
    app, family plan, plan, subscription, subscriptions, subscriber, premium, streak, account, membership, member, members, trial, free trial,
    server, servers, feed, followers, playlist, playlists, channel, profile, newsletter, beta, waitlist, points, gold card, platform, website,
    ads, algorithm, posts, login, username, update, class, classes, bike, workout, workouts, lessons, level, coach me, users, moderator,
""")
"""Words beside what somebody has joined or left as a customer."""

SURELY_OF_WORK = lines_of("""
    same work, same job, probation, payroll, commute, internship, apprenticeship, new colleagues, new coworkers, new boss, new team, new desk,
""")
OF_WORK = lines_of("""
    team, job, role, position, internship, office, boss, salary, shift, shifts, department, contract, probation, onboarding, full time,
    full-time, part time, part-time, commute, colleagues, coworkers, co-workers, hr, payroll, apprenticeship, career, after university,
    after uni, after college, after graduation, after graduating,
""")
"""Words beside what somebody has joined that make it an employer; the first also where many are customers."""

MEMBERS = lines_of("""
    member, subscriber, user, customer, patron, supporter, fan, follower, moderator, mod, tester, beta tester, volunteer, guest, student,
    listener, viewer, backer, reader, player, premium member, paying customer, free user, new user, new member, gold member,
""")
"""What somebody may be with a service and not with an employer."""
