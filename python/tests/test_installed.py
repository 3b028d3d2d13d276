"""`pip install .` into a virtual environment without network, and the first program there.

test_installed.py BUILD_FOLDER"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import numpy as np, stoss
beam = stoss.Beam(length="508 mm", section=stoss.Circle(radius="6.35 mm"), material="aluminium", supports=[stoss.Pin(xi=0.0375)])
impact = stoss.BeamCollision(beam, stoss.Cylinder(radius="6.35 mm", material="aluminium"), angular_velocity=-6)
m = impact.map(np.linspace(0.2, 1, 400))       # m.cor_kinematic, m.sub_impacts ... numpy; m.to_pandas(); m.plot()
c = impact.collide(0.68, history=True)         # c.history.force ...
print(stoss.__version__, stoss.__file__, m.cor_kinematic[240], c.history.force.max())
"""


def main() -> None:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.check_call(
            [sys.executable, "-m", "venv", "--system-site-packages", folder], env=environment
        )
        python = os.path.join(folder, "bin", "python")
        subprocess.check_call(
            [python, "-m", "pip", "install", "--no-index", "--quiet", str(ROOT),
             "--config-settings", f"build-dir={sys.argv[1]}"],
            env=environment,
        )
        words = subprocess.check_output(
            [python, "-c", PROGRAM], env=environment, cwd=folder, text=True
        )
    print(words, end="")
    version, file, cor, force = words.split()
    assert f"VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()
    assert file.startswith(folder)
    assert abs(float(cor) - 0.663723) < 1e-6
    assert float(force) > 0


if __name__ == "__main__":
    main()
