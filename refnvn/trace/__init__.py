"""Recordings as files: a folder or a zip, typed and safe to read."""
