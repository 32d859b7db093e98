"""Two results: same, permitted or wrong, and where."""
