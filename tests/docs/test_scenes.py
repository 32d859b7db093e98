"""docs/scenes.md: its scene runs as it stands there and prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "scenes.md").read_text(encoding="utf-8")


def test_the_scene_prints_what_its_last_line_says(tmp_path: Path) -> None:
    """1/4, 2/4 and 3/4 of 255 are 63.75, 127.5 and 191.25: 64, 127 (the tie is cut) and 191."""
    (scene,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "scene.py").write_text(scene, encoding="utf-8")
    done = subprocess.run([sys.executable, "scene.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    (said,) = re.findall(r"^print\(.*# (.*)$", scene, flags=re.MULTILINE)
    assert done.stdout.strip() == said == "[[0, 64], [64, 64], [127, 64], [191, 64]]"
