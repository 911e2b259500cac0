"""Everything that touches jaxlib: programs go in as text, buffers come out.

No other package imports jaxlib, and nothing here imports jax, not even through a jaxlib function
that does so by itself. The modules: `client` (the one CPU client and what differs between jaxlib
versions), `buffers` (where buffers are born, handed on and freed), `compile` (text to executable),
`cache` (executables on disk), `views` (what the outside world may read), `pool` (dead memory for
reuse), `ffi` and `lapack` (host kernels inside compiled programs; both loaded on demand).
"""

import os

# jaxlib reads this when it is loaded, which the modules of this package do: no start-up chatter.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
