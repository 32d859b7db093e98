"""The switchboard: what could be otherwise, how well each rule is known, and what a port is not asked to match."""
