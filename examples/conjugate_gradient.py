"""Solve a linear system by conjugate gradients, as a loop that stops by itself.

The matrix is never made: it is the function `laplacian`. The state of the loop (solution,
residual, direction) is moved in, so the solver holds its three vectors and no more.

Run it with ``python -m examples.conjugate_gradient``.
"""

from typing import NamedTuple

import ownarray as oa


class Solver(NamedTuple):
    """What the loop carries."""

    solution: oa.Array
    residual: oa.Array
    direction: oa.Array
    squared: oa.Array
    n_steps: oa.Array


def laplacian(u: oa.Array) -> oa.Array:
    """Return minus the second differences of u on a square with zero around it."""
    padded = oa.pad(u, 1)
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return 4.0 * u - around


def advance(s: Solver) -> Solver:
    """Do one step of the method."""
    image = laplacian(s.direction)
    length = s.squared / oa.sum(s.direction * image)
    solution = s.solution + length * s.direction
    residual = s.residual - length * image
    squared = oa.sum(residual * residual)
    direction = residual + (squared / s.squared) * s.direction
    return Solver(solution, residual, direction, squared, s.n_steps + 1)


@oa.jit
def solve(right: oa.Owned[oa.Array], tolerance: float) -> Solver:
    """Solve ``laplacian(u) = right``; the right side's memory becomes the residual's."""
    squared = oa.sum(right * right)
    limit = squared * tolerance**2
    start = Solver(
        solution=oa.zeros_like(right),
        residual=right,
        direction=oa.copy(right),
        squared=squared,
        n_steps=oa.asarray(0),
    )
    return oa.while_loop(lambda s: s.squared > limit, advance, oa.move(start))


def main() -> None:
    """Solve for a point source, and check the solution."""
    n = 200
    right = oa.zeros((n, n))
    right[n // 2, n // 2] = 1.0
    solved = solve(oa.move(right), 1e-8)
    source = oa.zeros((n, n))
    source[n // 2, n // 2] = 1.0
    error = oa.max(oa.abs(laplacian(solved.solution) - source))
    print(f"{int(solved.n_steps)} steps, largest error {float(error):.1e}")


if __name__ == "__main__":
    main()
