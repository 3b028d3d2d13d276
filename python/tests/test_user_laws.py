"""`pip install .` with a folder of laws in C++: they are classes of `stoss`, and cases take them.

test_user_laws.py BUILD_FOLDER: where the package with these laws is built (it takes a full build)"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import math
import stoss
assert stoss.list_laws()["damped_spring"] == "linear spring and dashpot, F = k x + c v"
assert "cubic_spring" in stoss.list_laws() and "hertz" in stoss.list_laws()
assert "[N s/m]" in stoss.DampedSpring.__doc__
law = stoss.DampedSpring(stiffness=1e6, damping=200.0)
# The rebound of an oscillator whose contact ends at zero overlap.
zeta = 200.0 / (2 * math.sqrt(1e6 * 0.5))
expected = math.exp(-math.pi * zeta / math.sqrt(1 - zeta**2))
contact = stoss.Contact(law=law, separation="zero_overlap")
found = float(stoss.restitution(contact, 0.5, 0.8).cor)
assert abs(found - expected) < 1e-10, (found, expected)
same = stoss.run({"problem": "restitution", "mass": 0.5, "speed": 0.8, "contact": contact})
assert same.cor == found
beam = stoss.Beam(length=0.5, section=stoss.Circle(radius=0.01), material="steel")
impact = stoss.BeamCollision(beam, stoss.Sphere(radius=0.01, material="steel"), approach_speed=1.0,
                             contact=stoss.CubicSpring(stiffness=1e8, depth=1e-4),
                             mesh=stoss.Mesh(modes=8))
places = [0.3, 0.5, 0.7]
assert set(impact.map(places).status) == {"separated"}
case = {"problem": "beam_impact_map", **impact.to_dict(), "locations": {"at": places}}
assert (stoss.run(case).table.cor_kinematic == impact.map(places).cor_kinematic).all()
print("the laws of", stoss.__file__)
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
             "--config-settings", f"build-dir={sys.argv[1]}",
             "--config-settings", f"user-laws={ROOT / 'tests/user_laws'}"],
            env=environment,
        )
        words = subprocess.check_output(
            [python, "-c", PROGRAM], env=environment, cwd=folder, text=True
        )
    print(words, end="")
    assert folder in words


if __name__ == "__main__":
    main()
