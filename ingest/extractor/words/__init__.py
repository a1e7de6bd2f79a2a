"""Words that the rules know, as plain lists: kin, pets, conditions, roles, names, places."""
