"""Maps and Sobol studies on the workers of a cluster have the bytes of one process.

test_clusters.py dask [SAMPLES [PLACES]]: two local workers of dask.distributed, one of which is killed in
    the middle
test_clusters.py mpi [SAMPLES [PLACES]]: two ranks; started as
    mpiexec -n 3 python3 -m mpi4py.futures test_clusters.py mpi

The last lines are a table: so many collisions on one thread and on the workers, seconds, collisions
a second, how many times as fast, and whether the bytes are the same. SAMPLES, a power of 2, is 128
if it is left out, and PLACES, of the map, 10; a sample is 5 collisions at each place, so 1024 and 200
make 1,024,000. Exit code 1 if bytes differ.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

import stoss

PLACES = np.linspace(0.5, 1, 2000)
PARTS = 12
STEEL = {"youngs_modulus": 210e9, "poisson_ratio": 0.3, "density": 7850}


def impact() -> stoss.BeamCollision:
    return stoss.BeamCollision(
        stoss.Beam(length=0.5, section=stoss.Circle(radius=0.01), material="steel"),
        stoss.Sphere(radius=0.01, material="steel"),
        approach_speed=2.0,
        mesh=stoss.Mesh(modes=25),
        integration={"scheme": "newmark", "force": "implicit", "step": "0.02 us"},
    )


def study(samples: int, places: int) -> dict[str, Any]:
    """So many samples times (3 keys + 2) times so many places collisions."""
    case = impact().to_dict()
    del case["integration"]
    keys = [
        {"key": "beam.material.density", "distribution": "normal", "relative_sigma": 0.01},
        {"key": "motion.approach_speed", "distribution": "normal", "relative_sigma": 0.02},
        {"key": "location", "distribution": "normal", "sigma": "1 mm"},
    ]
    return {
        "problem": "beam_impact_map",
        **case,
        "beam": {**case["beam"], "material": STEEL},
        "locations": {"from": 0.5, "to": 0.95, "points": places},
        "uncertainty": {"samples": samples, "keys": keys},
    }


def check_map(executor: Executor) -> None:
    expected = impact().map(PLACES)
    shared = impact().map(PLACES, executor=executor, parts=PARTS)
    for name, column in expected.items():
        assert shared[name].tobytes() == column.tobytes(), name


class Study:
    """The study on one thread, and the same by executors; each prints its line of the table."""

    def __init__(self, samples: int, places: int) -> None:
        self.case = study(samples, places)
        begin = time.perf_counter()
        self.expected = stoss.run(self.case, threads=1)
        self.seconds = time.perf_counter() - begin
        self.collisions = self.expected.summary["uncertainty"]["collisions"]
        self.same = True
        print("| on | collisions | s | collisions/s | times as fast | same bytes |\n|---|---|---|---|---|---|")
        self.line("one thread", self.seconds, True)

    def line(self, on: str, seconds: float, same: bool) -> None:
        print(
            f"| {on} | {self.collisions} | {seconds:.2f} | {self.collisions / seconds:.0f} "
            f"| {self.seconds / seconds:.2f} | {'yes' if same else 'NO'} |",
            flush=True,
        )

    def share(self, on: str, executor: Executor, at_begin: Callable[[], object] | None = None) -> None:
        begin = time.perf_counter()
        if at_begin is not None:
            at_begin()
        shared = stoss.run(self.case, executor=executor, parts=PARTS)
        seconds = time.perf_counter() - begin
        same = all(
            shared.tables[name].to_csv() == table.to_csv()
            for name, table in self.expected.tables.items()
        )
        self.same = self.same and same
        self.line(on, seconds, same)


def with_dask(samples: int, places: int) -> bool:
    from dask.distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, Client(cluster) as client:
        executor = client.get_executor()
        check_map(executor)
        study = Study(samples, places)
        study.share("two dask workers", executor)
        victim = client.submit(os.getpid, pure=False).result()
        timer = threading.Timer(study.seconds / 4, os.kill, (victim, signal.SIGKILL))
        study.share("two, one killed", executor, timer.start)
        assert not timer.is_alive(), "the study was over before a worker was killed"
        return study.same


def with_mpi(samples: int, places: int) -> bool:
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor(2) as executor:
        check_map(executor)
        study = Study(samples, places)
        study.share("two ranks of MPI", executor)
        return study.same


if __name__ == "__main__":
    chosen = {"dask": with_dask, "mpi": with_mpi}[sys.argv[1]]
    samples, places = [int(each) for each in sys.argv[2:]] + [128, 10][len(sys.argv) - 2 :]
    sys.exit(not chosen(samples, places))
