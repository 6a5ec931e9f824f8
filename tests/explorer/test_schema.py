"""The API against its own schema: whatever fits it is answered as it says, whatever does not is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, settings

from ishango.explorer import Site
from ishango.explorer._app import application

EVENTS = "/api/events"
"""Never ends, so it is tested by itself."""
TOO_LONG = (413, 414)
"""What is answered to a body or an address that no schema can be asked about."""

schema = schemathesis.openapi.from_dict(application(Site(Path("nowhere"))).openapi()).exclude(path=EVENTS)


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_api_keeps_its_word(case: Any, client: httpx.Client) -> None:
    answer = case.call(base_url=str(client.base_url))
    if answer.status_code not in TOO_LONG:  # refused before anybody looks at what it asks for
        case.validate_response(answer)
