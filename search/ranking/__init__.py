"""From candidates to hits: fusion, decay, near-duplicates, diversity, reranking, explanation."""
