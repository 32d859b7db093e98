"""Which key does a dumped shader have?

The key is the first sixteen hexadecimal digits of the SHA-256 of the control section's bytes 0 to 0x87f and the code.
Nothing says whether control and code are one file or two, nor how long a control section is in one file; there every
multiple of 16 up to 0x4000 is tried against the key that the file is named by.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from refnvn.errors import SizeError

KEYED_CONTROL_B = 0x880
MOST_CONTROL_B = 0x4000
CODE_ALIGNMENT_B = 16
MOST_SHADER_B = 1 << 22
KEY_DIGITS = 16


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """What was found: the key, and where the code begins in a file that holds both."""

    key: str
    code_at_B: int


def shader_key(control: bytes, code: bytes) -> str:
    """Return the key of a program's stage.

    Parameters
    ----------
    control : bytes
        The control section; only its first 0x880 bytes count.
    code : bytes

    Raises
    ------
    SizeError
        The control section is shorter than what is hashed.

    Examples
    --------
    >>> shader_key(bytes(0x880), b"code")
    '923a74971a51b478'
    """
    if len(control) < KEYED_CONTROL_B:
        raise SizeError(f"a control section of {len(control)} bytes; allowed: {KEYED_CONTROL_B} or more")
    return hashlib.sha256(control[:KEYED_CONTROL_B] + code).hexdigest()[:KEY_DIGITS]


def key_in(name: str) -> str | None:
    """Return the key in the name of a file, in small letters; None where there is none.

    >>> key_in("missing_00FF00FF00FF00FF.bin")
    '00ff00ff00ff00ff'
    """
    match = re.search(rf"(?<![0-9A-Fa-f])[0-9A-Fa-f]{{{KEY_DIGITS}}}(?![0-9A-Fa-f])", name)
    return match[0].lower() if match else None


def split_by_key(both: bytes, key: str) -> KeyCheck | None:
    """Return where the code begins in a file of control and code that has this key; None where it nowhere does.

    Raises
    ------
    SizeError
        The file is shorter than a control section, or longer than any shader.
    """
    if not KEYED_CONTROL_B <= len(both) <= MOST_SHADER_B:
        raise SizeError(f"a shader of {len(both)} bytes; allowed: {KEYED_CONTROL_B} to {MOST_SHADER_B}")
    begun = hashlib.sha256(both[:KEYED_CONTROL_B])
    for code_at_B in range(KEYED_CONTROL_B, min(len(both), MOST_CONTROL_B) + 1, CODE_ALIGNMENT_B):
        tried = begun.copy()
        tried.update(both[code_at_B:])
        if tried.hexdigest()[:KEY_DIGITS] == key.lower():
            return KeyCheck(key.lower(), code_at_B)
    return None
