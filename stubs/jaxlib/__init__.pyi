"""The part of jaxlib that ownarray._backend uses; a name missing here is a type error there."""

__version__: str
