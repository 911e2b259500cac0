"""LAPACK is loaded when the first program that calls it is compiled, or loaded from disk."""

from __future__ import annotations

import pytest

from tests.backend.test_client import run

WITH_LAPACK = """
    assert "scipy" not in sys.modules
    import ownarray as oa
    a = np.eye(64) * 4.0
    assert "scipy.linalg.cython_lapack" not in sys.modules
    solve = oa.jit(lambda a: oa.linalg.svd(a).S)
    assert np.allclose(np.asarray(solve(oa.asarray(a))), 4.0)
    assert "scipy.linalg.cython_lapack" in sys.modules
    print("done")
    """


@pytest.mark.slow
def test_it_is_loaded_late_and_from_disk_too(tmp_path: str) -> None:
    for _ in range(2):
        done = run(WITH_LAPACK, OWNARRAY_CACHE_DIR=str(tmp_path))
        assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr
