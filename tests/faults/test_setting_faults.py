"""Settings that nobody may have are faults with a symptom and the rows of the ledger that they are faults of."""

import pytest

from refnvn.errors import FieldRangeError
from refnvn.faults.setting_faults import _SEEN, setting_fault, setting_faults
from refnvn.rules.fields import FIELDS, NVN, AutoBlockHeight, DiscardedContent, StoreNorm
from refnvn.rules.ledger import ledger_row


def test_the_layout_rows_of_the_ledger_have_their_faults() -> None:
    """Seven rows of layout are broken by settings, each by those that its row tells of."""
    named = {(row, one.id) for one in setting_faults(FIELDS) for row in one.rows}
    assert named >= {
        ("auto-block-height", "auto_block_height=round_up"),
        ("auto-block-height", "auto_block_height=rows_over_8"),
        ("cube-array-faces", "cube_array_depth=cubes"),
        ("sparse-64k", "sparse_padding=never"),
        ("sparse-tile-height", "sparse_height=automatic"),
        ("sparse-8gob-cap", "sparse_height=automatic"),
        ("sparse-3d-tile", "sparse_height=automatic"),
        ("sparse-small-auto", "sparse_small=tile"),
    }
    assert ("sparse-64k", "sparse_small=tile") not in named


def test_every_symptom_belongs_to_a_setting_that_is_a_fault() -> None:
    """None is left over from a setting that is gone or permitted; rows are rows with a fault."""
    found = {one.id: one for one in setting_faults(FIELDS)}
    assert set(_SEEN) <= set(found)
    assert all(ledger_row(row).metal_fault for one in found.values() for row in one.rows)
    assert all(one.symptom for one in found.values())


def test_a_setting_without_a_symptom_of_its_own_tells_its_words() -> None:
    """The words under the setting, and the rows of the rules that read the field."""
    one = setting_fault("unordered_reads", "oldest")
    assert one.symptom.startswith("unordered_reads is otherwise: ")
    assert set(one.rows) >= {"pool-depth-reader", "barrier-war", "feedback-snapshot"}


def test_a_setting_fault_sets_its_field_and_nothing_else() -> None:
    """The rules are NVN's but for one field."""
    one = setting_fault("auto_block_height", "round_up")
    assert one.rules(NVN) == NVN.with_(auto_block_height=AutoBlockHeight.ROUND_UP)


def test_settings_that_nvn_or_a_port_may_have_are_no_faults() -> None:
    """Rounding to nearest is slack; the probes that stand for undefined content are of a world."""
    assert not {"store_norm=nearest_even"} & {one.id for one in setting_faults({"store_norm"})}
    assert NVN.store_norm is not StoreNorm.NEAREST_EVEN
    assert NVN.discarded_content is DiscardedContent.KEPT
    assert setting_faults({"discarded_content", "unordered_reads"}) == []
    assert setting_faults(()) == []


@pytest.mark.parametrize(("field", "setting"), [("no_field", "x"), ("store_norm", "sideways")])
def test_a_setting_that_is_not_there_is_named(field: str, setting: str) -> None:
    """One error, with those that there are."""
    with pytest.raises(FieldRangeError, match=f"{field}={setting}"):
        setting_fault(field, setting)
