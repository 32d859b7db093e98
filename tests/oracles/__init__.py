"""Other implementations as referees, each with its known differences by cause."""
