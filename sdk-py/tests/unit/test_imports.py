"""What the import of the package takes along, and when. Decision 0063."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("asyncio", "ssl", "http.client", "socket", "inspect", "dataclasses", "aiohttp", "discord")


def run(code: str) -> str:
    return subprocess.check_output([sys.executable, "-c", code], text=True, timeout=30).strip()


def test_the_import_leaves_out_what_only_sending_and_attaching_need() -> None:
    """Import to 60 ms: these modules would double it."""
    seen = run(f"import sys, vendor_chat; print([m for m in {HEAVY} if m in sys.modules])")
    assert seen == "[]"


def test_the_sending_thread_imports_nothing() -> None:
    """A fork in the middle of an import would leave the child waiting for that module's lock."""
    code = """
import sys, threading
import vendor_chat
analytics = vendor_chat.Analytics(api_key="key", endpoint="http://127.0.0.1:1")
before = set(sys.modules)
by = []
class Watch:
    def find_spec(self, name, path=None, target=None):
        by.append((threading.current_thread().name, name))
sys.meta_path.insert(0, Watch())
analytics.capture_error(ValueError("x"))
analytics.close(0.5)
print(sorted(set(sys.modules) - before), [one for one in by if one[0] == "vendor-chat"])
print(analytics.stats().last_error)
"""
    assert run(code).splitlines() == ["[] []", "ECONNREFUSED"]
