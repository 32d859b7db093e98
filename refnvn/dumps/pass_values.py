"""Which values does a line of a pass log give, by the words that are known of its kind?

Known are words that people have quoted from such logs, and what the switches' table says of each kind: ``barrier bits
0x1 (render pass open)``, ``tf begin ... written 0/0/0/0``, ``layered pass: 6 layers``, ``lo=7``. Each pattern looks
for its own words only, wherever they stand, so that a line whose grammar is otherwise gives what it can. Numbers are
decimal, or hexadecimal with 0x before them; a number of NVN's gets NVN's name.

What it does not do: it gives no value for words that nobody described; ``pass_log.py`` keeps them. Read next: that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Any, Final

from refnvn.dumps.line_kinds import LineKind
from refnvn.enumerations import BarrierBits, CounterType, LogicOp
from refnvn.layout.description import TextureFlags, TextureTarget

Value = int | str | bool | list[Any] | dict[str, Any]
Pattern = tuple[str, str, Callable[["re.Match[str]"], Value | None]]
_NUMBER = r"(0[xX][0-9A-Fa-f]+|\d+)(?![0-9A-Za-z.])"


def number(text: str) -> int:
    """Return a number: hexadecimal with 0x before it, else decimal.

    >>> number("0x1f"), number("012")
    (31, 12)
    """
    return int(text, 16) if text[:2].lower() == "0x" else int(text)


def _one(match: re.Match[str]) -> int:
    return number(match[1])


def _text(match: re.Match[str]) -> str:
    return match[1].strip()


def _numbers(match: re.Match[str]) -> list[Any]:
    return [number(one) for one in re.split(r"[/x,]", match[1])]


def _there(_: re.Match[str]) -> bool:
    return True


def _named(kind: type[IntEnum]) -> Callable[[re.Match[str]], Value]:
    def read(match: re.Match[str]) -> Value:
        value = number(match[1])
        name = next((one.name for one in kind if one == value), None)
        return {"value": value, "name": name}

    return read


def _flags(kind: type[IntFlag]) -> Callable[[re.Match[str]], Value]:
    def read(match: re.Match[str]) -> Value:
        value = number(match[1])
        names = [one.name for one in kind if one and value & one == one]
        return {"value": value, "names": names}

    return read


def _after(words: str) -> str:
    """Return a pattern of a number after words: ``words 3``, ``words=3``, ``words: 3``."""
    return rf"(?<![0-9A-Za-z_-]){words}\s*[=:]?\s*{_NUMBER}"


_SERIAL: Final[Pattern] = ("serial", _after(r"ser(?:ial)?"), _one)
_METAL: Final[Pattern] = ("metal_texture", r"(?<!\S)mtl=(\S+)", _text)
_SIZE: Final[Pattern] = ("size_px", r"(?<![0-9A-Za-z])([1-9]\d*x[1-9]\d*(?:x[1-9]\d*)?)(?![0-9A-Za-z])", _numbers)
_SLOT: Final[Pattern] = ("slot", r"(?<!\S)(?:c|slot[ =:]?)(\d)(?![0-9A-Za-z])", _one)
_FORMAT: Final[Pattern] = ("format", r"(?<![A-Za-z])(?:format|fmt)\s*[=:]?\s*([A-Za-z0-9_]+)", _text)
_LAYERS: Final[Pattern] = ("layers", rf"{_NUMBER}\s+layers?(?![A-Za-z])", _one)
_ADDRESS: Final[Pattern] = ("address", _after(r"addr(?:ess)?"), _one)
_KEYS: Final[tuple[Pattern, ...]] = tuple(
    (f"{stage}_key", rf"(?<!\S){stage}=([0-9A-Fa-f]{{16}}|-)(?![0-9A-Za-z])", lambda m: None if m[1] == "-" else m[1])
    for stage in ("vs", "fs", "gs", "cs", "tcs", "tes")
)
_DISCARD: Final[Pattern] = ("rasterizer_discard", r"(?<!\S)discard=([01])(?!\S)", lambda m: m[1] == "1")
_ACCESS: Final[Pattern] = ("access", r"(?<!\S)(ro|rw)(?!\S)", _text)
_LOGIC: Final[Pattern] = ("logic_op", r"(?<!\S)lo=(\d+)(?!\S)", _named(LogicOp))
_STRIDES: Final[tuple[Pattern, ...]] = (
    ("row_stride_B", _after(r"row\s*(?:stride|pitch)"), _one),
    ("image_stride_B", _after(r"image\s*(?:stride|pitch)"), _one),
)

PATTERNS: Final[dict[LineKind, tuple[Pattern, ...]]] = {
    LineKind.ATTACHMENTS: (_SERIAL, _METAL, _SIZE, _FORMAT),
    LineKind.CLEAR_COLOURS: (_SLOT,),
    LineKind.BUFFER_COPY: (_SERIAL, _SIZE, _FORMAT, _ADDRESS, *_STRIDES),
    LineKind.OWN_CLEAR: (_SERIAL, _SLOT, _SIZE, _LAYERS),
    LineKind.KEYS: _KEYS,
    LineKind.BINDING: (
        _SERIAL, _METAL, _FORMAT, _ADDRESS, _ACCESS, _SIZE,
        ("elements", _after(r"(?:count|elements)"), _one),
    ),
    LineKind.DRAW_STATE: (
        *_KEYS,
        ("polygon_offset", r"(?<!\S)po=(\S+)", _text),
        ("depth_clamp", r"(?<!\S)dc=(\d+)(?!\S)", lambda m: m[1] != "0"),
        ("depth_range", r"(?<!\S)dr=(\S+)", _text),
        _LOGIC,
        *((f"blend_{target}", rf"(?<!\S)b{target}=(\S+)", _text) for target in range(4)),
        _DISCARD,
    ),
    LineKind.FEEDBACK: (
        ("call", r"(?<![A-Za-z])tf\s+(begin|end|pause|resume)", _text),
        ("written_B", r"written\s+(\d+(?:/\d+)+)", _numbers),
    ),
    LineKind.INLINE_UPDATE: (_ADDRESS, ("size_B", rf"{_NUMBER}\s+bytes", _one)),
    LineKind.TEXTURE_CLEAR: (_SERIAL, _SIZE, ("mask", _after("mask"), _one)),
    LineKind.TEXTURE_COPY: (_SERIAL, _SIZE, _FORMAT),
    LineKind.BARRIER: (
        ("bits", _after("bits"), _flags(BarrierBits)),
        ("pass_is_open", r"render pass open", _there),
    ),
    LineKind.DROPPED_DRAW: (("reason", r"draw skipped:\s*(.+)", _text),),
    LineKind.VIEW_FORMAT: (
        ("pass", r"^\s*(\d+)(?!\S)", _one), _SLOT,
        ("format", r"view format\s*[=:]?\s*(\S+)", _text),
    ),
    LineKind.LAYERED: (_LAYERS,),
    LineKind.CONTINUED: (("layer", r"in layer\s+(\d+)", _one),),
    LineKind.HOISTED_DISPATCH: (("moved_ahead", r"moved ahead of the pass", _there),),
    LineKind.CONDITION: (
        ("values", r"values\s+(\d+\s*/\s*\d+)", lambda m: [int(one) for one in m[1].split("/")]),
        ("drawn", r"(?:→|->)\s*((?:not )?drawn)", lambda m: m[1] == "drawn"),
    ),
    LineKind.REPORT: (("type", r"(?<!\S)type=(\d+)(?!\S)", _named(CounterType)),),
    LineKind.CLEAR: (
        _SLOT, _SERIAL,
        ("slot", _after("slot"), _one),
        ("mask", _after("mask"), _one),
        ("scissor", r"(?<![A-Za-z])scissor\s*[=:]?\s*(\S+)", _text),
        ("depth", r"(?<![A-Za-z-])depth\s*[=:]?\s*(\d+(?:\.\d+)?)", _text),
        ("stencil", _after("stencil"), _one),
        ("skipped_by_condition", r"skipped by conditional rendering", _there),
        ("depth_stencil", r"depth-stencil clear", _there),
    ),
    LineKind.ZERO_BLOCKS: (
        _SERIAL, _SIZE, _FORMAT,
        ("level", _after("level"), _one),
        ("zero_of", r"(\d+)\s*(?:of|/)\s*\d+", lambda m: [int(one) for one in re.findall(r"\d+", m[0])]),
        ("mapped", r"(?<![A-Za-z])((?:not |un)?mapped)", lambda m: m[1] == "mapped"),
    ),
    LineKind.KEY_DATA: (("attribute", _after("attribute"), _one), ("stream", _after("stream"), _one), _FORMAT),
    LineKind.MAGENTA: (("pass_from_shader", r"pass\s*[=:]?\s*([+-]?\d+)", lambda m: int(m[1])),
                       ("phase", _after("phase"), _one)),
    LineKind.TEXTURE_INFO: (
        _SERIAL, _SIZE, _FORMAT,
        ("pool", r"(?<![A-Za-z])pool\s*[=:]?\s*(\S+)", _text),
        ("offset_B", _after("offset"), _one),
        ("flags", _after("flags"), _flags(TextureFlags)),
        ("target", _after("target"), _named(TextureTarget)),
        ("packaged", r"(?<![A-Za-z])((?:not )?packaged)(?![A-Za-z])", lambda m: m[1] == "packaged"),
        ("storage_B", _after(r"storage(?:\s*size)?"), _one),
        ("nonzero_B", rf"(?:{_NUMBER}\s*(?:bytes\s*)?non-?zero|non-?zero\s*(?:bytes\s*)?[=:]?\s*{_NUMBER})",
         lambda m: number(m[1] or m[2])),
    ),
    LineKind.GPU_TIMES: (_SIZE,),
}  # fmt: skip
PATTERNS[LineKind.DRAW] = (*_KEYS, _DISCARD)
PATTERNS[LineKind.TEXTURE_REGISTERED] = PATTERNS[LineKind.TEXTURE_INITIALISED] = PATTERNS[LineKind.TEXTURE_INFO]


def values_of(kind: LineKind, text: str) -> dict[str, Value | None]:
    """Return the values that a line of a kind gives, by name; the first that stands there of each.

    Examples
    --------
    >>> values_of(LineKind.BARRIER, "12 barrier bits 0x1 (render pass open)")
    {'bits': {'value': 1, 'names': ['ORDER_PRIMITIVES']}, 'pass_is_open': True}
    """
    found: dict[str, Value | None] = {}
    for name, pattern, read in PATTERNS.get(kind, ()):
        match = re.search(pattern, text)
        if match is not None and name not in found:
            found[name] = read(match)
    return found
