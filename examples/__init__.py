"""Programs that use ownarray; run one with ``python -m examples.NAME``."""
