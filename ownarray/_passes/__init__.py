"""From programs to programs: derivatives and batching."""
