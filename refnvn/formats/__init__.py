"""What stored bits mean: the 157 NVN formats, and how values become codes and codes become values.

Read next: ``table.py`` (the formats), ``norm.py`` (the shortest rule), ``codec.py`` (all of them together).
"""
