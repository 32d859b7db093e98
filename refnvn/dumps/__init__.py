"""Files that a host renderer dumps: what their names and bytes say, and what they leave open."""
