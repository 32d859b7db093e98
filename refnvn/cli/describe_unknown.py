"""What ``refnvn rules --unknown`` says: questions that stop a replay, because nothing decides them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from refnvn.cli.output import print_json
from refnvn.errors import FieldRangeError
from refnvn.rules.unknown import Unknown, all_unknown


def asked(ids: Sequence[str]) -> list[Unknown]:
    """Return the questions of some ids; all where there are none, and those of an id that has none are none."""
    wanted = {one.upper() for one in ids}
    return [one for one in all_unknown() if not wanted or one.id in wanted]


def are_all_unknown(ids: Sequence[str], rules: dict[str, Any]) -> bool:
    """Say whether ids name questions alone, and no rule."""
    names = {one.id for one in all_unknown()} - set(rules)
    return bool(ids) and all(one.upper() in names for one in ids)


def tell_unknown(ids: Sequence[str], *, as_json: bool) -> None:
    """Print questions.

    Raises
    ------
    FieldRangeError
        For an id that is none.
    """
    found = asked(ids)
    for wanted in ids:
        if wanted.upper() not in {one.id for one in found}:
            raise FieldRangeError(f"{wanted!r} is no question that is open here; `refnvn rules --unknown` lists them")
    if as_json:
        print_json({"unknown": [_plain(one) for one in found]})
        return
    for one in found:
        click.echo(f"{one.id}: {one.asks}")
        click.echo(f"  settled by: {one.observation}")
        if one.instead:
            click.echo(f"  until then: {one.instead}")
        click.echo(f"  asked in:   {_file(one)}")
    click.echo(f"{len(found)} question{'s' * (len(found) != 1)} that nothing decides and no choice stands for")


def _file(one: Unknown) -> str:
    return f"{one.code.replace('.', '/')}.py"


def _plain(one: Unknown) -> dict[str, str]:
    return {
        "id": one.id,
        "asks": one.asks,
        "settled_by": one.observation,
        "instead": one.instead,
        "code": _file(one),
    }
