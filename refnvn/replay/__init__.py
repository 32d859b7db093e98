"""Commands in order, to pool bytes."""
