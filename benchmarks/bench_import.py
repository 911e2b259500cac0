"""How long imports take, against importing numpy and jaxlib."""

import importlib

from benchmarks.case import Case, Once, Topic, Variant


def _imports(needs: str, *modules: str) -> Variant:
    def build(_: bool) -> Case:
        def call() -> None:
            for module in modules:
                importlib.import_module(module)

        return Once(call=call)

    return Variant(needs=needs, build=build)


def _ownarray_used(_: bool) -> Case:
    """Import, and use it once: lazy names are loaded then."""

    def call() -> None:
        import ownarray as oa

        oa.asarray([1.0, 2.0]) + 1.0

    return Once(call=call)


TOPICS = (
    Topic(
        name="import",
        title="Import",
        variants={
            "numpy and jaxlib": _imports("jaxlib", "numpy", "jaxlib.xla_client"),
            "ownarray": _imports("ownarray", "ownarray"),
            "ownarray, first array": Variant(needs="ownarray", build=_ownarray_used),
            "ownarray.mypy": _imports("mypy", "ownarray.mypy"),
            "jax": _imports("jax", "jax", "jax.numpy"),
        },
    ),
)
