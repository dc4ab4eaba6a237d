"""The knowledge graph of a corpus: what its paragraphs state as triplets, and the entities that these share."""
