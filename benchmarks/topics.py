"""The list of topics, in the order in which they are measured and shown."""

from benchmarks import (
    bench_adam,
    bench_cache,
    bench_calls,
    bench_chain,
    bench_checker,
    bench_eager,
    bench_elimination,
    bench_exchange,
    bench_fixed_point,
    bench_import,
    bench_kernels,
    bench_latency,
    bench_scatter,
    bench_softmax,
    bench_stencil,
    bench_training,
)
from benchmarks.case import Topic

TOPICS: tuple[Topic, ...] = (
    *bench_adam.TOPICS,
    *bench_training.TOPICS,
    *bench_fixed_point.TOPICS,
    *bench_stencil.TOPICS,
    *bench_cache.TOPICS,
    *bench_scatter.TOPICS,
    *bench_exchange.TOPICS,
    *bench_elimination.TOPICS,
    *bench_softmax.TOPICS,
    *bench_chain.TOPICS,
    *bench_kernels.TOPICS,
    *bench_calls.TOPICS,
    *bench_eager.TOPICS,
    *bench_latency.TOPICS,
    *bench_import.TOPICS,
    *bench_checker.TOPICS,
)


def find_topic(name: str) -> Topic:
    """Return the topic of that name."""
    for topic in TOPICS:
        if topic.name == name:
            return topic
    raise ValueError(f"no topic {name!r}; there are {', '.join(t.name for t in TOPICS)}")
