"""Goldens made up at random: choices of both scopes and reasons, meeting, moving padding and changing sizes."""

from __future__ import annotations

import numpy as np

from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, Result
from refnvn.golden.model import Golden
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import NVN, Scope, settings_of

FIELDS = ("auto_block_height", "sparse_padding", "store_norm", "store_float", "store_srgb", "storage_alignment")
DTYPES = ("uint8", "int32", "uint16", "int64", "float32", "float64", "uint64", "float16")


def alternatives(rng: np.random.Generator) -> tuple[list[Alternative], list[Alternative]]:
    """Return worlds and slack of about half of the fields."""
    worlds, slack = [], []
    for field in FIELDS:
        scope = Scope(int(rng.integers(4) == 0))
        for setting in settings_of(field):
            if setting != getattr(NVN, field) and rng.integers(3):
                (worlds, slack)[int(rng.integers(2))].append(Alternative(field, setting, "made up", scope))
    return worlds, slack


def random_array(rng: np.random.Generator, dtype: str, size: int) -> np.ndarray:
    """Return elements of any bits, many of them small."""
    bits = rng.integers(0, 1 << 63, size=size, dtype=np.uint64) * np.uint64(2) + rng.integers(
        0, 2, size=size, dtype=np.uint64
    )
    bits = np.where(rng.integers(0, 2, size) == 0, bits & np.uint64(3), bits)
    width = np.dtype(dtype).itemsize
    return bits.astype(f"<u{width}").view(np.dtype(dtype))


def one_result(rng: np.random.Generator, name: str, dtype: str):
    """Return a function from rules to a made-up result."""
    size = int(rng.integers(1, 13))
    base = random_array(rng, dtype, size)
    base_padding = rng.integers(0, 6, size) == 0
    touches = {f: (rng.integers(0, 4, size) == 0, random_array(rng, dtype, size)) for f in FIELDS}
    moves = {f: (rng.integers(0, 12, size) == 0) for f in FIELDS}
    resizes = {f: rng.integers(0, 10) == 0 for f in FIELDS}

    def make(rules) -> Result:
        array, padding = base.copy(), base_padding.copy()
        more = 0
        for field in FIELDS:
            setting = int(getattr(rules, field))
            if setting:
                where, values = touches[field]
                array[where] = np.roll(values, setting // 2)[where]
                padding ^= moves[field]
                more += 1 + setting // 2 if resizes[field] else 0
        array, padding = (np.resize(a, (size + more, 1)) for a in (array, padding))
        return Result(name=name, array=array, kind="table", columns=("value",), any_mask=padding)

    return make


def random_golden(seed: int) -> Golden:
    """Return the golden of a seed."""
    rng = np.random.default_rng(seed)
    makers = [one_result(rng, f"result_{i}", str(rng.choice(DTYPES))) for i in range(3)]
    worlds, slack = alternatives(rng)
    case = GoldenCase(
        name=f"made_up/random_{seed}", t_test="t_x", says="Random.", function=lambda rules: [m(rules) for m in makers]
    )
    return build(case, worlds=worlds, slack=slack)


def perturbed(rng: np.random.Generator, golden: Golden) -> list[bytes]:
    """Return for each result bytes that agree with a setting, or with several, or with none in a place."""
    leaning = int(rng.integers(0, 4))
    out = []
    for result in golden.results:
        frames = [result.base.array, *(v.array for v in result.variants)]
        lean_to = [o.array for o in result.alternatives[leaning : leaning + 1]]
        array = frames[0 if rng.integers(3) else int(rng.integers(len(frames)))].copy()
        if array.shape == result.base.array.shape and lean_to and rng.integers(2):
            array = lean_to[0].copy()
        content = array.reshape(-1)
        for _ in range(int(rng.integers(0, 4))):
            place = int(rng.integers(content.size))
            others = [o.array for o in result.alternatives if o.array.shape == array.shape]
            if others and rng.integers(3):
                content[place] = others[int(rng.integers(len(others)))].reshape(-1)[place]
            elif rng.integers(3) == 0:
                content[place : place + 1] = random_array(rng, content.dtype.name, 1)
        out.append(content.tobytes())
    return out
