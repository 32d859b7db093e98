"""Layout vectors against the layout rules."""

from __future__ import annotations

from refnvn.conformance.schema import Schema

SCHEMAS: tuple[Schema, ...] = ()
