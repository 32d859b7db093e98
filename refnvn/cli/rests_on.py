"""What an answer about a layout rests on: the rules that place its texels, and the weakest evidence among them."""

from __future__ import annotations

from collections.abc import Iterable

from refnvn.layout.address import Texel, texel_offset_B
from refnvn.layout.texture import TextureLayout
from refnvn.rules.evidence import Evidence
from refnvn.rules.registry import Rule, collect, rules_named

_OF_LAYERS = ("layers", "layer_stride_B")


def height_and_depth_rules(layout: TextureLayout) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the rules that set block height and depth.

    One rule says both for a 3D texture of automatic blocks: a height without a rule of its own has the depth's.
    """
    height = layout.rules.get("block_height_gob", ())
    depth = layout.rules.get("block_depth_gob", ())
    return (height or depth if layout.description.is_3d else height), depth


def placing_rules(layout: TextureLayout) -> list[Rule]:
    """Return the rules that decide where texels lie; those of layers only if there are several."""
    ids = {one for name, found in layout.rules.items() if name not in _OF_LAYERS for one in found}
    if layout.layers > 1:
        ids.update(one for name in _OF_LAYERS for one in layout.rules.get(name, ()))
    with collect() as used:
        if layout.layers:
            texel_offset_B(layout, Texel(level=0, layer=0, x_el=0, y_el=0, z=0))
    return rules_named(ids | used)


def weakest_of(rules: Iterable[Rule]) -> Rule | None:
    """Return the rule of the weakest evidence, the first by id where several are; None of none."""
    return max(sorted(rules, key=lambda rule: rule.id), key=lambda rule: rule.evidence, default=None)


def evidence_line(rules: Iterable[Rule]) -> str:
    """Return the weakest evidence and a rule that has it, in words."""
    weakest = weakest_of(rules)
    return "evidence: none is needed" if weakest is None else f"evidence: {weakest.evidence.title} ({weakest.id})"


def evidence_json(rules: Iterable[Rule]) -> dict[str, object]:
    """Return the rules with their evidence and the weakest rank, for JSON."""
    listed = list(rules)
    weakest = weakest_of(listed)
    return {
        "evidence": {rule.id: rule.evidence.name for rule in listed},
        "weakest_evidence": weakest.evidence.name if weakest else None,
    }


def rank_of(rules: Iterable[Rule]) -> Evidence | None:
    """Return the weakest rank."""
    weakest = weakest_of(rules)
    return weakest.evidence if weakest else None
