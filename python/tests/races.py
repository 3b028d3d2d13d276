"""Eight Python threads compute eight maps at once, and what else the package computes on several
threads. For an interpreter under the thread sanitizer (`./dev races`), which ends at the first race."""

import threading

import numpy as np
import stoss

PLACES = np.linspace(0.2, 1.0, 40)


def pinned_beam() -> stoss.BeamCollision:
    beam = stoss.Beam(
        length="508 mm", section=stoss.Circle(radius="6.35 mm"), material="aluminium", supports=[stoss.Pin(xi=0.0375)]
    )
    return stoss.BeamCollision(beam, stoss.Cylinder(radius="6.35 mm", material="aluminium"), angular_velocity=-6)


def main() -> None:
    shared = pinned_beam()
    expected = shared.map(PLACES).cor_kinematic.copy()
    different: list[int] = []

    def work(number: int) -> None:
        for impact in (shared, pinned_beam()):
            if not np.array_equal(impact.map(PLACES).cor_kinematic, expected):
                different.append(number)
        normal = -np.abs(np.random.default_rng(number).normal(size=(2000, 3)))
        stoss.maximum_dissipation(np.tile(np.diag([1.0, 2.0, 3.0]), (2000, 1, 1)), normal, 0.5)
        stoss.run("cases/tutorial/first_program.yaml", mesh={"modes": 10})
        stoss.run("cases/tutorial/uncertain_beam.yaml", uncertainty={"samples": 8})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if different:
        raise SystemExit(f"other numbers in the threads {sorted(set(different))}")
    print("eight Python threads: no races, the same numbers")


if __name__ == "__main__":
    main()
