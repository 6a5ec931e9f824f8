"""The web page: see a numeral system, watch runs, talk to agents. A server and a page without a build step."""

from ishango.explorer.app import create_app
from ishango.explorer.serve import serve
from ishango.explorer.site import Site
from ishango.explorer.snapshot import export_page

__all__ = ["Site", "create_app", "export_page", "serve"]
