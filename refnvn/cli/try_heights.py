"""``refnvn detile --try-heights``: level 0 of a dump at every block height, judged by its size and by eye.

Each explicit height is laid out as ``detile --block-height`` would, so what is shown is what that then writes: a
height that level 0 does not need shrinks there (``Rules.explicit_block``, an open question).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from refnvn.cli.describe_layout import why_block_height
from refnvn.cli.output import answering, exit_code_for, print_json, print_table
from refnvn.cli.picture import clear_remark, contact_sheet, level_picture, seam_ratio, without_alpha
from refnvn.cli.rests_on import evidence_json, evidence_line, placing_rules, rank_of
from refnvn.cli.texture_options import Texture
from refnvn.containers.png import write_png
from refnvn.errors import ArgumentError, InputFileError
from refnvn.formats.picture_sheet import Picture
from refnvn.layout.address import layer_offset_B
from refnvn.layout.description import PackagedLayout
from refnvn.layout.search import BLOCK_HEIGHTS_GOB
from refnvn.layout.texture import TextureLayout, texture_layout
from refnvn.layout.tiling import Bytes, untile
from refnvn.rules.fields import NVN
from refnvn.rules.registry import Rule


@dataclass(frozen=True, slots=True)
class Tried:
    """One block height: what it makes of the texture, and how the dump fits."""

    height_gob: int
    layout: TextureLayout
    by_rule: bool
    given: bool
    over_B: int
    shown: bool

    @property
    def level_0_gob(self) -> int:
        """The height that level 0 really takes."""
        blocks = self.layout.levels[0].blocks
        assert blocks is not None
        return blocks.block_height_gob

    @property
    def fits(self) -> bool:
        """Whether the dump has exactly the bytes of the layout, or of its storage."""
        return self.over_B == 0

    @property
    def words(self) -> str:
        """How the dump fits."""
        if self.fits:
            return "fits"
        if self.over_B > 0:
            return f"{self.over_B} bytes too many"
        lacks = f"{-self.over_B} bytes too few"
        return lacks if self.shown else f"{lacks}, even for level 0: not shown"


@dataclass(frozen=True, slots=True)
class Question:
    """A texture, the dump that may hold it, the layer to look at, and the block height that the user gave."""

    texture: Texture
    data: Bytes
    layer: int
    given_gob: int | None

    def by_rule(self) -> TextureLayout:
        """Return the layout that the texture has without any given block."""
        return texture_layout(dataclasses.replace(self.texture.description, packaged=None))

    def tried(self) -> list[Tried]:
        """Return every block height with how the dump fits it, the automatic and the given one marked.

        Raises
        ------
        ArgumentError, SizeError
            For a linear texture, or a layer that is not there.
        """
        by_rule = self.by_rule()
        if by_rule.levels[0].blocks is None:
            raise ArgumentError("--try-heights: a linear texture has no blocks")
        layer_offset_B(by_rule, self.layer)  # refuses a layer that is not there
        packaged = self.texture.description.packaged
        depth_gob = packaged.block_depth_gob if packaged else by_rule.block_depth_gob
        return [self._tried(height_gob, depth_gob, by_rule.block_height_gob) for height_gob in BLOCK_HEIGHTS_GOB]

    def _tried(self, height_gob: int, depth_gob: int, by_rule_gob: int) -> Tried:
        packaged = PackagedLayout(height_gob, depth_gob)
        layout = texture_layout(dataclasses.replace(self.texture.description, packaged=packaged))
        size_B = int(self.data.size)
        return Tried(
            height_gob=height_gob,
            layout=layout,
            by_rule=height_gob == by_rule_gob,
            given=height_gob == self.given_gob,
            over_B=0 if size_B == layout.storage_size_B else size_B - layout.size_B,
            shown=self.layer * layout.layer_stride_B + layout.levels[0].size_B <= size_B,
        )


def write_heights(
    question: Question, path: Path, output: Path, *, opaque: bool, as_json: bool, strict_evidence: bool
) -> None:
    """Write the contact sheet, tell what fits, and exit.

    Raises
    ------
    ArgumentError
        Where the output is no PNG, or the texture has no blocks.
    InputFileError
        Where the dump does not hold level 0 at any height.
    """
    if output.suffix.lower() != ".png":
        raise ArgumentError(f"{output}: --try-heights writes a PNG")
    tried = question.tried()
    pictures = {one.level_0_gob: _picture(question, one) for one in tried if one.shown}
    if not pictures:
        least_B = min(question.layer * one.layout.layer_stride_B + one.layout.levels[0].size_B for one in tried)
        raise InputFileError(
            f"{path}: {question.data.size} bytes; level 0 takes {least_B} or more at any block height"
        )
    seams = {gob: round(seam_ratio(picture, question.texture.format), 2) for gob, picture in pictures.items()}
    shown = {gob: without_alpha(picture) if opaque else picture for gob, picture in pictures.items()}
    write_png(output, contact_sheet([(_label(gob, tried, seams), picture) for gob, picture in shown.items()]))
    rules = list({rule.id: rule for one in tried if one.shown for rule in placing_rules(one.layout)}.values())
    remark = "" if opaque else clear_remark(list(pictures.values()))
    with answering(exit_code_for(rank_of(rules), strict_evidence)):
        if as_json:
            print_json({"output": str(output), **_as_json(question, tried, seams, remark, rules)})
        else:
            click.echo(f"{output}: level 0 of {question.data.size} bytes at {len(pictures)} block heights")
            _print(question, tried, seams, remark, rules)


def _print(question: Question, tried: list[Tried], seams: dict[int, float], remark: str, rules: list[Rule]) -> None:
    click.echo(f"  by rule {why_block_height(question.by_rule())}")
    header = ("block height", "level 0", "bytes", "the file", "seams at GOB edges (1 = none)")
    print_table(header, [_row(one, seams) for one in tried], indent="  ")
    click.echo("  A height that level 0 does not need shrinks there, as with --block-height (LAYOUT-LEVEL-4).")
    click.echo("  A height that reads padding scores well too: look at the pictures.")
    for line in filter(None, (remark, evidence_line(rules))):
        click.echo(f"  {line}")


def _as_json(
    question: Question, tried: list[Tried], seams: dict[int, float], remark: str, rules: list[Rule]
) -> dict[str, Any]:
    return {
        "bytes": int(question.data.size),
        "by_rule_gob": question.by_rule().block_height_gob,
        "given_gob": question.given_gob,
        "explicit_block": NVN.explicit_block.name,
        "heights": [_row_json(one, seams) for one in tried],
        "remark": remark,
        **evidence_json(rules),
    }


def _picture(question: Question, one: Tried) -> Picture:
    rows = untile(one.layout, question.data, layer=question.layer)
    return level_picture(question.texture.format, one.layout.levels[0], rows)


def _marks(one: Tried) -> str:
    marks = [word for word, there in (("by rule", one.by_rule), ("given", one.given)) if there]
    return f" ({', '.join(marks)})" if marks else ""


def _label(level_0_gob: int, tried: list[Tried], seams: dict[int, float]) -> str:
    """Return what stands above a picture: every height that gives it."""
    heights = [f"{one.height_gob}{_marks(one)}" for one in tried if one.shown and one.level_0_gob == level_0_gob]
    return f"{', '.join(heights)} GOBs: seams {seams[level_0_gob]}"


def _row(one: Tried, seams: dict[int, float]) -> tuple[object, ...]:
    seam = seams[one.level_0_gob] if one.shown else "-"
    return f"{one.height_gob}{_marks(one)}", one.level_0_gob, one.layout.size_B, one.words, seam


def _row_json(one: Tried, seams: dict[int, float]) -> dict[str, Any]:
    return {
        "block_height_gob": one.height_gob,
        "level_0_gob": one.level_0_gob,
        "by_rule": one.by_rule,
        "given": one.given,
        "size_B": one.layout.size_B,
        "over_B": one.over_B,
        "fits": one.fits,
        "shown": one.shown,
        "seam_ratio": seams[one.level_0_gob] if one.shown else None,
    }
