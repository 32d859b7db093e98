"""What ``detile`` and ``tile`` say when a texture is written: where, by which block, and how well that is known."""

from __future__ import annotations

from pathlib import Path

import click

from refnvn.cli.describe_layout import layout_json, why_block_height
from refnvn.cli.output import answering, exit_code_for, print_json
from refnvn.cli.rests_on import evidence_json, evidence_line, placing_rules, rank_of
from refnvn.cli.texture_input import Loaded


def tell_written(
    output: Path, loaded: Loaded, what: str, remark: str = "", *, as_json: bool, strict_evidence: bool
) -> None:
    """Print what was written and by which rules, and exit.

    Parameters
    ----------
    output : Path
        What was written.
    loaded : Loaded
        The texture in it.
    what : str
        What the output holds, in a few words.
    remark : str
        Something to know of it, or nothing.
    as_json, strict_evidence : bool
        As the options say.
    """
    layout = loaded.layout
    rules = placing_rules(layout)
    with answering(exit_code_for(rank_of(rules), strict_evidence)):
        if as_json:
            told = {"output": str(output), "layout": layout_json(loaded.texture.format, layout), "remark": remark}
            print_json({**told, "weakest_evidence": evidence_json(rules)["weakest_evidence"]})
            return
        click.echo(f"{output}: {what}; {why_block_height(layout)}")
        for line in filter(None, (remark, evidence_line(rules))):
            click.echo(f"  {line}")
