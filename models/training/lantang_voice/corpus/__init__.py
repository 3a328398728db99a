"""The texts that the teacher reads: English out of WordNet and templates, Indonesian out of templates."""
