"""What every event of a timeline is. Read next: ``recording.py``."""

from __future__ import annotations

from refnvn.commands.resources import Record


class Event(Record, frozen=True, kw_only=True, tag_field="event", tag=True):
    """Base of what happens in the timeline; the JSON field ``event`` holds the class name."""
