"""Random numbers: generators with NumPy's method names, eager and inside compiled functions.

A generator counts: its state is a key and the number of blocks of random words it has used, two
small arrays. So it is a tree, like a tuple of them: pass it to a compiled function as
``oa.Mut[oa.random.Generator]`` (or return it), and its state goes on from call to call.
"""

from ownarray._namespace.generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]
