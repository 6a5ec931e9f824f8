"""The web page: see a numeral system, watch runs, talk to agents. A server and a page without a build step."""

from ishango.registry import needs

needs("explorer", "Pages in the browser")

from ishango.explorer.app import create_app, serve  # noqa: E402
from ishango.explorer.site import Site  # noqa: E402
from ishango.explorer.snapshot import export_page  # noqa: E402

__all__ = ["Site", "create_app", "export_page", "serve"]
