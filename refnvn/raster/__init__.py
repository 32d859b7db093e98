"""From vertex outputs to stored pixels."""
