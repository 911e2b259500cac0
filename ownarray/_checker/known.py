"""Names outside of the program that mean something to ownership, each with its one meaning."""

from __future__ import annotations

from typing import Final

LIBRARY: Final = "ownarray"
MOVES: Final = frozenset({"ownarray.move", "ownarray.jax_move"})
RECLAIM: Final = "ownarray.reclaim"
AS_ARRAY: Final = "ownarray.asarray"
JIT: Final = "ownarray.jit"
SAME_TYPE: Final = frozenset(
    {"ownarray.copy", RECLAIM, "ownarray.dealias", "ownarray.stop_gradient"}
)
COPIERS: Final = frozenset({"copy.copy", "copy.deepcopy"})
LOOPS: Final = frozenset(
    f"ownarray.{name}" for name in ("fixed_point", "fori_loop", "while_loop", "scan", "cond")
)
TRANSFORMS: Final = frozenset(
    f"ownarray.{name}"
    for name in (
        *("grad", "value_and_grad", "vjp", "jvp", "linearize", "jacfwd", "jacrev", "hessian"),
        *("checkpoint", "custom_vjp", "custom_jvp", "vmap"),
    )
)
TRACING: Final = LOOPS | TRANSFORMS | {JIT}
"""Functions whose function arguments are traced."""
KEEPS_MODES: Final = frozenset(f"ownarray.{n}" for n in ("vmap", "checkpoint", "grad", "jit"))

NOT_ARRAYS: Final = frozenset(
    f"ownarray.{name}"
    for name in (
        *("live_arrays", "track_sites", "release_memory", "register", "finfo", "iinfo"),
        *("can_cast", "isdtype", "result_type", "broadcast_shapes", "meshgrid", "nonzero"),
        *("broadcast_arrays", "unstack", "unique_all", "unique_counts", "unique_inverse"),
    )
)
ARRAY_CLASS: Final = "ownarray.Array"
HANDLE_CLASS: Final = "ownarray.Moved"
MARKERS: Final = ("Owned", "Borrowed", "Mut")

METADATA: Final = frozenset({"shape", "dtype", "ndim", "size", "is_moved", "state"})
"""Attributes that may be read of a dead array."""
ARRAY_ATTRIBUTES: Final = METADATA | {"T", "mT", "real", "imag", "nbytes", "itemsize", "device"}
NEW_ARRAYS: Final = frozenset({"T", "mT", "real", "imag"})

NO_USE: Final = frozenset(f"builtins.{name}" for name in ("isinstance", "id", "type", "repr"))
"""Functions that look at an object without its values."""
LENGTH: Final = frozenset({"builtins.len"})
KEEPS_HANDLES: Final = frozenset(
    f"builtins.{name}"
    for name in ("print", "str", "format", "hash", "callable", "hasattr", "len", "bool", "vars")
)
"""Functions that never spend a handle."""
NEVER_RETURN: Final = frozenset(
    {"sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit"}
    | {"typing.assert_never", "typing_extensions.assert_never", "pytest.fail", "pytest.skip"}
)
SWALLOWING: Final = frozenset({"contextlib.suppress", "pytest.raises", "unittest.TestCase"})
TYPE_CHECKING: Final = frozenset({"typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"})
NEVER_TYPES: Final = frozenset({"NoReturn", "Never"})

VIEWS: Final = frozenset(
    {"builtins.memoryview", "numpy.asarray", "numpy.asanyarray", "numpy.ascontiguousarray"}
    | {
        "numpy.from_dlpack",
        "numpy.frombuffer",
        "torch.from_dlpack",
        "torch.utils.dlpack.from_dlpack",
    }
    | {"numpy.asfortranarray", "numpy.atleast_1d", "numpy.ravel", "numpy.reshape"}
    | {"numpy.transpose", "numpy.squeeze", "numpy.broadcast_to", "numpy.atleast_2d"}
)
"""Functions that make a zero-copy view of an array."""
COPYING_OPTIONS: Final = frozenset({"dtype", "copy"})
"""Options with which those may copy: then no view is taken for sure."""
VIEW_OF_VIEW: Final = frozenset(
    {"T", "real", "imag", "reshape", "ravel", "transpose", "view", "squeeze", "swapaxes", "flat"}
    | {"base", "data", "cast", "toreadonly", "diagonal", "mT"}
)
"""Attributes of a view that go on showing the same memory."""

SAME_ITEMS: Final = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.dict", "collections.OrderedDict", "copy.copy"}
    | {
        "collections.deque",
        "types.MappingProxyType",
        "collections.UserDict",
        "types.SimpleNamespace",
    }
)
"""Constructors of a new container with the items of the old one."""
SOME_ITEMS: Final = frozenset(
    {"builtins.sorted", "builtins.reversed", "builtins.set", "builtins.frozenset", "builtins.iter"}
    | {"builtins.filter", "itertools.chain", "itertools.islice", "itertools.tee"}
    | {"itertools.chain.from_iterable", "random.sample", "itertools.takewhile"}
)
"""... with items of the old one, in whatever order."""
REPEATS: Final = frozenset(
    {"builtins.dict.fromkeys", "itertools.repeat", "itertools.cycle", "itertools.pairwise"}
)
"""Functions whose result gives one object more than once."""
ONE_ITEM: Final = frozenset({"builtins.next", "random.choice", "functools.reduce"})
"""Functions that give back an item of their argument."""
ONE_OF: Final = frozenset({"builtins.max", "builtins.min"})
SOME_OF: Final = ONE_OF | {"builtins.next", "random.choice"}
LISTED: Final = frozenset(
    {"collections.deque"}
    | {f"builtins.{n}" for n in ("list", "tuple", "sorted", "iter", "reversed")}
)
TASKS: Final = frozenset(
    f"asyncio.{n}" for n in ("create_task", "ensure_future", "gather", "wait_for", "shield", "run")
)
"""Functions whose result holds what they are given until it is awaited."""
ZIPS: Final = frozenset({"builtins.zip", "itertools.zip_longest", "itertools.product"})
SAME_OBJECT: Final = frozenset(
    {"typing.cast", "typing_extensions.cast", "typing.assert_type", "typing.reveal_type"}
    | {"typing_extensions.assert_type", "typing_extensions.reveal_type", "builtins.reveal_type"}
)
REPLACE: Final = frozenset({"dataclasses.replace", "copy.replace", "attrs.evolve", "attr.evolve"})
FIELDS: Final = frozenset({"builtins.vars"})
ATTRIBUTES: Final = frozenset({"builtins.getattr", "builtins.setattr", "builtins.delattr"})
WRAPPERS: Final = frozenset({"functools.partial", "functools.partialmethod"})

ADDS_ITEM: Final = frozenset({"append", "add", "appendleft", "put", "put_nowait", "push"})
ADDS_LAST: Final = frozenset({"insert", "setdefault", "__setitem__"})
ADDS_ITEMS: Final = frozenset({"extend", "extendleft", "update"})
ADDS_FIRST: Final = frozenset({"insert", "appendleft"})
REORDERS: Final = frozenset({"reverse", "sort", "remove", "rotate"})
TAKES_OUT: Final = frozenset({"pop", "popleft", "popitem", "get_nowait"})
LOOKS_UP: Final = frozenset({"get", "setdefault"})
LISTS: Final = frozenset({"values", "items"})
COPIES: Final = frozenset({"copy", "__copy__"})
FORGETS: Final = frozenset({"clear"})
HARMLESS: Final = frozenset({"keys", "index", "count", "sort", "reverse", "task_done", "qsize"})
"""Methods of containers that reach no item's values."""
ORDERED: Final = frozenset({"enumerate", "zip", "items", "values", "reversed", "sorted"})

TRANSPARENT: Final = frozenset(
    {"builtins.staticmethod", "builtins.classmethod", "typing.final", "typing.override"}
    | {"typing.overload", "abc.abstractmethod", "functools.wraps", "functools.cache"}
    | {"functools.lru_cache", "typing_extensions.override", "typing.no_type_check"}
    | {"pytest.mark.parametrize", "pytest.mark.slow", "pytest.fixture", "typing.runtime_checkable"}
)
PROPERTIES: Final = frozenset({"builtins.property", "functools.cached_property"})
DATACLASSES: Final = frozenset({"dataclasses.dataclass", "attrs.define", "attr.s", "attrs.frozen"})
NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "collections.namedtuple"})
ENUMS: Final = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
CONTEXT_MANAGERS: Final = frozenset({"contextlib.contextmanager", "contextlib.asynccontextmanager"})
GIVES_ITSELF: Final = frozenset({"contextlib.nullcontext", "contextlib.closing"})

SEQUENCES: Final = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "deque", "set", "frozenset", "Set", "Iterable"}
    | {"Iterator", "Collection", "AbstractSet", "Generator", "AsyncIterator", "Deque", "Reversible"}
    | {"Queue", "AsyncIterable", "AsyncGenerator"}
)
MAPPINGS: Final = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "DefaultDict"}
)
SCALARS: Final = frozenset({"int", "float", "bool", "str", "bytes", "complex", "None", "range"})
