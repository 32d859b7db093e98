"""Is a number of a recording one that NVN's calls take? Read next: ``check_commands.py``."""

from __future__ import annotations

import struct

from refnvn.errors import FieldRangeError


def check_float32(value: float) -> None:
    """Raise unless a number is a finite float32.

    Raises
    ------
    FieldRangeError
        For anything that float32 does not hold exactly.
    """
    try:
        exact = struct.unpack("<f", struct.pack("<f", value))[0] == value
    except OverflowError:
        exact = False
    if not exact or value in (float("inf"), float("-inf")):
        raise FieldRangeError(f"{value!r} is not a finite float32")
