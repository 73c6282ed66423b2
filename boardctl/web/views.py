"""The pages people open: the board, the operator's page, the rule cards, the QR code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from boardctl.web.auth import COOKIE, Operator, Verdict
from boardctl.web.pages import Page, public_url, qr_svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from boardctl.web.settings import WebSettings

_PAGES: Final = {"/": "index.html", "/cards": "cards.html", "/operator": "operator.html"}
_COOKIE_AGE_S: Final = 30 * 24 * 3600


class Views:
    """Routes that answer with files."""

    def __init__(
        self, pages: Mapping[str, Page], settings: WebSettings, operator: Operator
    ) -> None:
        self._pages = pages
        self._operator = operator
        url = public_url(settings)
        self._qr = None if url is None else qr_svg(url)

    def routes(self) -> list[Route]:
        """Return the routes of all pages and files."""
        return [
            Route("/", self._page, methods=["GET"]),
            Route("/cards", self._page, methods=["GET"]),
            Route("/operator", self._operator_page, methods=["GET"]),
            Route("/qr.svg", self._qr_code, methods=["GET"]),
            Route("/favicon.ico", self._icon, methods=["GET"]),
            Route("/static/{path:path}", self._static, methods=["GET"]),
            Route("/api/openapi.json", self._openapi, methods=["GET"]),
        ]

    async def _page(self, request: Request) -> Response:
        return self._pages[_PAGES[request.url.path]].response(request)

    async def _operator_page(self, request: Request) -> Response:
        """Turn the link's token into a cookie and take it out of the address bar."""
        token = request.query_params.get("token")
        if token is None:
            return await self._page(request)
        verdict, cookie = self._operator.cookie(token, address_of(request))
        if verdict is Verdict.TOO_MANY_GUESSES:
            return refuse(verdict)
        if verdict is not Verdict.ALLOWED:
            return RedirectResponse("/operator?wrong=1", status_code=303)
        response = RedirectResponse("/operator", status_code=303)
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=_COOKIE_AGE_S,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    async def _static(self, request: Request) -> Response:
        page = self._pages.get(request.path_params["path"])
        if page is None:
            return JSONResponse({"error": "no such file"}, status_code=404)
        return page.response(request)

    async def _icon(self, request: Request) -> Response:
        return self._pages["icon.svg"].response(request)

    async def _openapi(self, request: Request) -> Response:
        return self._pages["openapi.json"].response(request)

    async def _qr_code(self, _: Request) -> Response:
        if self._qr is None:
            return JSONResponse({"error": "only this machine can open the page"}, status_code=404)
        return Response(self._qr, media_type="image/svg+xml")


def address_of(request: Request) -> str:
    """Return the address a request comes from."""
    return request.client.host if request.client is not None else ""


def refuse(verdict: Verdict) -> JSONResponse:
    """Return the answer to a request that may not give commands."""
    if verdict is Verdict.TOO_MANY_GUESSES:
        return JSONResponse(
            {"error": "too many wrong tokens from this address; wait a minute"},
            status_code=verdict.value,
            headers={"retry-after": "60"},
        )
    return JSONResponse(
        {"error": "this needs the operator's token; 'boardctl operator-link' prints it"},
        status_code=verdict.value,
        headers={"www-authenticate": "Bearer"},
    )
