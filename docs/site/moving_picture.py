#!/usr/bin/env python3
"""The moving picture of README: moving_picture.py STOSS FILE.svg

A ball falls on a clamped strip. The shapes of the strip, the place of the ball and the force are those of a run of `stoss`.
"""

import base64
import csv
import json
import math
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

CASE = """problem: beam_impact
title: A steel ball on a clamped strip
beam:
  length: 300 mm
  section: {shape: rectangle, width: 25 mm, height: 3 mm}
  material: steel
  supports: [{type: clamp, xi: 0}]
striker: {shape: sphere, radius: 10 mm, material: steel}
motion: {drop_height: 300 mm}
location: {x: 240 mm}
"""
WIDTH, HEIGHT = 720, 300  # of the picture [px]
MARGIN = 40  # [px]
BEAM_Y, FORCE_TOP, FORCE_BOTTOM = 110, 205, 270  # [px]
LARGER = 4  # displacements are drawn so many times as large as lengths
POINTS = 40  # segments of the drawn strip
SECONDS = 9  # the picture lasts


def numbers(array):
    """Those of a DataArray of a VTK file: a length in four bytes, then doubles, in base64."""
    data = base64.b64decode(array.text.strip())
    (size,) = struct.unpack_from("<I", data)
    return struct.unpack_from(f"<{size // 8}d", data, 4)


def frames_of(folder):
    """Time [s], and displacement [m] at points evenly spaced along the strip, of every frame."""
    for entry in xml.parse(folder / "vtk/beam.pvd").iter("DataSet"):
        arrays = xml.parse(folder / "vtk" / entry.get("file")).iter("DataArray")
        shape = next(numbers(each)[1::3] for each in arrays if each.get("Name") == "displacement_m")
        yield float(entry.get("timestep")), shape


def history_of(folder):
    with open(folder / "history.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in ("time_s", "overlap_m", "displacement_m", "force_N")}


def interpolated(x, xs, ys):
    for i in range(1, len(xs)):
        if xs[i] >= x:
            part = (x - xs[i - 1]) / (xs[i] - xs[i - 1]) if xs[i] > xs[i - 1] else 0.0
            return ys[i - 1] + part * (ys[i] - ys[i - 1])
    return ys[-1]


def animated(name, values, times):
    """An attribute that changes at those fractions of the picture's time."""
    return (f'<animate attributeName="{name}" dur="{SECONDS}s" repeatCount="indefinite" '
            f'keyTimes="{";".join(f"{time:.4g}" for time in times)}" values="{";".join(values)}"/>')


def picture(folder, length, place, radius):
    frames, history = list(frames_of(folder)), history_of(folder)
    end = frames[-1][0]
    scale = (WIDTH - 2 * MARGIN) / length  # [px/m]
    down = LARGER * scale
    times = [time / end for time, _ in frames]
    times[0], times[-1] = 0, 1

    def outline(shape):
        step = (len(shape) - 1) / POINTS
        return " ".join(f"{MARGIN + scale * length * i / POINTS:.0f},{BEAM_Y + down * shape[round(i * step)]:.1f}"
                        for i in range(POINTS + 1))

    outlines = [outline(shape) for _, shape in frames]
    balls = []
    for time, _ in frames:
        surface = interpolated(time, history["time_s"], history["displacement_m"])
        gap = -interpolated(time, history["time_s"], history["overlap_m"])
        balls.append(f"{BEAM_Y - 3 - scale * radius + down * (surface - gap):.1f}")

    largest = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["peak_force_N"]
    across = (WIDTH - 2 * MARGIN) / end

    def at(time, force):
        return MARGIN + across * time, FORCE_BOTTOM - (FORCE_BOTTOM - FORCE_TOP) * force / largest

    points, last = [], None
    for time, force in zip(history["time_s"], history["force_N"]):
        x, y = at(min(time, end), force)
        if last is None or math.dist((x, y), last) > 1.5:
            points.append(f"{x:.1f},{y:.1f}")
            last = (x, y)
    cursor = [f"{MARGIN + across * time:.1f}" for time, _ in frames]
    contact_x = MARGIN + scale * place
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Helvetica, Arial, sans-serif" font-size="13">
<title>A steel ball falls on a clamped strip: shapes and force over {1e3 * end:.3g} ms, displacements {LARGER} times as large</title>
<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#ffffff"/>
<path d="M{MARGIN},{BEAM_Y - 26}v52" stroke="#404040" stroke-width="5"/>
<polyline fill="none" stroke="#0072b2" stroke-width="5" stroke-linejoin="round" points="{outlines[0]}">{animated("points", outlines, times)}</polyline>
<circle cx="{contact_x:.1f}" cy="{balls[0]}" r="{scale * radius:.1f}" fill="#d55e00">{animated("cy", balls, times)}</circle>
<polyline fill="none" stroke="#d55e00" stroke-width="1.6" stroke-linejoin="round" points="{" ".join(points)}"/>
<path d="M{MARGIN},{FORCE_BOTTOM}H{WIDTH - MARGIN}" stroke="#404040" stroke-width="0.8"/>
<path d="M0,{FORCE_TOP}V{FORCE_BOTTOM}" stroke="#404040" stroke-width="1" transform="translate({MARGIN} 0)"><animateTransform attributeName="transform" type="translate" dur="{SECONDS}s" repeatCount="indefinite" keyTimes="{";".join(f"{time:.4g}" for time in times)}" values="{";".join(f"{x} 0" for x in cursor)}"/></path>
<text x="{MARGIN}" y="{FORCE_BOTTOM + 18}" fill="#404040">0</text>
<text x="{WIDTH - MARGIN}" y="{FORCE_BOTTOM + 18}" fill="#404040" text-anchor="end">{1e3 * end:.3g} ms</text>
<text x="{WIDTH / 2}" y="{FORCE_BOTTOM + 18}" fill="#404040" text-anchor="middle">contact force, at most {largest / 1e3:.3g} kN</text>
</svg>
"""


def main():
    stoss, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        case, run = Path(scratch, "case.yaml"), Path(scratch, "run")
        case.write_text(CASE, encoding="utf-8")
        subprocess.run([stoss, "run", case, "-o", run, "--quiet"], check=True)
        Path(target).write_text(picture(run, 0.3, 0.24, 0.01), encoding="utf-8")


if __name__ == "__main__":
    main()
