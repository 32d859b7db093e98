"""Measured vectors against the rules, scored."""
