"""What can go wrong with a run, apart from a wrong request."""

from ishango.errors import RunError

__all__ = ["RunError", "RunWarning"]


class RunWarning(UserWarning):
    """Something the person who started the run should know, though the run goes on."""
