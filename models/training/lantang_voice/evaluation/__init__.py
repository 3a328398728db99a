"""Figures that a voice is judged by."""
