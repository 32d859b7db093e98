"""Which kinds of lines does a host's log of passes and textures have, and by what are they known?

Read next: ``pass_log.py``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class LineKind(StrEnum):
    """What a line tells of."""

    ATTACHMENTS = "attachments of a pass"
    CLEAR_COLOURS = "clear colours of a pass"
    BUFFER_COPY = "copy of a buffer into a texture"
    OWN_CLEAR = "clear in a pass of its own"
    KEYS = "shader keys"
    BINDING = "binding"
    DRAW_STATE = "draw state"
    INLINE_UPDATE = "inline update"
    FEEDBACK = "transform feedback"
    TEXTURE_CLEAR = "texture clear"
    TEXTURE_COPY = "texture copy"
    FEEDBACK_CAPTURE = "transform feedback capture"
    BARRIER = "barrier"
    DROPPED_DRAW = "draw that was dropped"
    SKIPPED = "pass that was skipped"
    INNER_FEEDBACK = "note of feedback within a pass"
    COMPUTE_IMAGES = "images of a dispatch"
    VIEW_FORMAT = "view format"
    LAYERED = "layered pass"
    MERGED_SLICES = "pass of merged slices"
    CONTINUED = "pass that goes on"
    HOISTED_DISPATCH = "dispatch moved ahead of a pass"
    CONDITION = "condition"
    REPORT = "report"
    PIPELINE = "pipeline formats"
    CLEAR = "recorded clear"
    DRAW = "draw"
    ZERO_BLOCKS = "empty blocks of a texture"
    KEY_DATA = "inputs of a shader's draw"
    MAGENTA = "blocks of magenta"
    TEXTURE_INFO = "storage of a texture"
    TEXTURE_REGISTERED = "registration of a texture"
    TEXTURE_INITIALISED = "initialisation of a texture"
    GPU_TIMES = "GPU times"
    ALTERNATION = "phase of alternating switches"
    WARNING = "warning of the host"
    UNKNOWN = "not known"


OF_LETTER: Final[dict[str, tuple[LineKind, ...]]] = {
    "P": (LineKind.ATTACHMENTS,),
    "C": (LineKind.CLEAR_COLOURS, LineKind.BUFFER_COPY, LineKind.OWN_CLEAR),
    "K": (LineKind.KEYS,),
    "B": (LineKind.BINDING,),
    "d": (LineKind.DRAW_STATE,),
    "D": (LineKind.DRAW_STATE,),
    "Y": (LineKind.INLINE_UPDATE, LineKind.FEEDBACK),
    "X": (LineKind.TEXTURE_CLEAR,),
    "T": (LineKind.TEXTURE_COPY, LineKind.FEEDBACK_CAPTURE),
    "Z": (LineKind.BARRIER, LineKind.DROPPED_DRAW),
    "N": (LineKind.SKIPPED, LineKind.INNER_FEEDBACK),
    "W": (LineKind.COMPUTE_IMAGES,),
    "V": (LineKind.VIEW_FORMAT,),
    "L": (LineKind.LAYERED, LineKind.MERGED_SLICES),
    "M": (LineKind.CONTINUED,),
    "H": (LineKind.HOISTED_DISPATCH,),
    "E": (LineKind.CONDITION,),
    "Q": (LineKind.REPORT,),
    "J": (LineKind.PIPELINE,),
    "c": (LineKind.CLEAR,),
    "j": (LineKind.DRAW,),
}
"""By letter: what a line may be. R lines occur and were never described."""

OF_TAG: Final = {
    "zb": LineKind.ZERO_BLOCKS,
    "kd": LineKind.KEY_DATA,
    "mag": LineKind.MAGENTA,
    "gpuprof": LineKind.GPU_TIMES,
    "ab": LineKind.ALTERNATION,
    "RED": LineKind.WARNING,
}

OF_WORDS: Final = (
    ("TEXINFO register", LineKind.TEXTURE_REGISTERED),
    ("TEXINFO init", LineKind.TEXTURE_INITIALISED),
    ("TEXINFO", LineKind.TEXTURE_INFO),
    ("barrier bits", LineKind.BARRIER),
    ("conditional render", LineKind.CONDITION),
    ("depth-stencil clear recorded", LineKind.CLEAR),
    ("draw skipped", LineKind.DROPPED_DRAW),
    ("same-pass feedback", LineKind.INNER_FEEDBACK),
)
"""Words that a line without a letter begins with, perhaps behind tags; the first that fit."""

MARKS: Final[tuple[tuple[LineKind, str], ...]] = (
    (LineKind.OWN_CLEAR, r"cleared in a pass of its own"),
    (LineKind.FEEDBACK, r"(?:^|\s)tf\s"),
    (LineKind.FEEDBACK_CAPTURE, r"tf capture"),
    (LineKind.DROPPED_DRAW, r"draw skipped"),
    (LineKind.INNER_FEEDBACK, r"same-pass feedback"),
    (LineKind.LAYERED, r"layered pass"),
    (LineKind.MERGED_SLICES, r"slice-merged"),
)
"""Words that only a line of one kind has: with them it is that, without them it is not."""
