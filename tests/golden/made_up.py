"""Made-up goldens that reach every way an element may be judged. The fields are real, what they do here is not."""

from __future__ import annotations

import numpy as np

from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, Image, Result, guest_bytes, image, table
from refnvn.golden.model import Golden
from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import (
    AutoBlockHeight,
    Rules,
    Scope,
    StorageAlignment,
    StoreFloat,
    StoreNorm,
    StoreSrgb,
)

WORLDS = (
    Alternative("auto_block_height", AutoBlockHeight.ROUND_UP, "nobody knows */ ??/"),
    Alternative("auto_block_height", AutoBlockHeight.ROWS_OVER_8, "a second way"),
    Alternative("storage_alignment", StorageAlignment.PAGE, "sizes may be rounded"),
)
SLACK = (
    Alternative("store_norm", StoreNorm.NEAREST_EVEN, "a port rounds to even"),
    Alternative("store_float", StoreFloat.NEAREST_EVEN, "a port may round each", Scope.TEXEL),
    Alternative("store_srgb", StoreSrgb.NEAREST, "nobody reads this field here"),
)


def codes(rules: Rules) -> Result:
    """Return 8 codes: 0-1 by store_norm, 2-3 by store_float, 4 by both, 5 by auto_block_height, 6 padding."""
    values = [10, 20, 30, 40, 50, 60, 70, 80]
    if rules.store_norm is StoreNorm.NEAREST_EVEN:
        values[0], values[1], values[4] = 11, 21, 51
    if rules.store_float is StoreFloat.NEAREST_EVEN:
        values[2], values[3], values[4] = 31, 41, 52
    values[5] += int(rules.auto_block_height)
    mask = np.zeros(8, dtype=bool)
    mask[6] = True
    return guest_bytes("codes", bytes(values), any_mask=mask)


def numbers(rules: Rules) -> Result:
    """Return a table of 3 x 2: [0][1] and [1][1] by auto_block_height, [2][1] by store_norm."""
    height = int(rules.auto_block_height)
    rows = [(1, 100 + height), (2, -(2**31) + height), (3, 300 + int(rules.store_norm))]
    return table("numbers", ("index", "height_gob"), rows, row_labels=("one", "two /*", "three"), dtype="int32")


def pool(rules: Rules) -> Result:
    """Return bytes whose number is 4, or 6 by storage_alignment; padding moves by auto_block_height."""
    aligned = rules.storage_alignment is StorageAlignment.PAGE
    content = [1, 2, 3, 4, 5, 6][: 6 if aligned else 4]
    mask = np.zeros(len(content), dtype=bool)
    mask[3] = rules.auto_block_height is not AutoBlockHeight.ROUND_UP
    if aligned:
        mask[5] = True
    return guest_bytes("pool", bytes(content), any_mask=mask)


def floats(rules: Rules) -> Result:
    """Return floats: a signed zero, a NaN, and one that store_float changes."""
    last = 2.5 if rules.store_float is StoreFloat.NEAREST_EVEN else 1.5
    array = np.array([[-0.0, np.nan, last]], dtype=np.float32)
    return Result(name="floats", array=array, kind="image", image=Image(format="RGB32F", width_px=1, height_px=1))


def picture(rules: Rules) -> Result:
    """Return an RGBA8 image of 3 x 2 texels; the red of the last is by store_norm."""
    array = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    array[1, 2, 0] += int(rules.store_norm)
    return image("picture", array, Image(format="RGBA8", width_px=3, height_px=2, row_order="top_down"))


def everything(rules: Rules) -> list[Result]:
    """Return all of the results above."""
    return [codes(rules), numbers(rules), pool(rules), floats(rules), picture(rules)]


CASE = GoldenCase(
    name="made_up/everything",
    t_test="t_made_up",
    says='Every way to be judged */ "quoted" ??/',
    ledger=("L-1",),
    function=everything,
)


def made_up_golden() -> Golden:
    """Return the golden of :data:`CASE` with the choices above."""
    return build(CASE, worlds=WORLDS, slack=SLACK)
