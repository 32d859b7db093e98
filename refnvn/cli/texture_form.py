"""In which form a texture is written, and to which file: ``-o`` names both, ``--to`` the form alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from refnvn.cli.output import check_output
from refnvn.errors import ArgumentError


def form_options(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds ``-o`` and ``--to``; :func:`output_of` reads them."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        said = "Form of the output where no ending says it."
        function = click.option("--to", "form", type=click.Choice(forms), help=said)(function)
        said = "Its ending names the form.  [default with --to: FILE's name, here, with that ending]"
        return click.option("-o", "--output", type=click.Path(path_type=Path), help=said)(function)

    return add


def output_of(file: Path, output: Path | None, form: str | None) -> Path:
    """Return where to write, or say why not.

    Raises
    ------
    UsageError
        Neither an output nor a form is given.
    ArgumentError
        They name different forms, or the output is the input.
    InputFileError
        The output's folder is missing.
    """
    if output is None:
        if form is None:
            said = "where to write is not said: give -o FILE, or --to FORM for a file beside you"
            raise click.UsageError(said, click.get_current_context(silent=True))
        output = Path(file.name).with_suffix(f".{form}")
    elif form is not None and output.suffix.lower() != f".{form}":
        raise ArgumentError(f"{output}: --to {form} and the ending {output.suffix!r} name different forms")
    check_output(output, file)
    return output
