"""What can go wrong with a run, apart from a wrong request."""


class RunError(RuntimeError):
    """A run that cannot go on (a full disk, say); one sentence for the person who started it.

    What was written before is intact, and the same command continues the run.
    """


class RunWarning(UserWarning):
    """Something the person who started the run should know, though the run goes on."""
