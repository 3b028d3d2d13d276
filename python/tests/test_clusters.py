"""Maps on the workers of a cluster have the bytes of one process.

test_clusters.py dask: two local workers of dask.distributed, one of which is killed in the middle
test_clusters.py mpi: two ranks; started as mpiexec -n 3 python3 -m mpi4py.futures test_clusters.py mpi
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import Executor

import numpy as np

import stoss

PLACES = np.linspace(0.5, 1, 2000)


def impact() -> stoss.BeamCollision:
    return stoss.BeamCollision(
        stoss.Beam(length=0.5, section=stoss.Circle(radius=0.01), material="steel"),
        stoss.Sphere(radius=0.01, material="steel"),
        approach_speed=2.0,
        mesh=stoss.Mesh(modes=25),
        integration={"scheme": "newmark", "force": "implicit", "step": "0.02 us"},
    )


def check(executor: Executor) -> None:
    expected = impact().map(PLACES)
    shared = impact().map(PLACES, executor=executor, parts=12)
    for name, column in expected.items():
        assert shared[name].tobytes() == column.tobytes(), name


def with_dask() -> None:
    from dask.distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, Client(cluster) as client:
        check(client.get_executor())
        victim = client.submit(os.getpid, pure=False).result()
        timer = threading.Timer(0.1, os.kill, (victim, signal.SIGKILL))
        timer.start()
        check(client.get_executor())
        assert not timer.is_alive(), "the map was over before a worker was killed"


def with_mpi() -> None:
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor(2) as executor:
        check(executor)


if __name__ == "__main__":
    {"dask": with_dask, "mpi": with_mpi}[sys.argv[1]]()
    print("the bytes of one process")
