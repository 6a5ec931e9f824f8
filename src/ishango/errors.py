"""The one exception that means "the request is wrong, and here is what to do about it"."""


class RequestError(ValueError):
    """A request that cannot be met as stated; its message is one sentence for the person who made it.

    The command line prints the message and exits with code 2, without a traceback.
    """
