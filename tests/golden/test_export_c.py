"""The C header: it compiles without a warning, and judges as refnvn's own compare room does."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.compare.judge import judge
from refnvn.errors import SizeError
from refnvn.golden.build import build
from refnvn.golden.case import GoldenCase, guest_bytes
from refnvn.golden.export_c import MOST_VALUES, c_header, c_prefix

from .made_up import made_up_golden
from .made_up_random import perturbed, random_golden

GOLDENS = [made_up_golden(), *(random_golden(seed) for seed in range(12))]
GOB, PAGE = "storage_alignment = gob", "storage_alignment = page"
EVEN = "store_norm = nearest_even"
ONE_EACH = "one refnvn_choices for each golden"
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
LANGUAGES = {"c": ("cc", "-std=c99"), "c++": ("g++", "-std=c++11"), "objective-c": ("cc", "-std=c99")}

DOCUMENTED = """
int main(void) {
    static const unsigned char codes[8] = {11, 20, 30, 40, 50, 60, 70, 80};
    static const unsigned char pool[6] = {1, 2, 3, 4, 5, 6};
    static const unsigned char four[4] = {1, 2, 3, 4};
    refnvn_choices choices = REFNVN_CHOICES_INIT, fresh = REFNVN_CHOICES_INIT, strict = REFNVN_CHOICES_INIT;
    refnvn_report report = refnvn_made_up_everything_pool_compare(pool, sizeof pool, &choices);
    int failed = refnvn_exit_code(&report);
    refnvn_print_report(stdout, &report);
    report = refnvn_made_up_everything_pool_compare(four, sizeof four, &choices);
    refnvn_print_report(stdout, &report);
    failed += refnvn_exit_code(&report);
    report = refnvn_made_up_everything_codes_compare(NULL, 8, &choices);
    refnvn_print_report(stdout, &report);
    failed += refnvn_exit_code(&report);
    report = refnvn_made_up_everything_pool_compare(NULL, 0, NULL);
    refnvn_print_report(stdout, &report);
    failed += refnvn_exit_code(&report);
    report = OTHER(four, sizeof four, &choices);
    refnvn_print_report(stdout, &report);
    failed += refnvn_exit_code(&report);
    strict.exact = 1;
    report = refnvn_made_up_everything_codes_compare(codes, sizeof codes, &strict);
    refnvn_print_report(stdout, &report);
    failed += refnvn_exit_code(&report);
    report = refnvn_made_up_everything_pool_compare(four, sizeof four, &fresh);
    refnvn_print_report(stdout, &report);
    failed += refnvn_exit_code(&report);
    return failed;
}
"""
"""Every way in which a report explains itself; all but the first and the last result are wrong."""

MAIN = """
static uint32_t number(void) {
    unsigned char b[4];
    if (fread(b, 1, 4, stdin) != 4) { exit(9); }
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static int one(compare_function compare, refnvn_choices *choices) {
    static unsigned char bytes[4096];
    uint32_t size_B = number();
    refnvn_report r;
    if (size_B == 0xffffffffu) { return 0; }
    if (fread(bytes + 1, 1, size_B, stdin) != size_B) { exit(9); }
    r = compare(bytes + 1, size_B, choices);
    printf("%lu %lu %lu %lu %lu %lu %lu %llu %llu %d %d\\n", (unsigned long)r.same, (unsigned long)r.undefined,
           (unsigned long)r.imprecise, (unsigned long)r.any, (unsigned long)r.padding, (unsigned long)r.wrong,
           (unsigned long)r.first_wrong, (unsigned long long)r.expected, (unsigned long long)r.actual, r.bad_size,
           r.impossible);
    refnvn_print_report(stderr, &r);
    return refnvn_exit_code(&r);
}

int main(void) {
    uint32_t runs = number(), i, g, status = 0;
    for (i = 0; i < runs; i++) {
        refnvn_choices choices, empty = REFNVN_CHOICES_INIT;
        size_t r;
        choices = empty;
        g = number();
        choices.exact = (int)number();
        for (r = 0; r < goldens[g].count; r++) { status |= (uint32_t)one(goldens[g].compare[r], &choices); }
        for (r = 0; r < goldens[g].choice_count; r++) { printf("%lu ", (unsigned long)choices.possible[r]); }
        printf("\\n");
    }
    return (int)status;
}
"""


def program() -> str:
    """Return a C program that judges results from its input by the headers of all goldens."""
    lines = ["#include <stdlib.h>", *(f'#include "golden_{i}.h"' for i in range(len(GOLDENS)))]
    lines += [
        '#include "golden_0.h"',
        "typedef refnvn_report (*compare_function)(const void *, size_t, refnvn_choices *);",
    ]
    rows = []
    for i, golden in enumerate(GOLDENS):
        names = [f"{c_prefix(golden.name)}_{result.base.name}_compare" for result in golden.results]
        lines.append(f"static const compare_function golden_{i}[] = {{{', '.join(names)}}};")
        rows.append(f"{{golden_{i}, {len(names)}, {len(golden.choices)}}}")
    lines.append("static const struct { const compare_function *compare; size_t count, choice_count; } goldens[] = {")
    return "\n".join([*lines, ",\n".join(rows), "};", MAIN])


def compiler(language: str) -> str:
    """Return the compiler of a language."""
    return os.environ.get({"c": "CC", "c++": "CXX"}.get(language, ""), "") or LANGUAGES[language][0]


def compile_program(folder, language: str):
    """Compile the program in ``folder`` with every warning an error; return the finished process."""
    command = [
        compiler(language),
        *LANGUAGES[language][1:],
        "-x",
        language,
        *WARNINGS,
        "main.c",
        "-o",
        f"main_{language}",
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give a folder with the headers, the program, and the program compiled as C99."""
    if shutil.which(compiler("c")) is None:
        pytest.fail(f"no C compiler {compiler('c')!r} is here: install one, or name it in CC, to test the C headers")
    folder = tmp_path_factory.mktemp("c")
    for i, golden in enumerate(GOLDENS):
        (folder / f"golden_{i}.h").write_text(c_header(golden))
    (folder / "main.c").write_text(program())
    done = compile_program(folder, "c")
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def run(folder, runs, language="c"):
    """Run the program on (golden number, exact, bytes of each result or None); return exit code, lines, stderr."""
    content = struct.pack("<I", len(runs))
    for number, exact, results in runs:
        content += struct.pack("<II", number, exact)
        for given_bytes in results:
            content += struct.pack("<I", 0xFFFFFFFF if given_bytes is None else len(given_bytes)) + (
                given_bytes or b""
            )
    done = subprocess.run([folder / f"main_{language}"], input=content, capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


def run_one(folder, exact=False, **given_bytes):
    """Run results of the first golden; return the exit code and the counts of each by name."""
    results = [given_bytes.get(r.base.name) for r in GOLDENS[0].results]
    code, lines, errors = run(folder, [(0, exact, results)])
    names = (
        "same",
        "undefined",
        "imprecise",
        "any",
        "padding",
        "wrong",
        "first",
        "expected",
        "actual",
        "bad",
        "impossible",
    )
    counts = [dict(zip(names, map(int, line.split()), strict=True)) for line in lines[:-1]]
    return code, counts, errors


def test_header_same_bytes_pass(folder):
    """The golden's own bytes are the same everywhere, and the program ends with 0."""
    given_bytes = {r.base.name: r.base.array.tobytes() for r in GOLDENS[0].results}
    code, counts, errors = run_one(folder, **given_bytes)
    assert (code, [c["same"] for c in counts]) == (0, [8, 6, 4, 3, 24])
    assert errors.startswith(f"{GOLDENS[0].name} codes: ok, 8 of 8 same, 0 permitted")


@pytest.mark.parametrize(
    ("codes", "code", "expected"),
    [
        ([11, 21, 30, 40, 50, 60, 70, 80], 0, {"same": 6, "imprecise": 2}),
        ([10, 20, 31, 40, 50, 60, 70, 80], 0, {"same": 7, "imprecise": 1}),
        ([10, 20, 30, 40, 99, 60, 70, 80], 0, {"same": 7, "any": 1}),
        ([10, 20, 30, 40, 50, 62, 70, 80], 0, {"same": 7, "undefined": 1}),
        ([10, 20, 30, 40, 50, 60, 99, 80], 0, {"same": 7, "padding": 1}),
        ([11, 20, 30, 40, 50, 60, 70, 80], 1, {"same": 7, "wrong": 1}),
        ([10, 20, 30, 40, 50, 60, 70, 81], 1, {"same": 7, "wrong": 1, "first": 7, "expected": 80, "actual": 81}),
    ],
    ids=["permitted_run", "permitted_texel", "several_meet", "world", "padding_garbage", "contradiction", "wrong"],
)  # fmt: skip
def test_header_judges_one_result(folder, codes, code, expected):
    """Permitted alternatives, padding and contradictions get the exit code they deserve."""
    found, (counts,), _ = run_one(folder, codes=bytes(codes))
    assert found == code
    assert {name: counts[name] for name in expected} == expected
    assert sum(counts[n] for n in ("same", "undefined", "imprecise", "any", "padding", "wrong")) == 8


def test_header_judges_choices_across_results(folder):
    """A result that chose one setting makes another result's other setting wrong."""
    rounded = bytes([11, 21, 30, 40, 50, 60, 70, 80])
    numbers = GOLDENS[0].result("numbers").base.array
    code, (_, counts), errors = run_one(folder, codes=rounded, numbers=numbers.tobytes())
    assert (code, counts["wrong"], counts["first"]) == (1, 1, 5)
    assert "numbers: WRONG, 5 of 6 same, 0 permitted" in errors
    assert "first at 5, expected 300 (0x0000012c), actual 300 (0x0000012c): is store_norm = nvidia, only " in errors
    assert "only nearest_even is allowed" in errors


def test_header_prints_negative_numbers(folder):
    """A report shows signed elements as such."""
    numbers = GOLDENS[0].result("numbers").base.array.copy()
    numbers[0, 0] = -2
    _, _, errors = run_one(folder, numbers=numbers.tobytes())
    assert "first at 0, expected 1 (0x00000001), actual -2 (0xfffffffe)" in errors


@pytest.mark.parametrize("size_B", [0, 3, 5, 7], ids=["none", "short", "between", "long"])
def test_header_wrong_number_of_bytes_fails(folder, size_B):
    """A buffer of no known size is wrong, and nothing beyond it is read."""
    code, (counts,), errors = run_one(folder, pool=bytes(size_B))
    assert (code, counts["bad"], counts["wrong"]) == (1, 1, 4)
    assert f"{size_B} bytes given, 4 expected" in errors


def test_header_takes_a_variant(folder):
    """A result of a variant's size is compared with the variant, padding aside."""
    code, (counts,), errors = run_one(folder, pool=bytes([1, 2, 3, 4, 5, 99]))
    assert (code, counts["undefined"], counts["padding"]) == (0, 5, 1)
    assert "as storage_alignment = page" in errors


def test_header_exact_refuses_slack(folder):
    """With exact set, what only slack permits is wrong, and worlds pass."""
    rounded, other_world = [11, 21, 30, 40, 50, 60, 70, 80], [10, 20, 30, 40, 50, 61, 70, 80]
    assert run_one(folder, exact=True, codes=bytes(rounded))[0] == 1
    assert run_one(folder, exact=True, codes=bytes(other_world))[0] == 0


def test_header_compiles_in_every_language_there_is(folder):
    """The same header is C99, C++11 and Objective-C, where this machine has their compilers."""
    for language in ("c++", "objective-c"):
        if has_compiler(language):
            done = compile_program(folder, language)
            assert (done.returncode, done.stderr) == (0, "")
            own = [[r.base.array.tobytes() for r in golden.results] for golden in GOLDENS]
            assert run(folder, [(i, 0, results) for i, results in enumerate(own)], language)[0] == 0


def test_header_explains_as_diff_does(folder):
    """A report names the allowed setting, the sizes there are, missing bytes, and choices of another golden."""
    one, other = GOLDENS[0].name, GOLDENS[1].name
    result = GOLDENS[1].results[0].base.name
    lines = ['#include "golden_0.h"', '#include "golden_1.h"', f"#define OTHER {c_prefix(other)}_{result}_compare"]
    (folder / "documented.c").write_text("\n".join([*lines, DOCUMENTED]))
    for language in filter(has_compiler, LANGUAGES):
        options = [*LANGUAGES[language][1:], "-x", language, *WARNINGS, "documented.c", "-o", "documented"]
        done = subprocess.run([compiler(language), *options], cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        said = subprocess.run([folder / "documented"], capture_output=True, text=True, check=False)
        assert said.returncode == 5
        assert said.stdout.splitlines() == [
            f"{one} pool: ok, 0 of 6 same, 6 permitted (6 undefined, 0 imprecise, 0 any, 0 padding) as {PAGE}",
            f"{one} pool: WRONG, all 4 wrong: this size says {GOB}, other results exclude that: only page is allowed",
            f"{one} codes: WRONG, no bytes given, 8 expected",
            f"{one} pool: WRONG, no bytes given, 4 expected, or 6 with {PAGE}",
            f"{other} {result}: WRONG, the choices belong to golden {one}, this is one of {other}: {ONE_EACH}",
            f"{one} codes: WRONG, 7 of 8 same, 0 permitted (0 undefined, 0 imprecise, 0 any, 0 padding), 1 wrong",
            f"  first at 0, expected 10 (0x0a), actual 11 (0x0b): is {EVEN}, only nvidia is allowed",
            f"{one} pool: ok, 4 of 4 same, 0 permitted (0 undefined, 0 imprecise, 0 any, 0 padding)",
        ]  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_header_says_why_in_the_words_of_diff(folder, seed):
    """On any bytes, the reason at the first wrong element is the one that refnvn gives there."""
    rng = np.random.default_rng(seed)
    runs = [
        (n, int(rng.integers(2)), perturbed(rng, GOLDENS[n])) for n in map(int, rng.integers(0, len(GOLDENS), 40))
    ]
    runs = [r for r in runs if fits(*r)]
    _, _, errors = run(folder, runs)
    said = iter(errors.replace("\n  first at", " first at").splitlines())
    for number, exact, results in runs:
        golden = GOLDENS[number]
        given_bytes = {r.base.name: b for r, b in zip(golden.results, results, strict=True)}
        for verdict in judge(golden, given_bytes, exact=bool(exact), most_places=1).results:
            line = next(said)
            reason = verdict.places[0].reason if verdict.places else ""
            if reason and not reason.startswith("bits "):
                assert reason in line, (number, exact, results)
            else:
                assert "allowed" not in line, (number, exact, results)


def has_compiler(language):
    """Whether this machine compiles a language."""
    command = [compiler(language), "-x", language, "-", "-o", os.devnull]
    try:
        return subprocess.run(command, input="int main(void) { return 0; }\n", text=True, check=False,
                              capture_output=True).returncode == 0  # fmt: skip
    except FileNotFoundError:
        return False


def judged(number, exact, results):
    """Return the lines that the program should print, as refnvn judges it."""
    golden = GOLDENS[number]
    given_bytes = {r.base.name: b for r, b in zip(golden.results, results, strict=True)}
    verdict = judge(golden, given_bytes, exact=bool(exact), most_places=0)
    lines = [
        [r.same, *(r.permitted[n] for n in ("undefined", "imprecise", "any", "padding")), r.wrong, r.first_wrong or 0]
        for r in verdict.results
    ]
    possible = [
        sum(1 << n for n in range(len(c.settings) + 1) if c.setting_name(n) in verdict.chosen[c.field])
        if c.scope == "run"
        else None
        for c in golden.choices
    ]
    return lines, possible


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_header_judges_as_compare_does(folder, seed):
    """On any bytes, of any of the goldens, the header counts what refnvn counts and leaves the same settings open."""
    rng = np.random.default_rng(seed)
    numbers = [int(n) for n in rng.integers(0, len(GOLDENS), 60)]
    runs = [(n, int(rng.integers(2)), perturbed(rng, GOLDENS[n])) for n in numbers]
    # A variant that exact refuses has no size left to judge by; refnvn raises, the header reports.
    runs = [r for r in runs if fits(*r)]
    code, lines, _ = run(folder, runs)
    found = iter(lines)
    wrong = 0
    for one in runs:
        expected, possible = judged(*one)
        actual = [[int(text) for text in next(found).split()][:7] for _ in expected]
        assert actual == expected, one
        left = [int(text) for text in next(found).split()]
        assert [a for a, p in zip(left, possible, strict=True) if p is not None] == [
            p for p in possible if p is not None
        ], one
        wrong |= any(line[5] for line in expected)
    assert code == int(wrong)


def fits(number, exact, results):
    """Whether the sizes of all results are those of an allowed frame."""
    try:
        judged(number, exact, results)
    except SizeError:
        return False
    return True


def test_random_goldens_reach_every_outcome():
    """The goldens and bytes of the property above reach permitted, wrong, several, padding, variants and clashes."""
    rng = np.random.default_rng(1)
    seen: set[str] = set()
    for number in range(len(GOLDENS)):
        for _ in range(60):
            results = perturbed(rng, GOLDENS[number])
            given_bytes = {r.base.name: b for r, b in zip(GOLDENS[number].results, results, strict=True)}
            verdict = judge(GOLDENS[number], given_bytes)
            seen.add(verdict.outcome)
            seen |= {reason for r in verdict.results for reason, count in r.permitted.items() if count}
            seen |= {"variant" for r in verdict.results if r.variant}
            seen |= {"whole" if c.index is None else "place" for c in verdict.contradictions}
    assert seen == {
        "same", "permitted", "wrong", "undefined", "imprecise", "any", "padding", "variant", "whole", "place",
    }  # fmt: skip


def test_header_of_a_large_golden_is_refused():
    """A header holds a few million values; more is refused with another way."""
    size_B = MOST_VALUES + 1
    case = GoldenCase(
        name="made_up/large", t_test="t_x", says="Large.", function=lambda _: [guest_bytes("b", bytes(size_B))]
    )
    with pytest.raises(SizeError, match="export npz"):
        c_header(build(case, worlds=(), slack=()))


def test_header_names_columns_rules_and_reasons():
    """The header says in comments what a reader needs: columns, rows, choices and why they are open."""
    text = c_header(made_up_golden())
    assert " * Columns: index | height_gob.\n" in text
    assert "/* three */" in text
    assert "store_norm: nvidia is NVN's; one setting for the whole golden." in text
    assert "nearest_even (imprecise): a port rounds to even." in text


def test_header_prints_32_bytes_a_line():
    """Bytes are printed readably, 32 a line."""
    case = GoldenCase(
        name="made_up/pool", t_test="t_x", says="Pool.", function=lambda _: [guest_bytes("b", bytes(range(64)))]
    )
    lines = [line for line in c_header(build(case)).splitlines() if line.startswith("    0x")]
    assert [line.count("0x") for line in lines] == [32, 32]
