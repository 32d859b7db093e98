"""Writing files and folders: in one step, through links, and never where nobody asked for a folder."""

import os
import stat
import threading
from pathlib import Path

import pytest

from refnvn import files
from refnvn.errors import InputFileError
from refnvn.files import check_replaceable, new_folder, previous_name, write_file


def names(folder: Path) -> set[str]:
    """Return the names in a folder, hidden ones included."""
    return {path.name for path in folder.iterdir()}


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    """Text, bytes and whatever lends its bytes are written; nothing temporary stays."""
    for content in ("text", b"bytes", memoryview(b"lent")):
        write_file(tmp_path / "a", content)
        assert (tmp_path / "a").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert names(tmp_path) == {"a"}


@pytest.mark.parametrize("there", [True, False], ids=["to-a-file", "dangling"])
def test_a_symbolic_link_is_written_through(tmp_path: Path, there: bool) -> None:
    """What the link points to gets the content; the link stays a link."""
    (tmp_path / "real").mkdir()
    if there:
        (tmp_path / "real" / "file").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to("real/file")
    write_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file").read_bytes() == b"new"
    assert names(tmp_path) == {"real", "link"}
    assert names(tmp_path / "real") == {"file"}


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    """There is no place to write to, and the links stay."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputFileError, match="go round in a circle"):
        write_file(tmp_path / "a", b"")
    assert (tmp_path / "a").is_symlink()


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    """A name that is no file is never renamed over: /dev/null would be gone."""
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_file(tmp_path / "pipe", b"through")
    reader.join(10)
    assert got == [b"through"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert names(tmp_path) == {"pipe"}


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_missing_folders_are_made_only_when_asked(tmp_path: Path, kind: str) -> None:
    """Otherwise the first that is missing is named."""

    def write(path: Path, *, parents: bool = False) -> None:
        if kind == "file":
            write_file(path, b"", parents=parents)
        else:
            with new_folder(path, parents=parents):
                pass

    path = tmp_path / "typo" / "deep" / "x"
    with pytest.raises(InputFileError, match=f"folder {tmp_path / 'typo'} is missing"):
        write(path)
    assert names(tmp_path) == set()
    write(path, parents=True)
    assert path.exists()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputFileError, match="file is no folder"):
        write(tmp_path / "file" / "x")


def fill(path: Path, word: str) -> None:
    """Write a folder with one file in it."""
    with new_folder(path) as folder:
        (folder / "word").write_text(word)


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    """The old content goes, nothing temporary stays, and an error leaves the old."""
    fill(tmp_path / "a", "old")
    fill(tmp_path / "a", "new")
    assert (tmp_path / "a" / "word").read_text() == "new"
    with pytest.raises(RuntimeError), new_folder(tmp_path / "a"):
        raise RuntimeError
    assert (tmp_path / "a" / "word").read_text() == "new"
    assert names(tmp_path) == {"a"}


def test_a_link_to_a_folder_stays_one(tmp_path: Path) -> None:
    """The folder that it points to is replaced."""
    fill(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to("real")
    fill(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "word").read_text() == "new"


@pytest.mark.parametrize("killed", ["between-the-renames", "before-the-old-goes"])
def test_a_run_killed_while_folders_are_swapped_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: str
) -> None:
    """The old folder can be found under its other name, and the next write puts it back or tidies it away."""
    path = tmp_path / "a"
    fill(path, "old")
    if killed == "between-the-renames":
        path.rename(previous_name(path))
    else:
        monkeypatch.setattr(files.shutil, "rmtree", lambda *_, **__: None)
        fill(path, "newer")
        monkeypatch.undo()
    assert (previous_name(path) / "word").read_text() == "old"
    with pytest.raises(RuntimeError), new_folder(path):
        raise RuntimeError
    assert (path / "word").read_text() == ("old" if killed == "between-the-renames" else "newer")
    assert names(tmp_path) == {"a"}


def test_a_swap_that_fails_puts_the_old_folder_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second rename may be refused too."""
    fill(tmp_path / "a", "old")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.endswith(".part"):
            raise OSError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(InputFileError, match="a: cannot be written: Permission denied"):
        fill(tmp_path / "a", "new")
    assert (tmp_path / "a" / "word").read_text() == "old"
    assert names(tmp_path) == {"a"}


def of_lines(content: bytes) -> list[str]:
    """Return the names in a list of a line each; an empty list is nobody's."""
    if not content:
        raise InputFileError("no list of ours")
    return content.decode().split()


def laid_out(folder: Path, *names_in_it: str) -> Path:
    """Make a folder with files of these names and a list of ``a`` and ``sub/b``."""
    for name in names_in_it:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"a sub/b" if name == "list" else b"")
    return folder


@pytest.mark.parametrize(
    "there", [("list",), ("list", "a"), ("list", "a", "sub/b")], ids=["list-alone", "a-part", "all-of-it"]
)
def test_a_folder_of_what_it_lists_may_be_replaced(tmp_path: Path, there: tuple[str, ...]) -> None:
    """So may a new name and an empty folder."""
    check_replaceable(laid_out(tmp_path / "out", *there), "list", of_lines)
    check_replaceable(tmp_path / "new", "list", of_lines)
    (tmp_path / "empty").mkdir()
    check_replaceable(tmp_path / "empty", "list", of_lines)


@pytest.mark.parametrize(
    ("there", "message"),
    [
        (("a",), "in the way; allowed are a new name, an empty folder, one with list"),
        (("list", "c"), "'c' in it is not listed in its list"),
        (("list", "sub/c"), "'sub/c' in it"),
        (("list", ".hidden"), "'.hidden' in it"),
        (("list", "sub/deep/a"), "'sub/deep/a' in it"),
    ],
    ids=["no-list", "one-more", "one-more-below", "hidden", "deep"],
)
def test_a_folder_with_anything_else_may_not(tmp_path: Path, there: tuple[str, ...], message: str) -> None:
    """A wrong path costs nobody a file."""
    with pytest.raises(InputFileError, match=message):
        check_replaceable(laid_out(tmp_path / "out", *there), "list", of_lines)


def test_links_and_empty_folders_count_as_something_else(tmp_path: Path) -> None:
    """A link to a folder is not followed; a file, a list that is nobody's and a dangling link are in the way."""
    folder = laid_out(tmp_path / "out", "list")
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(InputFileError, match="'link' in it"):
        check_replaceable(folder, "list", of_lines)
    (folder / "link").unlink()
    (folder / "drawer").mkdir()
    with pytest.raises(InputFileError, match="'drawer' in it"):
        check_replaceable(folder, "list", of_lines)
    (folder / "list").write_bytes(b"")
    with pytest.raises(InputFileError, match="no list of ours"):
        check_replaceable(folder, "list", of_lines)
    with pytest.raises(InputFileError, match="in the way"):
        check_replaceable(folder / "list", "list", of_lines)
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(InputFileError, match="in the way"):
        check_replaceable(tmp_path / "dangling", "list", of_lines)


@pytest.mark.parametrize("path", [".", "..", "/"])
def test_what_is_written_has_a_name(path: str) -> None:
    """A folder cannot take the place of the one that one is in."""
    with pytest.raises(InputFileError, match="allowed is a path that ends in a name"), new_folder(path):
        pass
    with pytest.raises(InputFileError, match="allowed is a path that ends in a name"):
        write_file(path, b"")
