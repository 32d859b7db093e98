"""The switchboard, and who may ask for another setting."""

import dataclasses

import numpy as np
import pytest

from refnvn.rules.alternatives import Alternative
from refnvn.rules.fields import (
    FIELDS,
    NVN,
    AutoBlockHeight,
    Rules,
    Scope,
    StoreNorm,
    StoreSrgb,
    index,
    settings_of,
    watch,
)
from refnvn.rules.slack import METAL, SLACK
from refnvn.rules.worlds import WORLDS


@pytest.mark.parametrize("field", FIELDS)
def test_the_default_of_a_field_is_its_first_setting(field: str) -> None:
    """A field's enumeration lists NVN's setting first, numbered from 0 with no gap, and has another."""
    settings = list(settings_of(field))
    assert getattr(NVN, field) is settings[0]
    assert [int(one) for one in settings] == list(range(len(settings)))
    assert len(settings) > 1


def test_lowered_rules_are_indexed_by_field() -> None:
    """``lower`` holds each setting at the index of its field, as int32."""
    rules = NVN.with_(store_srgb=StoreSrgb.NEAREST, auto_block_height=AutoBlockHeight.ROWS_OVER_8)
    lowered = rules.lower()
    assert lowered.dtype == np.int32
    assert lowered.shape == (len(FIELDS),)
    assert [lowered[index(field)] for field in FIELDS] == [int(getattr(rules, field)) for field in FIELDS]
    assert (lowered[index("store_srgb")], lowered[index("auto_block_height")], lowered.sum()) == (1, 2, 3)


def test_rules_are_frozen_values() -> None:
    """Equal settings are equal and hash alike; a field cannot be set in place; an unknown field is refused."""
    assert NVN.with_(store_norm=StoreNorm.NVIDIA) == NVN
    assert hash(Rules()) == hash(NVN)
    assert NVN.with_(store_norm=StoreNorm.NEAREST_EVEN) != NVN
    with pytest.raises(dataclasses.FrozenInstanceError):
        NVN.store_norm = StoreNorm.NEAREST_EVEN  # type: ignore[misc]
    with pytest.raises(TypeError, match="no_such_field"):
        NVN.with_(no_such_field=StoreNorm.NVIDIA)


def test_watched_rules_note_what_is_read() -> None:
    """Only the fields that were read are noted, also through rules that were set otherwise on the way."""
    watched = watch(METAL)
    assert watched.read == set()
    other = watched.with_(store_norm=StoreNorm.NVIDIA)
    assert watched.read == set()
    assert other.store_norm is StoreNorm.NVIDIA
    assert watched.store_srgb is StoreSrgb.NEAREST
    assert watched.read == {"store_norm", "store_srgb"}


def test_lowering_watched_rules_counts_as_reading_all() -> None:
    """A kernel may read any switch that it is given."""
    watched = watch()
    assert watched.lower().tolist() == NVN.lower().tolist()
    assert watched.read == set(FIELDS)


@pytest.mark.parametrize("one", [*WORLDS, *SLACK], ids=lambda one: f"{one.field}-{one.setting.name}")
def test_an_alternative_is_another_setting_with_a_reason(one: Alternative) -> None:
    """A world or slack asks for a setting of an existing field that is not NVN's, and says why."""
    assert one.field in FIELDS
    assert isinstance(one.setting, settings_of(one.field))
    assert one.setting is not getattr(NVN, one.field)
    assert len(one.because.split()) >= 3
    assert getattr(one.of(), one.field) is one.setting
    assert [f for f in FIELDS if getattr(one.of(), f) != getattr(NVN, f)] == [one.field]


def test_no_alternative_is_listed_twice() -> None:
    """A setting is either what NVN may do or what a port may do, once."""
    asked = [(one.field, one.setting) for one in (*WORLDS, *SLACK)]
    assert len(set(asked)) == len(asked)


def test_metal_differs_in_the_slack_fields_exactly() -> None:
    """The profile of Metal's conversions sets every field of the slack that a port sets once, and no other."""
    different = {field for field in FIELDS if getattr(METAL, field) != getattr(NVN, field)}
    assert different == {one.field for one in SLACK if one.scope is Scope.RUN}
