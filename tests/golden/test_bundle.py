"""Bundles: the round trip, and what is refused when somebody changed one."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refnvn.golden.bundle as bundle_module
from refnvn.containers.npy import npy_bytes
from refnvn.errors import InputFileError
from refnvn.golden.bundle import bundle_files, read_bundle, write_bundle

from .made_up import made_up_golden


@pytest.fixture
def bundle(tmp_path):
    """Give the folder of a bundle."""
    write_bundle(made_up_golden(), tmp_path / "bundle")
    return tmp_path / "bundle"


def change(bundle, edit):
    """Edit the parsed ``golden.json`` of a bundle in place."""
    path = bundle / "golden.json"
    content = json.loads(path.read_text())
    edit(content)
    path.write_text(json.dumps(content))


def replace_file(bundle, name, content):
    """Replace a file and its hash, as somebody would who wants it to be believed."""
    (bundle / name).write_bytes(content)
    entry = {"size_B": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    change(bundle, lambda manifest: manifest["files"].update({name: entry}))


def test_bundle_read_back_is_the_same_golden(bundle):
    """What is read from a bundle writes the same bytes again."""
    assert bundle_files(read_bundle(bundle)) == bundle_files(made_up_golden())


def test_bundle_files_are_those_of_the_document(bundle):
    """A bundle holds golden.json, three arrays for each result, one for each outcome, padding and previews."""
    outcomes = [
        "codes.auto_block_height.round_up.npy", "codes.auto_block_height.rows_over_8.npy",
        "codes.store_float.nearest_even.npy", "codes.store_norm.nearest_even.npy",
        "floats.store_float.nearest_even.npy", "numbers.auto_block_height.round_up.npy",
        "numbers.auto_block_height.rows_over_8.npy", "numbers.store_norm.nearest_even.npy",
        "picture.store_norm.nearest_even.npy", "pool.auto_block_height.round_up.npy",
        "pool.auto_block_height.round_up.padding.npy", "pool.storage_alignment.page.npy",
        "pool.storage_alignment.page.padding.npy",
    ]  # fmt: skip
    results = ["codes", "numbers", "pool", "floats", "picture"]
    arrays = [f"{name}{suffix}.npy" for name in results for suffix in ("", ".mask", ".field")]
    expected = ["golden.json", "floats.png", "picture.png", *outcomes, *arrays]
    assert sorted(path.name for path in bundle.iterdir()) == sorted(expected)


def test_bundle_arrays_open_in_numpy(bundle):
    """Every array is a plain npy file; masks are uint16, field indices and padding uint8."""
    assert np.load(bundle / "numbers.npy").tolist() == [[1, 100], [2, -(2**31)], [3, 300]]
    assert np.load(bundle / "codes.mask.npy").dtype == np.uint16
    assert np.load(bundle / "codes.field.npy").dtype == np.uint8
    assert np.load(bundle / "pool.storage_alignment.page.padding.npy").tolist() == [0, 0, 0, 1, 0, 1]


def test_bundle_json_says_what_the_arrays_are(bundle):
    """golden.json is version 1 and describes each result."""
    content = json.loads((bundle / "golden.json").read_text())
    numbers = content["results"][1]
    assert content["refnvn_golden"] == 1
    assert (numbers["dtype"], numbers["shape"], numbers["strides_B"]) == ("int32", [3, 2], [8, 4])
    assert (numbers["endianness"], numbers["columns"]) == ("little", ["index", "height_gob"])
    assert content["results"][4]["image"]["row_order"] == "top_down"
    for name, entry in content["files"].items():
        assert entry["sha256"] == hashlib.sha256((bundle / name).read_bytes()).hexdigest()


EDITS = {
    "version_2": (lambda m: m.update(refnvn_golden=2, later=1), "version 2, allowed is 1"),
    "version_missing": (lambda m: m.pop("refnvn_golden"), "not a golden bundle"),
    "unknown_field": (lambda m: m.update(later=1), "later"),
    "unknown_field_inside": (lambda m: m["results"][0].update(later=1), "later"),
    "golden_leaves_folder": (lambda m: m.update(name="../x"), "golden name"),
    "result_leaves_folder": (lambda m: m["results"][0].update(name="../codes"), "result name"),
    "file_leaves_folder": (lambda m: m["results"][0].update(file="../codes.npy"), "file of result codes"),
    "setting_leaves_folder": (
        lambda m: m["choices"][0]["settings"][0].update(setting="../x"), "no names of fields",
    ),
    "outcome_of_no_choice": (
        lambda m: m["results"][0]["alternatives"][0].update(setting="other"), "not among the choices",
    ),
    "file_unlisted": (lambda m: m["files"].pop("codes.npy"), "'codes.npy' is missing"),
    "file_unused": (lambda m: m["files"].update({"x.npy": {"size_B": 1, "sha256": ""}}), "missing or unused"),
    "shape_huge": (lambda m: m["results"][0].update(shape=[1 << 62, 1 << 62]), "allowed are 1 to 6 axes"),
    "shape_negative": (lambda m: m["results"][0].update(shape=[-8]), "allowed are 1 to 6 axes"),
    "shape_other": (lambda m: m["results"][0].update(shape=[4, 2]), "holds uint8"),
    "shape_long": (lambda m: m["results"][0].update(shape=[1] * 5000), "allowed are 1 to 6 axes"),
    "dtype_object": (lambda m: m["results"][0].update(dtype="object"), "dtype 'object'"),
    "dtype_other": (lambda m: m["results"][0].update(dtype="int8"), "holds uint8"),
    "strides": (lambda m: m["results"][0].update(strides_B=[2]), "strides_B of result codes does not fit"),
    "count": (lambda m: m["results"][0]["count"].update(any=7), "count of result codes does not fit"),
    "evidence": (lambda m: m.update(weakest_evidence="switch"), "weakest_evidence does not fit"),
    "reason_flipped": (lambda m: m["choices"][0]["settings"][0].update(reason="imprecise"), "mask or field index"),
    "results_none": (lambda m: m.update(results=[], files={}), "results: none"),
    "result_twice": (lambda m: m["results"].append(m["results"][0]), "two of the same name"),
    "choice_twice": (lambda m: m["choices"].append(m["choices"][0]), "a field stands twice"),
    "choice_without_setting": (lambda m: m["choices"][3].update(settings=[]), "allowed are 64"),
    "columns": (lambda m: m["results"][1].update(columns=["one"]), "a table of 1 columns"),
    "format": (lambda m: m["results"][4]["image"].update(format="RGBA9"), "RGBA9"),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "says"), EDITS.values(), ids=EDITS.keys())
def test_bundle_json_that_lies_is_refused(bundle, edit, says):
    """Another version, an unknown field, a name that leaves the folder or a false statement is one error."""
    change(bundle, edit)
    with pytest.raises(InputFileError, match=says) as error:
        read_bundle(bundle)
    assert "\n" not in str(error.value)
    assert str(bundle) in str(error.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b'{"refnvn_golden": "1"}', b'{"refnvn_golden": 1}', b"\xff\xfe", b"[" * 100000,
     b'{"x":' * 100000],
    ids=["empty", "open", "list", "null", "text_version", "bare", "not_utf8", "deep_list", "deep_object"],
)  # fmt: skip
def test_bundle_json_that_is_none_is_refused(bundle, content):
    """A golden.json that does not parse, however deep, is one error."""
    (bundle / "golden.json").write_bytes(content)
    with pytest.raises(InputFileError, match="not a golden bundle"):
        read_bundle(bundle)


def test_bundle_tampered_file_is_refused(bundle):
    """One changed byte in any file is noticed by its hash."""
    for path in sorted(bundle.glob("*.*")):
        before = path.read_bytes()
        if path.name != "golden.json":
            path.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
            with pytest.raises(InputFileError, match="SHA-256"):
                read_bundle(bundle)
            path.write_bytes(before)
    read_bundle(bundle)


@pytest.mark.parametrize("damage", ["truncated", "longer", "missing", "folder"])
def test_bundle_damaged_file_is_refused(bundle, damage):
    """A truncated, longer or missing file is one error that names it."""
    path = bundle / "codes.npy"
    before = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes(before[:-1] if damage == "truncated" else before + b"\0" * 10000)
    with pytest.raises(InputFileError, match=r"codes\.npy"):
        read_bundle(bundle)


@pytest.mark.parametrize("folder", ["missing", "empty", "file"])
def test_bundle_that_is_no_folder_is_refused(tmp_path, folder):
    """A path without a golden.json is no bundle."""
    path = tmp_path / "x"
    if folder == "empty":
        path.mkdir()
    elif folder == "file":
        path.write_text("x")
    with pytest.raises(InputFileError):
        read_bundle(path)


def test_bundle_mask_with_a_right_hash_is_still_checked(bundle):
    """A mask that excuses an element which no alternative changes is refused, whatever its hash."""
    mask = np.load(bundle / "codes.mask.npy")
    mask[7] |= 1
    replace_file(bundle, "codes.mask.npy", npy_bytes(mask))
    with pytest.raises(InputFileError, match="does not follow from its alternatives"):
        read_bundle(bundle)


def test_bundle_pickle_is_never_loaded(bundle):
    """An array of objects is refused unread."""
    import io

    content = io.BytesIO()
    np.save(content, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    replace_file(bundle, "codes.npy", content.getvalue())
    with pytest.raises(InputFileError):
        read_bundle(bundle)


@pytest.mark.parametrize("when", ["first", "second", "last"])
def test_bundle_interrupted_leaves_the_old_one(bundle, monkeypatch, when):
    """A build that stops while it writes leaves the old bundle whole and nothing beside it."""
    before = {path.name: path.read_bytes() for path in bundle.iterdir()}
    stop_at = {"first": 1, "second": 2, "last": len(before)}[when]
    written = []

    def write_then_stop(path, content):
        written.append(path)
        if len(written) == stop_at:
            raise KeyboardInterrupt
        path.write_bytes(content)

    monkeypatch.setattr(bundle_module, "write_file", write_then_stop)
    with pytest.raises(KeyboardInterrupt):
        write_bundle(made_up_golden(), bundle)
    assert {path.name: path.read_bytes() for path in bundle.iterdir()} == before
    assert [path.name for path in bundle.parent.iterdir()] == ["bundle"]


def test_bundle_interrupted_first_leaves_nothing(tmp_path, monkeypatch):
    """A first build that stops leaves no folder at all."""

    def stop(path, content):
        raise OSError("disk full")

    monkeypatch.setattr(bundle_module, "write_file", stop)
    with pytest.raises(OSError, match="disk full"):
        write_bundle(made_up_golden(), tmp_path / "bundle")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["folder_with_files", "file"])
def test_bundle_does_not_replace_what_is_no_bundle(tmp_path, there):
    """A wrong output path costs nobody a folder."""
    path = tmp_path / "precious"
    if there == "file":
        path.write_text("x")
    else:
        path.mkdir()
        (path / "photo.jpg").write_text("x")
    with pytest.raises(InputFileError, match="in the way"):
        write_bundle(made_up_golden(), path)
    assert path.exists()


@given(st.data())
def test_bundle_json_damage_is_one_error_or_none(data):
    """However a value of golden.json is replaced, reading gives the same golden or an InputFileError."""
    import tempfile

    golden = made_up_golden()
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "b"
        write_bundle(golden, bundle)
        manifest = json.loads((bundle / "golden.json").read_text())
        node, path = manifest, []
        while isinstance(node, dict | list) and node:
            key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
            path.append((node, key))
            node = node[key]
        parent, key = data.draw(st.sampled_from(path))
        parent[key] = data.draw(st.sampled_from([None, -1, 0, 1, 1 << 70, 0.5, "", "../x", [], {}, [[]], True]))
        (bundle / "golden.json").write_text(json.dumps(manifest))
        with suppress(InputFileError):
            read_bundle(bundle)


def test_bundle_document_names_every_field():
    """docs/golden-bundle.md explains every field of golden.json and every reason bit."""
    from refnvn.golden import manifest
    from refnvn.golden.model import Reason

    text = (Path(__file__).parents[2] / "docs" / "golden-bundle.md").read_text(encoding="utf-8")
    structs = [
        kind for kind in vars(manifest).values() if isinstance(kind, type) and hasattr(kind, "__struct_fields__")
    ]
    fields = {field for kind in structs for field in kind.__struct_fields__}
    assert {field for field in fields if f"`{field}`" not in text} == set()
    assert all(f"| `0x{reason:04x}` | {reason.name} |" in text for reason in Reason)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m["results"][1]["row_labels"].__setitem__(0, "another"), "sha256_of_this does not fit"),
        (lambda m: m["choices"][1].update(scope="texel"), "sha256_of_this does not fit"),
        (lambda m: m["choices"][0]["settings"][0].update(because="another"), "sha256_of_this does not fit"),
        (lambda m: m.update(says="another"), "sha256_of_this does not fit"),
        (lambda m: m.update(sha256_of_this="0" * 64), "sha256_of_this does not fit"),
        (lambda m: m.pop("sha256_of_this"), "missing required field `sha256_of_this`"),
    ],
    ids=["row_label", "scope", "because", "says", "digest", "no_digest"],
)  # fmt: skip
def test_an_edited_manifest_is_refused(bundle, change, words):
    """What no array tells is covered by the digest of golden.json itself."""
    manifest = json.loads((bundle / "golden.json").read_text())
    change(manifest)
    (bundle / "golden.json").write_text(json.dumps(manifest))
    with pytest.raises(InputFileError, match=words):
        read_bundle(bundle)


def test_the_digest_is_made_as_the_document_says(bundle):
    """Sorted keys, no spaces, UTF-8, without the field itself; how the file is laid out does not matter."""
    text = (bundle / "golden.json").read_text(encoding="utf-8")
    fields = json.loads(text)
    expected = fields.pop("sha256_of_this")
    canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest() == expected
    (bundle / "golden.json").write_text(json.dumps(json.loads(text), indent=7))
    assert read_bundle(bundle).name == made_up_golden().name
