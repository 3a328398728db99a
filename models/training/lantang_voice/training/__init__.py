"""Teaching the pupil."""
