"""Derivatives and batching: interpreters of primitives, and what they make of programs."""
