"""From programs to StableHLO text."""
