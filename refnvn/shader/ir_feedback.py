"""Which outputs of a shader are captured by transform feedback, and where in which buffer? Part of a shader's form.

Read next: ``feedback.py``.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from refnvn.shader.ir_base import Place, Record

BUFFERS = 4
WORD_B = 4


class Capture(Record, frozen=True, kw_only=True):
    """``components`` words of an output, from ``component`` on, at ``offset_B`` of each vertex in a buffer."""

    location: Annotated[int, Meta(ge=-9, le=31)]
    component: Place = 0
    components: Annotated[int, Meta(ge=1, le=4)] = 4
    buffer: Annotated[int, Meta(ge=0, lt=BUFFERS)] = 0
    offset_B: Annotated[int, Meta(ge=0, lt=1 << 16, multiple_of=WORD_B)] = 0


class Feedback(Record, frozen=True, kw_only=True):
    """What is captured.

    Attributes
    ----------
    strides_B : tuple of int
        Bytes from vertex to vertex in each buffer, 0 for one that takes nothing.
    captures : tuple of Capture
        At least one; bytes between them keep what they hold.
    """

    strides_B: Annotated[
        tuple[Annotated[int, Meta(ge=0, lt=1 << 16, multiple_of=WORD_B)], ...], Meta(min_length=1, max_length=BUFFERS)
    ]
    captures: Annotated[tuple[Capture, ...], Meta(min_length=1, max_length=128)]
