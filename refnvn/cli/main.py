"""The ``refnvn`` command: finds a subcommand, runs it, and turns errors into one line and an exit code.

Exit codes: 0 fine, same or permitted; 1 differs or fails a check; 2 bad input or usage; 3 only with
``--strict-evidence``: the answer rests on an inferred or open rule.

A subcommand's module is imported only when it is asked for, so that ``refnvn layout`` starts without numpy.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from refnvn.cli.streams import (
    ClosedPipe,
    complain,
    end_at_interrupt,
    interrupts_kept,
    output_watched,
    printed_out,
)
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
    "shader": ("refnvn.cli.shader_command", "A shader's interface and size, and the same as GLSL."),
    "golden": ("refnvn.cli.golden_command", "List, build, check, accept and export goldens."),
    "diff": ("refnvn.cli.diff_command", "Compare a readback with a golden: same, permitted or wrong."),
    "diagnose": ("refnvn.cli.diagnose_command", "Which known fault explains a wrong readback, or a texture dump."),
    "pixel": ("refnvn.cli.pixel_command", "The life of one sample or of some bytes, command by command."),
    "bisect": ("refnvn.cli.bisect_command", "After which command somebody's readbacks part from NVN."),
    "dump": ("refnvn.cli.dump_command", "What a file dumped by a host renderer says."),
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

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; a reader who went away is no error of ours."""
        with output_watched():
            return super().invoke(ctx)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the command line; help is printed here."""
        with output_watched():
            return super().make_context(*arguments, **more)

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


def _words_of(error: click.ClickException) -> str:
    """Return a usage error in one line: the command, what was wrong, what was allowed."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else "refnvn"
    words = " ".join(error.format_message().split()).rstrip(".")
    return f"{command}: {words}; `{command} --help` tells more"


def _answer(arguments: list[str] | None) -> int:
    """Run the command line and return its exit code; what went wrong has been told in one line."""
    try:
        code = cli.main(arguments, prog_name="refnvn", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # click 8.2 and later: a bare group shows its help
            error.show()
            return 2
        return complain(_words_of(error))
    except RefnvnError as error:
        return complain(f"refnvn: {error}")
    except (KeyboardInterrupt, click.Abort):
        return complain("refnvn: interrupted", 130)
    except MemoryError as error:
        return complain(f"refnvn: not enough memory: {str(error) or 'the command asks for more than there is'}")
    except ClosedPipe:
        return 0
    except OSError as error:
        where = error.filename2 or error.filename
        return complain(f"refnvn: {f'{where}: ' if where else ''}{error.strerror or error}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    with interrupts_kept():
        code = printed_out(_answer(arguments))
    if arguments is None:
        end_at_interrupt()
    sys.exit(code)


if __name__ == "__main__":
    main()
