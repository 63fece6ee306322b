"""Draws the picture that programs show next to a link to the site: website/style/social.svg, and social.png, which it makes of it with rsvg-convert.

The PNG says of which SVG it is, so that a test finds one that is older.
"""

import hashlib
import shutil
import subprocess
import sys
import zlib
from html import escape
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
STYLE = PROJECT / "website" / "style"
SVG, PNG = STYLE / "social.svg", STYLE / "social.png"
WIDTH, HEIGHT = 1200, 630
_ROWS = (
    ("command", "$ nodepools check"),
    ("", "dev: 1 error, 2 notes"),
    ("bad", "AKS014 error at clusters.weu.system_pool.taints[0]"),
    ("", "  AKS rejects the taint `team=web:NoSchedule` on a system pool"),
    ("good", "  fix: Move the taint to a user pool, or use `PreferNoSchedule`"),
)
_STYLE = """
text { font-family: 'DejaVu Sans', 'Liberation Sans', Helvetica, Arial, sans-serif; fill: #12211f; }
.printed { font: 25px 'DejaVu Sans Mono', 'Liberation Mono', Menlo, monospace; fill: #d5d9e0; white-space: pre; }
.command { fill: #ffffff; } .bad { fill: #ff8f88; } .good { fill: #7bd88f; }
"""


def drawn() -> str:
    """Returns the picture."""
    mark = (STYLE / "mark.svg").read_text(encoding="utf-8").partition(">\n")[2].rpartition("</svg>")[0]
    rows = [
        f'<text class="printed {name}" x="92" y="{416 + index * 38}" xml:space="preserve">{escape(row, quote=False)}</text>'
        for index, (name, row) in enumerate(_ROWS)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
            f"<style>{_STYLE}</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f4faf8"/><rect width="{WIDTH}" height="10" fill="#0f766e"/>',
            f'<g transform="translate(60 56) scale(1.9)">{mark}</g>',
            '<text x="204" y="142" font-size="84" font-weight="700">nodepools</text>',
            '<text x="64" y="240" font-size="31">AKS and EKS node pools in typed Python. Know offline what a cloud</text>',
            '<text x="64" y="290" font-size="31">rejects, where a pod lands, and what an edit does to nodes.</text>',
            '<rect x="60" y="350" width="1080" height="236" rx="14" fill="#1b1f27"/>',
            *rows,
            "</svg>\n",
        ]
    )


def marked(png: bytes, svg: str) -> bytes:
    """The PNG with the hash of its SVG as text, before its last chunk."""
    body = b"tEXtsvg\0" + hashlib.sha256(svg.encode()).hexdigest().encode()
    chunk = (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    return png[:-12] + chunk + png[-12:]


if __name__ == "__main__":
    program = shutil.which("rsvg-convert") or sys.exit("drawing a PNG needs rsvg-convert on PATH (librsvg)")
    SVG.write_text(drawn(), encoding="utf-8")
    made = subprocess.run([program, "--width", str(WIDTH), str(SVG)], capture_output=True, check=True)  # noqa: S603
    PNG.write_bytes(marked(made.stdout, drawn()))
    sys.stdout.write(f"{PNG.relative_to(PROJECT)}: {PNG.stat().st_size / 1000:.0f} kB\n")
