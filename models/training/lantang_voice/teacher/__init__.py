"""The teacher: Kokoro-82M by hexgrad (Apache License 2.0) reading the corpus."""
