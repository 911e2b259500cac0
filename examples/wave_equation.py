"""Simulate waves on a square in two buffers that trade places.

The state is the height now and one step before. A step writes the next height over the older one,
then the two trade names; both are moved, so no third buffer is ever made.

Run it with ``python -m examples.wave_equation``.
"""

import ownarray as oa

Water = tuple[oa.Array, oa.Array]
COURANT = 0.25  # (speed * time step / cell)^2, stable up to 1/2


def step(water: Water) -> Water:
    """Advance (before, now) to (now, next)."""
    before, now = water
    around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
    centre = now[1:-1, 1:-1]
    before[1:-1, 1:-1] = 2.0 * centre - before[1:-1, 1:-1] + COURANT * (around - 4.0 * centre)
    return now, before


@oa.jit(static_argnames="n_steps")
def simulate(water: oa.Owned[Water], n_steps: int) -> Water:
    """Advance by some steps in the state's own memory."""
    return oa.fixed_point(step, n_steps, oa.move(water))


def drop(n: int) -> Water:
    """Return still water with a drop in the middle."""
    axis = oa.linspace(-1.0, 1.0, n, dtype=oa.float32)
    height = oa.exp(-200.0 * (axis[:, None] ** 2 + axis[None, :] ** 2))
    return oa.copy(height), height


def energy(water: Water) -> float:
    """Return what must hardly change: kinetic and potential energy, in units of the grid."""
    before, now = water
    kinetic = oa.sum((now - before) ** 2)
    down = (now[1:] - now[:-1]) * (before[1:] - before[:-1])
    across = (now[:, 1:] - now[:, :-1]) * (before[:, 1:] - before[:, :-1])
    return float(kinetic + COURANT * (oa.sum(down) + oa.sum(across)))


def main() -> None:
    """Simulate, and show that the energy stays."""
    water = drop(401)
    print(f"step    0: height in the middle {float(water[1][200, 200]):+.4f}")
    first = energy(water)
    for k in range(1, 5):
        water = simulate(oa.move(water), n_steps=50)
        height, kept = float(water[1][200, 200]), energy(water) / first
        print(f"step {50 * k:4}: height in the middle {height:+.4f}, energy {kept:.6f}")


if __name__ == "__main__":
    main()
