"""The vocabulary that recording, traces and replay share: resources, states, commands, the order of events.

Read next: ``resources.py``, ``state.py``, ``commands.py``, ``recording.py``.
"""
