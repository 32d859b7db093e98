"""The ``refnvn`` command: finds a subcommand, runs it, and turns errors into one line and an exit code.

Exit codes: 0 fine, same or permitted; 1 differs or fails a check; 2 bad input or usage; 3 only with
``--strict-evidence``: the answer rests on an inferred or open rule.

A subcommand's module is imported only when it is asked for, so that ``refnvn layout`` starts without numpy.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from refnvn.errors import RefnvnError
from refnvn.version import VERSION

COMMANDS = {
    "layout": ("refnvn.cli.layout_command", "Where a texture's levels and layers lie, and which rule said so."),
    "texel": ("refnvn.cli.texel_command", "Byte offset to texel and back."),
    "detile": ("refnvn.cli.detile_command", "Block-linear guest bytes to rows: PNG, DDS, KTX2, PFM, npy, raw."),
    "tile": ("refnvn.cli.tile_command", "Rows to block-linear guest bytes."),
    "decode": ("refnvn.cli.decode_command", "Rows of texels in a format to a picture or to values."),
    "formats": ("refnvn.cli.formats_command", "The 157 NVN formats: bits, meaning, uses."),
    "rules": ("refnvn.cli.rules_command", "Every rule with its evidence; what is open; the ledger's coverage."),
    "run": ("refnvn.cli.run_command", "Run one scene or trace and write what it reads back."),
    "golden": ("refnvn.cli.golden_command", "List, build, check, accept and export goldens."),
    "diff": ("refnvn.cli.diff_command", "Compare a readback with a golden: same, permitted or wrong."),
    "conformance": ("refnvn.cli.conformance_command", "Score measured vectors against the rules."),
}


class LazyGroup(click.Group):
    """A group whose subcommands are imported when they are run; their one-line help stands here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand of some arguments; for another word, say which there are."""
        if args and args[0] not in COMMANDS and args[0][:1].isalnum():
            ctx.fail(f"no command {args[0]!r}; the commands are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one subcommand."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(VERSION, message="refnvn %(version)s")
def cli() -> None:
    """Answer what NVN would do, byte for byte, and compare it with what your renderer did.

    \b
    Start with:
      refnvn golden build -o out          every golden, in a form a C test reads
      refnvn layout --format RGBA_DXT5 --size 160x160
      refnvn detile texture.dds -o texture.png

    Exit codes: 0 fine, 1 differs or fails a check, 2 bad input or usage, 3 weak evidence (--strict-evidence).
    """


def _show(error: click.ClickException) -> None:
    """Print a usage error in one line: the command, what was wrong, what was allowed. A bare group shows its help."""
    if type(error).__name__ == "NoArgsIsHelpError":  # click 8.2 and later
        error.show()
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else "refnvn"
    words = " ".join(error.format_message().split()).rstrip(".")
    click.echo(f"{command}: {words}; `{command} --help` tells more", err=True)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        code = cli.main(arguments, prog_name="refnvn", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        _show(error)
        code = 2
    except RefnvnError as error:
        click.echo(f"refnvn: {error}", err=True)
        code = 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("refnvn: interrupted", err=True)
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        click.echo(f"refnvn: {error.filename2 or error.filename}: {error.strerror}", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
