"""A page of samples that opens from disk: each sentence by every reader, with pictures and figures."""

import json
from html import escape
from pathlib import Path

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .3rem .8rem; text-align: left; vertical-align: top; }
tr:nth-child(even) { background: #f3f3f3; } audio { width: 15rem; } img { width: 15rem; display: block; }
"""


def write_page(folder: Path, sentences: list[str], readers: list[str], figures: dict) -> None:
    """Write `folder`/index.html over the READER/NNN.flac and .png files beside it."""
    head = "".join(f"<th>{escape(reader)}</th>" for reader in readers)
    rows = "\n".join(_row(folder, number, text, readers) for number, text in enumerate(sentences))
    page = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Samples</title><style>{_STYLE}</style>
<h1>Samples</h1>
<details><summary>Figures</summary><pre>{escape(json.dumps(figures, indent=1, ensure_ascii=False))}</pre></details>
<table><tr><th>text</th>{head}</tr>
{rows}
</table></html>
"""
    (folder / "index.html").write_text(page, "utf-8")


def _row(folder: Path, number: int, text: str, readers: list[str]) -> str:
    cells = "".join(f"<td>{_cell(folder, reader, number)}</td>" for reader in readers)
    return f"<tr><td>{escape(text)}</td>{cells}</tr>"


def _cell(folder: Path, reader: str, number: int) -> str:
    name = f"{escape(reader)}/{number:03d}"
    picture = (
        f'<img loading="lazy" src="{name}.png" alt="">' if (folder / reader / f"{number:03d}.png").exists() else ""
    )
    return f'<audio controls preload="none" src="{name}.flac"></audio>{picture}'
