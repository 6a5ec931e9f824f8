"""The application: pages and API behind the gate."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from ishango import __version__
from ishango.errors import RequestError
from ishango.explorer import api
from ishango.explorer.launch import BusyError
from ishango.explorer.page_files import FILES, index, version
from ishango.explorer.runs import NoRunError
from ishango.explorer.safety import Gate
from ishango.explorer.site import Site

FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}


def create_app(site: Site) -> Gate:
    """The whole site as an ASGI application."""
    return Gate(application(site), site.host, site.token)


def application(site: Site) -> FastAPI:
    """Pages and API, as they are behind the gate."""
    app = FastAPI(title="Ishango explorer", version=__version__, docs_url=None, redoc_url=None)
    app.state.site = site
    app.include_router(api.router)
    for error, handler in _HANDLERS.items():
        app.add_exception_handler(error, handler)
    _add_pages(app)
    return app


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def front() -> Response:
        return Response(index(), media_type="text/html", headers={"cache-control": "no-cache"})

    @app.get("/static/{of}/{name}", include_in_schema=False)
    async def file(of: str, name: str) -> Response:
        if name not in FILES:
            raise HTTPException(404)
        # A page that is open since before the server was started anew may be of another version: it gets what there is.
        kept = FOR_EVER if of == version() else {}
        return Response(FILES[name].text(), media_type=FILES[name].media_type, headers=kept)


def _refuse(status: int) -> Any:
    def handler(_request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, status)

    return handler


def _http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": _sentence(str(error.detail))}, error.status_code, error.headers)


def _validation_error(_request: Request, error: Exception) -> JSONResponse:
    """What is wrong with the first field that is wrong."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "The body"
    return JSONResponse({"error": _sentence(f"{where}: {first['msg']}")}, 422)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _failure(_request: Request, _error: Exception) -> JSONResponse:
    return JSONResponse({"error": "The server failed; its terminal says more."}, 500)


_HANDLERS: dict[type[Exception], Any] = {
    HTTPException: _http_error,
    RequestValidationError: _validation_error,
    NoRunError: _refuse(404),
    BusyError: _refuse(429),
    RequestError: _refuse(409),
    Exception: _failure,
}
