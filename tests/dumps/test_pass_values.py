"""Values of the lines of a pass log: words that are known, wherever they stand, and NVN's names of NVN's numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.dumps.line_kinds import LineKind
from refnvn.dumps.pass_log import read_pass_log
from refnvn.dumps.pass_values import PATTERNS, values_of

KEY = "00ff11ee22dd33cc"


@pytest.mark.parametrize(
    ("line", "kind", "values"),
    [
        ("Z 12 barrier bits 0x1 (render pass open)", LineKind.BARRIER,
         {"bits": {"value": 1, "names": ["ORDER_PRIMITIVES"]}, "pass_is_open": True}),
        ("Z 12 bits=0x12", LineKind.BARRIER,
         {"bits": {"value": 18, "names": ["ORDER_FRAGMENTS", "INVALIDATE_TEXTURE"]}}),
        ("Z 3 draw skipped: no program bound", LineKind.DROPPED_DRAW, {"reason": "no program bound"}),
        ("Y tf begin 0x40 written 0/0/12/0", LineKind.FEEDBACK, {"call": "begin", "written_B": [0, 0, 12, 0]}),
        ("V 7 c2 view format RGBA8_SRGB", LineKind.VIEW_FORMAT, {"pass": 7, "slot": 2, "format": "RGBA8_SRGB"}),
        ("L 3 layered pass: 6 layers", LineKind.LAYERED, {"layers": 6}),
        ("M 3 goes on in layer 4", LineKind.CONTINUED, {"layer": 4}),
        ("H 3 dispatch 1 moved ahead of the pass", LineKind.HOISTED_DISPATCH, {"moved_ahead": True}),
        ("C 3 cleared in a pass of its own (1600x900 6 layers)", LineKind.OWN_CLEAR,
         {"size_px": [1600, 900], "layers": 6}),
        ("E 4 conditional render values 1 / 0 → not drawn", LineKind.CONDITION, {"values": [1, 0], "drawn": False}),
        ("E 4 conditional render -> drawn", LineKind.CONDITION, {"drawn": True}),
        ("c 4 skipped by conditional rendering", LineKind.CLEAR, {"skipped_by_condition": True}),
        ("c slot=1 serial=30 mask=0xf scissor=0,0,4,4 depth 0.5 stencil 12", LineKind.CLEAR,
         {"slot": 1, "serial": 30, "mask": 15, "scissor": "0,0,4,4", "depth": "0.5", "stencil": 12}),
        ("c depth-stencil clear recorded ser=30", LineKind.CLEAR, {"serial": 30, "depth_stencil": True}),
        ("Q report type=16", LineKind.REPORT, {"type": {"value": 16, "name": "TIMESTAMP_TOP"}}),
        ("Q report type=99", LineKind.REPORT, {"type": {"value": 99, "name": None}}),
        (f"K 3 vs={KEY} fs=-", LineKind.KEYS, {"vs_key": KEY, "fs_key": None}),
        ("D 3 lo=7 dr=0..1 dc=1 po=1/2,0,0 b0=add b3=off discard=1", LineKind.DRAW_STATE,
         {"polygon_offset": "1/2,0,0", "depth_clamp": True, "depth_range": "0..1",
          "logic_op": {"value": 7, "name": "OR"}, "blend_0": "add", "blend_3": "off", "rasterizer_discard": True}),
        ("B 3 tex ser 30 mtl=0x1f rw format RGBA8 count 12 address 0x1f00", LineKind.BINDING,
         {"serial": 30, "metal_texture": "0x1f", "format": "RGBA8", "address": 0x1F00, "access": "rw",
          "elements": 12}),
        ("[zb] ser 17 96x48 format RGBA_ASTC_6x6 level 2: 3 of 40 not mapped", LineKind.ZERO_BLOCKS,
         {"serial": 17, "size_px": [96, 48], "format": "RGBA_ASTC_6x6", "level": 2, "zero_of": [3, 40],
          "mapped": False}),
        ("[mag] pass -1 phase 2", LineKind.MAGENTA, {"pass_from_shader": -1, "phase": 2}),
        ("[kd] attribute 3 format RG32F stream 1", LineKind.KEY_DATA,
         {"attribute": 3, "stream": 1, "format": "RG32F"}),
        ("TEXINFO 384x384 pool 0x5 offset 0x30000 flags 0x24 not packaged storage 0x40000, 12 bytes non-zero",
         LineKind.TEXTURE_INFO,
         {"size_px": [384, 384], "pool": "0x5", "offset_B": 0x30000,
          "flags": {"value": 36, "names": ["IMAGE", "SPARSE"]}, "packaged": False, "storage_B": 0x40000,
          "nonzero_B": 12}),
        ("[nvn] TEXINFO init ser=9 target=1 format=RGBA8 packaged", LineKind.TEXTURE_INITIALISED,
         {"serial": 9, "format": "RGBA8", "target": {"value": 1, "name": "TARGET_2D"}, "packaged": True}),
        ("TEXINFO register ser=9", LineKind.TEXTURE_REGISTERED, {"serial": 9}),
        ("[gpuprof] render 1600x900", LineKind.GPU_TIMES, {"size_px": [1600, 900]}),
        ("[nvn] [RED] shader is not in the shader map", LineKind.WARNING, {}),
        ("[ab] phase a", LineKind.ALTERNATION, {}),
        ("barrier bits 0x4", LineKind.BARRIER, {"bits": {"value": 4, "names": ["ORDER_FRAGMENTS_TILED"]}}),
        ("N 2", LineKind.SKIPPED, {}),
    ],
)  # fmt: skip
def test_words_give_values(line: str, kind: LineKind, values: dict[str, Any]) -> None:
    """As people have quoted them, or with other spacing."""
    (record,) = read_pass_log(line).lines
    assert record.kinds == (kind,)
    assert record.values == values


def test_a_line_of_several_meanings_gives_no_value() -> None:
    """Clear colours or a copy: nothing is guessed at."""
    assert read_pass_log("C 3 ser=4").lines[0].values == {}


@given(st.sampled_from(list(LineKind)), st.text(max_size=200))
def test_any_text_has_values_or_none(kind: LineKind, text: str) -> None:
    """Whatever stands there."""
    assert set(values_of(kind, text)) <= {name for name, _, _ in PATTERNS.get(kind, ())}
