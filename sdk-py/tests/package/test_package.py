"""The wheel and the sdist: built, looked into, installed into an empty environment elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import vendor_chat
from sink import sink

_SDK = Path(__file__).parents[2]
_PROGRAM = """
import sys
import vendor_chat
assert not [name for name in sys.modules if name.split(".")[0] in ("discord", "aiohttp")]
analytics = vendor_chat.Analytics(flush_interval_ms=60_000)
analytics.capture_error(ValueError("installed"))
print(vendor_chat.__version__, vendor_chat.__file__)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(_SDK)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_wheel(built: Path) -> None:
    names = zipfile.ZipFile(only(built, "*.whl")).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"vendor_chat", "vendor_chat_py"}
    assert "vendor_chat/py.typed" in names
    assert "vendor_chat/discord/adapter.py" in names
    metadata = next(name for name in names if name.endswith("METADATA"))
    text = zipfile.ZipFile(only(built, "*.whl")).read(metadata).decode()
    assert "Name: vendor-chat.py\n" in text
    assert f"Version: {vendor_chat.__version__}\n" in text
    # Nothing is required; discord.py is the bot's own.
    required = [line for line in text.splitlines() if line.startswith("Requires-Dist")]
    assert [line for line in required if "extra ==" not in line] == []


def test_sdist(built: Path) -> None:
    with tarfile.open(only(built, "*.tar.gz")) as archive:
        names = archive.getnames()
    assert any(name.endswith("src/vendor_chat/py.typed") for name in names)
    assert any(name.endswith("README.md") for name in names)
    assert [name for name in names if "/tests/" in name] == []


def test_installed_into_an_empty_environment(built: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*install, str(only(built, "*.whl"))], check=True)
    with sink() as server:
        done = subprocess.run(
            [str(python), "-W", "error", "-c", _PROGRAM],
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "BOT_ANALYTICS_API_KEY": "key",
                "BOT_ANALYTICS_ENDPOINT": server.url,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        messages = [event["data"]["message"] for event in server.events]
    assert (done.returncode, done.stderr) == (0, "")
    version, file = done.stdout.split()
    assert version == vendor_chat.__version__
    assert str(tmp_path) in file
    assert messages == ["installed"]
