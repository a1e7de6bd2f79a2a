"""Folders of notes as four programs keep them: Obsidian, Logseq, Hugo, and a Zettelkasten."""

OBSIDIAN = {
    "Home.md": "# Home\nStart at [[Sourdough]], or see [[Stone oven|the big fire]].\n[[Nowhere]]\n",
    "Kitchen/Sourdough.md": (
        "---\naliases:\n  - levain\n  - wild yeast\ntags: [bread, project/kitchen]\n"
        "date: 2024-05-06\n---\nFeed the starter daily. Bake it in the [[Kitchen/Stone oven]].\n"
    ),
    "Kitchen/Stone oven.md": "---\ntitle: The hearth\n---\nFirebricks keep the heat. #heat\n",
    "Daily/2026-03-04.md": "Walked to the mill and bought rye. #errand\n",
    "Daily/2026-02-31.md": "A day that never was.\n",
    "Templates/broken.md": "---\ntitle: [unclosed\n---\nA template with placeholders.\n",
}
LOGSEQ = {
    "pages/kitchen___oven.md": "alias:: furnace\ntags:: heat, stone\n\n- Built of brick.\n",
    "pages/Garden.md": "title:: The garden\n\n- Beans beside the [[kitchen/oven]] #vegetables\n",
    "journals/2026_03_04.md": "- Sowed beans in the [[Garden]]. #[[spring work]]\n",
}
HUGO = {
    "content/posts/hello/index.md": (
        '+++\ntitle = "Hello, world"\ndate = 2023-01-02T03:04:05Z\ntags = ["announcement"]\n+++\n'
        'A first post. Read [the second]({{< ref "posts/second.md" >}}) or [about](/about/).\n'
    ),
    "content/posts/second.md": (
        "---\ntitle: The second\ndate: 2023-02-03\ntags: announcement, travel\n---\nBy train.\n"
    ),
    "content/about.md": "---\ntitle: About\n---\nBack to [the start](posts/hello/index.md).\n",
}
ZETTELKASTEN = {
    "202401021530 Spaced repetition.md": "Reviews grow apart. See [[202401031200]]. #memory\n",
    "202401031200 Forgetting curve.md": (
        "Retention falls with time.\n[[202401021530|the remedy for forgetting]]\n"
    ),
    "202401041000.md": "Points at [words](202401021530%20Spaced%20repetition.md).\n",
}
