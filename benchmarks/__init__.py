"""Measurements of ownarray and its peers: ``python -m benchmarks``; see docs/benchmarks.md."""
