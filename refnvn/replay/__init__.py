"""Replay: every command of a recording, executed in order on guest memory."""
