"""The commands: thin, and quick to start."""
