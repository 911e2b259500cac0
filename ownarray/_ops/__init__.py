"""Every primitive, and NumPy's semantics on top of them."""
