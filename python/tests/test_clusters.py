"""Maps and Sobol studies on the workers of a cluster have the bytes of one process.

test_clusters.py dask [SAMPLES]: two local workers of dask.distributed, one of which is killed in
    the middle
test_clusters.py mpi [SAMPLES]: two ranks; started as
    mpiexec -n 3 python3 -m mpi4py.futures test_clusters.py mpi

With SAMPLES the times of a study of so many samples are printed beside that of one thread, as long
as no worker is killed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
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


def study(samples: int) -> dict[str, Any]:
    """So many samples times (3 keys + 2) times 10 places collisions."""
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
        "locations": {"from": 0.5, "to": 0.95, "points": 10},
        "uncertainty": {"samples": samples, "keys": keys},
    }


def check_map(executor: Executor) -> None:
    expected = impact().map(PLACES)
    shared = impact().map(PLACES, executor=executor, parts=PARTS)
    for name, column in expected.items():
        assert shared[name].tobytes() == column.tobytes(), name


def check_study(executor: Executor, samples: int, on_begin: threading.Timer | None = None) -> None:
    begin = time.perf_counter()
    expected = stoss.run(study(samples), threads=1)
    middle = time.perf_counter()
    if on_begin is not None:
        on_begin.start()
    shared = stoss.run(study(samples), executor=executor, parts=PARTS)
    end = time.perf_counter()
    for name, table in expected.tables.items():
        assert shared.tables[name].to_csv() == table.to_csv(), name
    collisions = expected.summary["uncertainty"]["collisions"]
    print(f"{collisions} collisions: one thread {middle - begin:.2f} s, shared {end - middle:.2f} s")


def with_dask(samples: int) -> None:
    from dask.distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, Client(cluster) as client:
        executor = client.get_executor()
        check_map(executor)
        check_study(executor, samples)
        victim = client.submit(os.getpid, pure=False).result()
        timer = threading.Timer(0.1, os.kill, (victim, signal.SIGKILL))
        check_study(executor, samples, timer)
        assert not timer.is_alive(), "the study was over before a worker was killed"


def with_mpi(samples: int) -> None:
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor(2) as executor:
        check_map(executor)
        check_study(executor, samples)


if __name__ == "__main__":
    chosen = {"dask": with_dask, "mpi": with_mpi}[sys.argv[1]]
    chosen(int(sys.argv[2]) if len(sys.argv) > 2 else 128)
    print("the bytes of one process")
