"""The static ownership checker: control flow of events, and a may-moved analysis over places.

Two front ends use it: the command ``python -m ownarray check`` and the mypy plugin, which adds
exact types. Nothing here imports more than the standard library and the shared tables.
"""
