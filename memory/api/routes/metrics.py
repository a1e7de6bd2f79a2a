"""GET /metrics: the status for monitoring systems."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from memory.api.app_state import state_of
from memory.api.metrics import CONTENT_TYPE, metrics_text

router = APIRouter(tags=["status"])


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "Metrics, as text."}},
)
def get_metrics(request: Request) -> Response:
    """Return counts, sizes, latencies and the state of jobs in the text format of Prometheus."""
    return Response(metrics_text(state_of(request).workspace), media_type=CONTENT_TYPE)
