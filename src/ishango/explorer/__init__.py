"""The web page: see a numeral system, watch runs, talk to agents. A server, and a page built in `web/explorer`."""

from ishango.registry import needs

needs("explorer", "Pages in the browser")

from ishango.explorer._app import create_app, open_browser, serve  # noqa: E402 - after what they need was looked for
from ishango.explorer._site import Site  # noqa: E402 - after what they need was looked for
from ishango.explorer._snapshot import export_page  # noqa: E402 - after what they need was looked for

__all__ = ["Site", "create_app", "export_page", "open_browser", "serve"]
