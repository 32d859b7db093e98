"""Scenes to bundles: build, check, accept, export."""
