"""Builds the wheel of the package `stoss` with CMake (PEP 517). Needs nothing but the standard
library, and the Debian packages of the sections [build] and [python] in packages.txt.

``pip install . --config-settings build-dir=FOLDER`` builds in a folder of your own, which may be one
that was configured with -DSTOSS_PYTHON=ON before. ``--config-settings user-laws=FOLDER`` adds the
contact laws of a folder, one header a law."""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _version() -> str:
    """That of the core."""
    text = (ROOT / "CMakeLists.txt").read_text()
    found = re.search(r"^project\(stoss VERSION ([0-9.]+)", text, re.M)
    if not found:
        raise RuntimeError("CMakeLists.txt names no version")
    return found.group(1)


def _metadata() -> str:
    return (
        f"Metadata-Version: 2.1\nName: stoss\nVersion: {_version()}\n"
        "Summary: Impact mechanics: two bodies collide, what happens?\n"
        "License: BSD-3-Clause\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
    )


def _is_for_this_python(build: pathlib.Path) -> bool:
    """Whether the interpreter that the build was configured for is still there, and has modules as
    this one. The environment in which pip runs a backend may be gone after it."""
    cache = (build / "CMakeCache.txt").read_text()
    found = re.search(r"^Python_EXECUTABLE:\w+=(.+)$", cache, re.M)
    if not found or not os.path.exists(found.group(1)):
        return False
    program = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
    suffix = subprocess.check_output([found.group(1), "-c", program], text=True).strip()
    return suffix == sysconfig.get_config_var("EXT_SUFFIX")


def _install(build: pathlib.Path, prefix: str, user_laws: str | None) -> None:
    changes = []
    if user_laws is not None:
        folder = pathlib.Path(user_laws).resolve()
        if not any(folder.glob("*.hpp")):
            raise RuntimeError(f"user-laws: {folder} holds no header (*.hpp) of a law")
        changes.append(f"-DSTOSS_USER_LAWS={folder}")
    is_configured = (build / "build.ninja").exists()
    if not is_configured or not _is_for_this_python(build):
        changes.append(f"-DPython_EXECUTABLE:FILEPATH={sys.executable}")
    if not is_configured:
        subprocess.check_call(
            ["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", "-DSTOSS_PYTHON=ON",
             "-DSTOSS_TESTS=OFF", "-DSTOSS_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Release",
             "--log-level=WARNING", *changes]
        )
    elif changes:
        subprocess.check_call(["cmake", str(build), "--log-level=WARNING", *changes])
    subprocess.check_call(["ninja", "-C", str(build), "_stoss"])
    subprocess.check_call(
        ["cmake", "--install", str(build), "--prefix", prefix, "--component", "python", "--strip"]
    )


def get_requires_for_build_wheel(config_settings: dict[str, str] | None = None) -> list[str]:
    return []


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    settings = config_settings or {}
    laws = settings.get("user-laws")
    abi = f"cp{sys.version_info.major}{sys.version_info.minor}"
    # The next wheel has no laws and no interpreter of before.
    own = f"wheel_{abi}" if laws is None else f"wheel_with_laws_{abi}"
    build = pathlib.Path(settings.get("build-dir", ROOT / "build" / own))
    tag = f"{abi}-{abi}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    name = f"stoss-{_version()}-{tag}.whl"
    info = f"stoss-{_version()}.dist-info"
    with tempfile.TemporaryDirectory() as prefix:
        _install(build.resolve(), prefix, laws)
        package = next(pathlib.Path(prefix).rglob("stoss/__init__.py")).parent
        contents = {f"stoss/{each.name}": each.read_bytes() for each in sorted(package.iterdir())}
    contents[f"{info}/METADATA"] = _metadata().encode()
    contents[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: stoss\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    contents[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = ""
    for path, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in contents.items():
            wheel.writestr(path, content)
    return name
