"""Wrong things that a Metal path is known to do, each at one named point."""
