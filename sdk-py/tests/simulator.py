"""The stand-in chat platform as a child process, and discord.py clients that log in to it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
import urllib.request
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import yarl
from discord import gateway, http

_MAIN = Path(__file__).parents[2] / "chat-sim" / "dist" / "main.js"
DEADLINE_S = 15.0


class Simulator:
    """Control of one simulation. chat-sim/README.md."""

    def __init__(self, urls: dict[str, str]) -> None:
        self.rest_url = urls["restUrl"]
        self.gateway_url = urls["gatewayUrl"]
        self._control_url = urls["controlUrl"]

    def get(self, view: str) -> Any:
        with urllib.request.urlopen(f"{self._control_url}/{view}", timeout=DEADLINE_S) as answer:
            return json.load(answer)

    def post(self, command: str, /, **given: Any) -> Any:
        request = urllib.request.Request(
            f"{self._control_url}/{command}",
            json.dumps(given).encode(),
            {"Content-Type": "application/json"},
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    async def call(self, command: str, /, **given: Any) -> Any:
        return await asyncio.to_thread(lambda: self.post(command, **given))

    async def view(self, name: str) -> Any:
        return await asyncio.to_thread(self.get, name)

    def adopt(self) -> None:
        """Points discord.py at this simulation."""
        http.Route.BASE = f"{self.rest_url}/v10"
        socket: Any = gateway.DiscordWebSocket
        socket.DEFAULT_GATEWAY = yarl.URL(self.gateway_url)


@contextmanager
def simulator(**options: int) -> Generator[Simulator, None, None]:
    args = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
    process = subprocess.Popen(
        ["node", str(_MAIN), "--port", "0", *args], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        made = Simulator(json.loads(process.stdout.readline()))
        made.adopt()
        yield made
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


@asynccontextmanager
async def running(
    client: Any, ready: Callable[[], Awaitable[None]] | None = None
) -> AsyncGenerator[Any, None]:
    """Runs a client until the block ends."""
    task = asyncio.create_task(client.start("a.test.token"))
    try:
        await until(client.is_ready, "ready", task=task)
        if ready is not None:
            await ready()
        yield client
    finally:
        await client.close()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(task, DEADLINE_S)


async def until(
    done: Callable[[], Any],
    what: str,
    timeout_s: float = DEADLINE_S,
    task: asyncio.Task[Any] | None = None,
) -> Any:
    """Waits until ``done`` answers something true."""
    until_s = time.monotonic() + timeout_s
    while time.monotonic() < until_s:
        found = done()
        if found:
            return found
        if task is not None and task.done():
            task.result()
        await asyncio.sleep(0.02)
    raise AssertionError(f"not within {timeout_s} s: {what}")
