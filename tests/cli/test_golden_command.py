"""``refnvn golden`` and ``diff``: list, build, check, accept, export, compare."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from refnvn.errors import ArgumentError
from refnvn.golden.case import _CASES, case_named
from refnvn.nvn import Device, record
from refnvn.trace.files import write_trace
from tests.cli.harness import complaint, files_in, refnvn

CASE = "tex_layout/bc3_160x160"


def test_the_list_names_test_and_subject() -> None:
    """A golden comes with the renderer's test that it serves; areas choose."""
    lines = refnvn("golden", "list").out.splitlines()
    assert lines[0].split() == ["golden", "test", "shows"]
    assert any(line.split()[:2] == [CASE, "t_tex_layout"] for line in lines)
    listed = refnvn("golden", "list", "tex_layout", "--json").json["goldens"]
    assert {one["name"].split("/")[0] for one in listed} == {"tex_layout"}


def test_build_writes_a_bundle_a_golden(tmp_path: Path) -> None:
    """Each bundle is a folder with a manifest and its values; C headers lie apart; processes change nothing."""
    answer = refnvn("golden", "build", "tex_layout", "-o", tmp_path / "one", "--json").json
    assert CASE in answer["goldens"]
    headers = ("--c-headers", tmp_path / "include", "--jobs", "2")
    assert refnvn("golden", "build", "tex_layout", "-o", tmp_path / "two", *headers).code == 0
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")
    for name in files_in(tmp_path / "one"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert {f"{CASE}/golden.json", f"{CASE}/storage.npy"} <= files_in(tmp_path / "one")
    assert files_in(tmp_path / "include") == {f"refnvn_{n.replace('/', '_')}.h" for n in answer["goldens"]}


def test_a_case_that_cannot_be_built_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many goldens the error says which one stops, and nothing is written for it."""

    def fails(_case: object) -> None:
        raise ArgumentError("set_viewport: w is nan")

    monkeypatch.setattr("refnvn.golden.build.build", fails)
    said = complaint("golden", "build", "tex_layout/bc3_160x160", "-o", tmp_path / "out")
    assert "golden tex_layout/bc3_160x160: set_viewport: w is nan" in said
    assert not (tmp_path / "out").exists()


def test_a_mistake_in_a_scene_is_one_line_that_names_the_golden_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line of the scene, and what Python says of it."""

    def broken(_rules: object) -> None:
        raise NameError("no such name")

    case = case_named(CASE)
    broken.__module__ = case.function.__module__
    monkeypatch.setitem(_CASES, case.name, dataclasses.replace(case, function=broken))
    said = complaint("golden", "build", case.name, "-o", str(tmp_path / "out"))
    assert said.startswith(f"refnvn: golden {case.name}: test_golden_command.py:")
    assert said.endswith(": NameError: no such name")


def test_weak_evidence_exits_with_3_when_asked(tmp_path: Path) -> None:
    """The storage alignment is open: a golden of it is weak, and says so only when asked."""
    weak = ("golden", "build", "nvn/storage_size", "-o", tmp_path)
    assert (refnvn(*weak).code, refnvn(*weak, "--strict-evidence").code) == (0, 3)


def test_what_was_accepted_is_checked(tmp_path: Path) -> None:
    """Nothing accepted yet differs; what was accepted is the same again, and accepting it anew changes nothing."""
    check = ("golden", "check", CASE, "--accepted", tmp_path)
    assert refnvn(*check).code == 1
    accept = ("golden", "accept", CASE, "--reason", "first", "--accepted", tmp_path)
    assert refnvn(*accept, "--json").json == {"accepted": [CASE], "unchanged": []}
    assert refnvn(*accept).out == "0 accepted, 1 unchanged\n"
    assert refnvn(*check, "--json").json == {"checked": 1, "differing": {}}


def test_the_layout_goldens_are_as_accepted() -> None:
    """Goldens of an area give what the project accepted."""
    outcome = refnvn("golden", "check", "tex_layout")
    assert outcome.code == 0, outcome.out


@pytest.mark.parametrize(
    ("case", "form", "name"),
    [
        pytest.param(CASE, "c-header", "one.h", id="c-header"),
        pytest.param(CASE, "dir", "one", id="dir"),
        pytest.param(CASE, "npz", "one.npz", id="npz"),
        pytest.param("sparse_layout/slab_3d", "dds", "one.dds", id="dds"),
        pytest.param("sparse_layout/slab_3d", "ktx2", "one.ktx2", id="ktx2"),
    ],
)
def test_every_form_of_export_is_written(tmp_path: Path, case: str, form: str, name: str) -> None:
    """Each form makes its file or folder, and JSON names it."""
    chosen = ("--result", "bc1") if form in ("dds", "ktx2") else ()
    out = tmp_path / name
    answer = refnvn("golden", "export", case, "--to", form, "-o", out, *chosen, "--json").json
    assert answer == {"golden": case, "form": form, "output": str(out)}
    assert out.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param("list nowhere", "golden 'nowhere': no such golden", id="list"),
        pytest.param("build nowhere -o OUT", "no such golden", id="build"),
        pytest.param("build -o OUT --jobs 0", "0 is not in the range 1<=x<=64", id="no-jobs"),
        pytest.param(f"export {CASE} --to exe -o OUT", "'exe' is not one of 'c-header'", id="no-form"),
        pytest.param(f"export {CASE} --to dds -o OUT", "no export 'dds'; it has c-header, dir, npz", id="no-image"),
        pytest.param("export sparse_layout/slab_3d --to dds -o OUT", "say which of bc1, bc6h", id="several"),
        pytest.param(f"accept {CASE} --accepted OUT", "Missing option '--reason'", id="no-reason"),
        pytest.param("accept --reason why --accepted OUT", "Missing argument 'NAMES...'", id="accept-nothing"),
        pytest.param("frobnicate", "No such command 'frobnicate'", id="no-command"),
    ],
)
def test_odd_requests_are_refused_in_one_line(tmp_path: Path, arguments: str, words: str) -> None:
    """The line says what there is; nothing is written."""
    out = tmp_path / "out"
    given = [str(out) if one == "OUT" else one for one in arguments.split()]
    assert words in complaint("golden", *given)
    assert not out.exists()


def test_diff_tells_same_from_wrong(tmp_path: Path) -> None:
    """A bundle is the same as its golden; one changed byte is wrong, with its place."""
    assert refnvn("golden", "build", CASE, "sparse_layout/slab_3d", "-o", tmp_path).code == 0
    for case in (CASE, "sparse_layout/slab_3d"):
        outcome = refnvn("diff", case, tmp_path / case, "--exact")
        assert (outcome.code, outcome.out.splitlines()[0].startswith(f"{case}: same")) == (0, True), outcome
    storage = np.load(tmp_path / CASE / "storage.npy")
    storage[77] ^= 1
    (tmp_path / "readback.bin").write_bytes(storage.tobytes())
    wrong = refnvn("diff", CASE, tmp_path / "readback.bin")
    assert wrong.code == 1
    assert f"[77] expected {storage[77] ^ 1}, actual {storage[77]}" in wrong.out
    answer = refnvn("diff", CASE, tmp_path / "readback.bin", "--json").json
    assert (answer["outcome"], answer["exit_code"], answer["results"][0]["wrong"]) == ("wrong", 1, 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param("nowhere HERE", "golden 'nowhere': no such golden", id="no-golden"),
        pytest.param(f"{CASE} HERE/none", "No such file or directory", id="no-file"),
        pytest.param(f"{CASE} HERE", "holds no ", id="nothing-in-the-folder"),
        pytest.param(f"{CASE} HERE/short.raw", "100 bytes given, 40960 expected", id="short"),
        pytest.param("sparse_layout/slab_3d HERE/short.raw", "give one --result of bc1, bc6h", id="which-result"),
        pytest.param("sparse_layout/slab_3d HERE/short.raw --result x", "no result 'x'", id="no-result"),
        pytest.param(
            "HERE/short.raw HERE/long.raw",
            "uint8 of shape (200,) is given, uint8 of shape (100,) expected",
            id="files-of-two-sizes",
        ),
        pytest.param(f"{CASE} HERE/short.raw --layout guest", "--format and --size must be given", id="guest"),
    ],
)
def test_odd_comparisons_are_refused_in_one_line(tmp_path: Path, arguments: str, words: str) -> None:
    """The line says what was given and what was expected."""
    (tmp_path / "short.raw").write_bytes(b"\0" * 100)
    (tmp_path / "long.raw").write_bytes(b"\0" * 200)
    assert words in complaint("diff", *arguments.replace("HERE", str(tmp_path)).split())


def test_a_folder_that_lacks_a_result_is_no_success(tmp_path: Path) -> None:
    """What is missing is named and fails; --result judges some on purpose, --partial whatever is there."""
    slab = "sparse_layout/slab_3d"
    assert refnvn("golden", "build", slab, "-o", tmp_path).code == 0
    readback = tmp_path / "readback"
    readback.mkdir()
    (readback / "bc1.npy").write_bytes((tmp_path / slab / "bc1.npy").read_bytes())
    lacking = refnvn("diff", slab, readback)
    assert lacking.code == 1
    assert lacking.out.startswith(f"{slab}: incomplete\n")
    assert "\nmissing: bc6h" in lacking.out
    assert refnvn("diff", slab, readback, "--json").json["missing"][0] == "bc6h"
    for chosen in (("--result", "bc1"), ("--partial",)):
        fine = refnvn("diff", slab, readback, *chosen)
        assert (fine.code, fine.out.splitlines()[0]) == (0, f"{slab}: same")
        assert "not judged: bc6h" in fine.out
    both = refnvn("diff", slab, readback, "--result", "bc1", "--result", "bc6h")
    assert (both.code, "missing: bc6h" in both.out) == (1, True)
    assert "holds no " in complaint("diff", slab, readback, "--result", "bc6h")


def test_a_misfit_names_the_file(tmp_path: Path) -> None:
    """Whichever of many readbacks does not fit, the line says which; a name that lies about its form too."""
    (tmp_path / "short.raw").write_bytes(bytes(100))
    assert f"{tmp_path / 'short.raw'}: result storage: 100 bytes" in complaint("diff", CASE, tmp_path / "short.raw")
    (tmp_path / "cut.npy").write_bytes(bytes(40960))
    assert "cut.npy: ends in .npy but begins with 00 00" in complaint("diff", CASE, tmp_path / "cut.npy")


def test_an_export_refuses_an_ending_of_another_form_or_a_missing_folder(tmp_path: Path) -> None:
    """A header is not called .png; only bundles make the folders on their way."""
    export = ("golden", "export", CASE, "--to")
    assert "what is written is a C header" in complaint(*export, "c-header", "-o", tmp_path / "x.png")
    assert f"folder {tmp_path / 'typo'} is missing" in complaint(*export, "npz", "-o", tmp_path / "typo" / "x.npz")
    assert not list(tmp_path.iterdir())
    assert refnvn(*export, "dir", "-o", tmp_path / "deep" / "bundle").code == 0
    assert "is an input too" in complaint(
        "golden", "export", tmp_path / "deep" / "bundle", "--to", "dir", "-o", tmp_path / "deep" / "bundle"
    )


@pytest.mark.parametrize("trace", ["scene.zip", "scene"])
def test_a_trace_is_a_golden_too(tmp_path: Path, trace: str) -> None:
    """A scene of one's own gives values, masks and settings; a readback is judged by it as by its bundle."""

    def half_alpha(device: Device) -> None:
        target = device.texture("RGBA8", 4, 4)
        commands = device.command_buffer()
        commands.set_render_targets([target])
        commands.clear_color(0, (1.0, 0.0, 0.0, 0.5))
        device.queue().submit(commands)
        target.read_texels("target")

    write_trace(tmp_path / trace, record(half_alpha, "1st scene"))
    answer = refnvn("golden", "export", tmp_path / trace, "--to", "dir", "-o", tmp_path / "bundle")
    assert answer.code == 0
    values = np.load(tmp_path / "bundle" / "target.npy")
    assert values[0, 0].tolist() == [255, 0, 0, 127]
    assert np.unique(np.load(tmp_path / "bundle" / "target.mask.npy")[..., 3]).tolist() == [2]
    assert refnvn("golden", "export", tmp_path / trace, "--to", "c-header", "-o", tmp_path / "scene.h").code == 0
    assert "refnvn_trace_1st_scene_target_compare" in (tmp_path / "scene.h").read_text()
    for alpha, word, code in ((127, "same", 0), (128, "permitted", 0), (126, "wrong", 1)):
        values[..., 3] = alpha
        values.tofile(tmp_path / "readback.bin")
        for expected in (trace, "bundle"):
            judged = refnvn("diff", tmp_path / expected, tmp_path / "readback.bin")
            assert (judged.out.splitlines()[0], judged.code) == (f"trace/1st_scene: {word}", code)
    assert "is an input too" in complaint("golden", "export", tmp_path / trace, "--to", "dir", "-o", tmp_path / trace)


def test_a_file_that_is_no_trace_is_told(tmp_path: Path) -> None:
    """A zip is taken for a trace, not for raw bytes; a name that is close to none is not said to be."""
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK")
    assert "is neither a folder nor a zip" in complaint("diff", broken, broken)
    assert "is missing" in complaint("golden", "export", tmp_path / "no.zip", "--to", "npz", "-o", tmp_path / "x.npz")
    told = complaint("golden", "export", "QQQ", "--to", "npz", "-o", tmp_path / "x.npz")
    assert "no such golden; `refnvn golden list` shows all" in told


def test_a_bundle_replaces_nothing_that_it_does_not_list(tmp_path: Path) -> None:
    """A file that was laid into a bundle stays, and is told before anything is built."""
    assert refnvn("golden", "build", "clear_tex/mask", "-o", tmp_path).code == 0
    assert refnvn("golden", "build", "clear_tex/mask", "-o", tmp_path).code == 0
    (tmp_path / "clear_tex" / "mask" / "mine.txt").write_text("mine")
    message = complaint("golden", "build", "clear_tex/mask", "-o", tmp_path)
    assert "'mine.txt' in it is not listed in its golden.json" in message
    assert (tmp_path / "clear_tex" / "mask" / "mine.txt").is_file()


def test_accepted_results_lie_in_a_folder(tmp_path: Path) -> None:
    """A folder that is not there is bad input, not a difference."""
    message = complaint("golden", "check", "clear_tex/mask", "--accepted", tmp_path / "nope")
    assert "nope: is no folder" in message
