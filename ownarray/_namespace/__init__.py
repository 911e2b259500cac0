"""The public functions, by the chapters of the array API standard."""
