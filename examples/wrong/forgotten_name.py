"""Wrong on purpose: the old name is used after its memory was given away."""

import ownarray as oa


@oa.jit
def smooth(signal: oa.Owned[oa.Array]) -> oa.Array:
    """Return the mean of each element and its neighbours, in the signal's memory."""
    signal[1:-1] = (signal[:-2] + signal[1:-1] + signal[2:]) / 3
    return signal


signal = oa.linspace(0.0, 1.0, 1_000_000)
smoothed = smooth(oa.move(signal))
change = oa.max(oa.abs(smoothed - signal))
print("largest change:", change)
