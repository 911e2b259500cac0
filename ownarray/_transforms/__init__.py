"""Functions of functions: compiling, loops, derivatives, batching."""
