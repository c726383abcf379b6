"""A server on loopback that speaks the Messages protocol, for tests of the wire.

It answers what it was told to, in order, and keeps what it was sent: the real SDK, real
sockets, no network.
"""

import base64
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of the server."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request, as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """Text parts of the first message, in order."""
        content = self.body["messages"][0]["content"]
        return [part["text"] for part in content if part["type"] == "text"]

    @property
    def pictures(self) -> list[bytes]:
        """Pictures of the first message, in order."""
        return [
            base64.b64decode(part["source"]["data"])
            for part in self.body["messages"][0]["content"]
            if part["type"] == "image"
        ]


def says(
    answer: object, *, stop: str = "end_turn", tokens: tuple[int, int] = (100, 20)
) -> Reply:
    """A message with this text, or with this value as JSON."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "a-model",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }
    return Reply(body=json.dumps(body).encode())


def fails(status: int, message: str = "no", **headers: str) -> Reply:
    """An error; underscores in header names stand for hyphens."""
    body = {"type": "error", "error": {"type": "some_error", "message": message}}
    return Reply(
        status=status,
        body=json.dumps(body).encode(),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


class MessagesServer:
    """Answers in order; the last reply answers all that follows.

    Use it in a `with` statement. `url` is where it listens, `seen` what it was sent.
    """

    def __init__(self, *replies: Reply) -> None:
        self.seen: list[Seen] = []
        self._replies = list(replies)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Start to listen."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and wait for what is still being answered."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, seen: Seen) -> Reply:
        """Keep a request and give its reply."""
        with self._lock:
            self.seen.append(seen)
            reply = self._replies[0]
            if len(self._replies) > 1:
                del self._replies[0]
        self._closing.wait(reply.delay_s)
        return reply


def _handler(owner: MessagesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet a reply: unbuffered, each call costs 40 ms
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            seen = Seen(
                path=self.path,
                headers={name.lower(): value for name, value in self.headers.items()},
                body=json.loads(self.rfile.read(length)),
            )
            reply = owner.take(seen)
            try:
                self.send_response(reply.status)
                headers = {"content-type": "application/json", **reply.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                self.wfile.flush()
            except OSError:  # the client did not wait
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
