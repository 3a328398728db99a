"""The pupil: a network of 4.4 million parameters that drives a source-filter synthesiser."""
