"""The package `stoss`: what it promises, and how things go wrong."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import pickle
import signal
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any

import numpy as np

import stoss

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST = ROOT / "cases/tutorial/first_program.yaml"
PLACES = np.linspace(0.2, 1.0, 24)


def pinned_beam(**mesh: Any) -> stoss.BeamCollision:
    beam = stoss.Beam(
        length="508 mm",
        section=stoss.Circle(radius="6.35 mm"),
        material="aluminium",
        supports=[stoss.Pin(xi=0.0375)],
    )
    return stoss.BeamCollision(
        beam,
        stoss.Cylinder(radius="6.35 mm", material="aluminium"),
        angular_velocity=-6,
        mesh=stoss.Mesh(modes=25, **mesh),
    )


def long_map() -> dict[str, Any]:
    """A map that takes minutes."""
    case = pinned_beam().to_dict()
    case["integration"] = {"scheme": "newmark", "force": "implicit", "step": "0.05 us"}
    return {"problem": "beam_impact_map", **case, "locations": {"from": 0.2, "to": 1, "points": 2000}}


class Run(unittest.TestCase):
    def test_path_text_and_dict_are_the_same_case(self) -> None:
        by_path = stoss.run(FIRST)
        by_text = stoss.run(FIRST.read_text())
        by_dict = stoss.run(by_path.case)
        for other in (by_text, by_dict):
            for name, table in by_path.tables.items():
                self.assertEqual(table.to_csv(), other.tables[name].to_csv())

    def test_nothing_is_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                stoss.run(FIRST)
                self.assertEqual(os.listdir(folder), [])
            finally:
                os.chdir(before)

    def test_output_is_a_run_directory(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = os.path.join(folder, "run")
            result = stoss.run(FIRST, output=where)
            self.assertTrue(os.path.exists(os.path.join(where, "report.html")))
            loaded = stoss.load(where)
            self.assertEqual(
                {k: t.to_csv() for k, t in loaded.tables.items()},
                {k: t.to_csv() for k, t in result.tables.items()},
            )
            self.assertEqual(loaded.report(), os.path.join(where, "report.html"))
            with self.assertRaises(stoss.InputError):  # results of another case
                stoss.run(FIRST, output=where, mesh={"modes": 9})
            stoss.run(FIRST, output=where, force=True, mesh={"modes": 9})

    def test_changes_are_those_of_set(self) -> None:
        result = stoss.run(FIRST, mesh={"modes": 9})
        self.assertEqual(result.case["mesh"]["modes"], "9")
        self.assertEqual(result.summary["expectations"], [])
        dotted: dict[str, Any] = {"mesh.modes": 9}
        same = stoss.run(FIRST, **dotted)
        self.assertEqual(result.table.to_csv(), same.table.to_csv())

    def test_tables_share_memory_with_the_core(self) -> None:
        table = stoss.run(FIRST).table
        column = table._core.columns()["xi"]
        self.assertTrue(np.shares_memory(table["xi"], column))
        self.assertFalse(table["xi"].flags.owndata)

    def test_arrays_outlive_the_result(self) -> None:
        xi = stoss.run(FIRST).table["xi"]
        expected = xi.copy()
        _ = [stoss.run(FIRST) for _ in range(3)]
        np.testing.assert_array_equal(xi, expected)

    def test_views_of_a_table(self) -> None:
        table = stoss.run(FIRST).table
        rows = table.to_numpy()
        np.testing.assert_array_equal(rows["xi"], table.xi)
        self.assertEqual(table.units["separation_s"], "s")
        np.testing.assert_array_equal(table.separation, table["separation_s"])
        with self.assertRaises(AttributeError):
            table.no_such_column
        self.assertIn("<table>", table._repr_html_())
        self.assertIn("<table>", stoss.run(FIRST)._repr_html_())


class Errors(unittest.TestCase):
    def test_input_error_has_place_key_value_rule_and_hint(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder) / "bad.yaml"
            case.write_text(FIRST.read_text().replace("length: 508 mm", "lenght: -508 mm"))
            with self.assertRaises(stoss.InputError) as caught:
                stoss.run(case)
        found = [d for d in caught.exception.diagnostics if d.key == "beam.lenght"]
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0].file, str(case))
        self.assertGreater(found[0].line, 1)
        self.assertGreater(found[0].column, 1)
        self.assertIn("length", found[0].suggestion)
        self.assertIn(f"{case}:{found[0].line}:{found[0].column}", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    def test_input_error_of_objects(self) -> None:
        beam = stoss.Beam(length=-1, section=stoss.Circle(radius="6 s"), material="aluminium")
        with self.assertRaises(stoss.InputError) as caught:
            stoss.BeamCollision(beam, stoss.Sphere(radius=1, material="steel"), velocity=-1)
        keys = {d.key for d in caught.exception.diagnostics}
        self.assertEqual(keys, {"beam.length", "beam.section.radius"})
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(copy.diagnostics, caught.exception.diagnostics)

    def test_unknown_parameter_names_the_nearest(self) -> None:
        with self.assertRaisesRegex(TypeError, "did you mean 'length'"):
            stoss.Beam(lenght=1)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, "needs 'radius'"):
            stoss.Circle()  # type: ignore[call-arg]

    def test_places_outside(self) -> None:
        with self.assertRaisesRegex(stoss.InputError, r"xi\[1\]"):
            pinned_beam().map([0.5, 1.5])

    def test_file_that_is_not_there(self) -> None:
        with self.assertRaises(OSError):
            stoss.run("no_such_case.yaml")
        with self.assertRaises(OSError):
            stoss.load("no_such_run")

    def test_values_that_no_case_holds(self) -> None:
        with self.assertRaises(TypeError):
            stoss.run({"problem": object()})
        with self.assertRaises(TypeError):
            stoss.run({1: "beam_impact"})  # type: ignore[dict-item]

    def test_shapes_of_contacts(self) -> None:
        with self.assertRaisesRegex(ValueError, r"\(\.\.\., 3, 3\)"):
            stoss.maximum_dissipation(np.eye(2), np.zeros(3), 0.5)

    def test_numerical_error_is_an_arithmetic_error(self) -> None:
        self.assertTrue(issubclass(stoss.NumericalError, ArithmeticError))


class Interruption(unittest.TestCase):
    def threads(self) -> int:
        return len(os.listdir("/proc/self/task"))

    def assert_control_c_ends(self, work: Callable[[], object]) -> None:
        before = self.threads()
        pressed: list[float] = []

        def press() -> None:
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.5, press)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            work()
        ended = time.monotonic()
        timer.join()
        # 0.2 s on an idle machine; these tests run beside others.
        self.assertLess(ended - pressed[0], 2.0)
        deadline = time.monotonic() + 2.0
        while self.threads() > before and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertLessEqual(self.threads(), before)

    def test_control_c_ends_a_run_and_its_threads(self) -> None:
        self.assert_control_c_ends(lambda: stoss.run(long_map()))

    def test_control_c_ends_a_map_and_its_threads(self) -> None:
        impact = pinned_beam()
        self.assert_control_c_ends(lambda: impact.map(np.linspace(0.2, 1, 1_000_000)))

    def test_exception_of_a_callback_arrives_unharmed(self) -> None:
        class Enough(Exception):
            pass

        thrown = Enough("seen")

        def progress(what: str, done: int, total: int) -> None:
            raise thrown

        with self.assertRaises(Enough) as caught:
            stoss.run(long_map(), progress=progress)
        self.assertIs(caught.exception, thrown)

    def test_progress_counts_to_the_end(self) -> None:
        seen: list[tuple[str, int, int]] = []
        pinned_beam().map(
            PLACES, progress=lambda what, done, total: seen.append((what, done, total))
        )
        self.assertEqual(seen[-1], ("collisions", PLACES.size, PLACES.size))


class Threads(unittest.TestCase):
    def test_eight_threads_run_eight_maps(self) -> None:
        expected = pinned_beam().map(PLACES)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            maps = list(pool.map(lambda _: pinned_beam().map(PLACES), range(8)))
        for each in maps:
            for name, column in expected.items():
                np.testing.assert_array_equal(each[name], column)

    def test_other_python_threads_run_on(self) -> None:
        ticks = 0
        running = True

        def tick() -> None:
            nonlocal ticks
            while running:
                ticks += 1
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        pinned_beam().map(np.linspace(0.2, 1, 400))
        running = False
        thread.join()
        self.assertGreater(ticks, 5)

    def test_numbers_do_not_depend_on_the_number_of_threads(self) -> None:
        one, two = (pinned_beam().map(PLACES, threads=n) for n in (1, 2))
        for name, column in one.items():
            np.testing.assert_array_equal(two[name], column)

    def test_executor_gives_the_bytes_of_one_process(self) -> None:
        expected = pinned_beam().map(PLACES)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            shared = pinned_beam().map(PLACES, executor=pool, parts=3)
        for name, column in expected.items():
            self.assertEqual(shared[name].tobytes(), column.tobytes())

    def test_executor_with_modes_left_open(self) -> None:
        case = pinned_beam().to_dict()
        del case["mesh"]
        impact = stoss.BeamCollision(case["beam"], case["striker"], angular_velocity=-6)
        expected = impact.map(PLACES)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            shared = impact.map(PLACES, executor=pool, parts=2)
        for name, column in expected.items():
            self.assertEqual(shared[name].tobytes(), column.tobytes())


class Objects(unittest.TestCase):
    def test_map_has_the_bytes_of_a_run(self) -> None:
        impact = pinned_beam()
        table = stoss.run(
            {
                "problem": "beam_impact_map",
                **impact.to_dict(),
                "locations": {"at": [float(x) for x in PLACES]},
            }
        ).tables["map.csv"]
        computed = impact.map(PLACES)
        for name, column in computed.items():
            if name in table:
                np.testing.assert_array_equal(
                    np.asarray(table[name]).astype(column.dtype), column, err_msg=name
                )
        self.assertIn("cor_kinematic", table)

    def test_collision_is_that_of_the_map(self) -> None:
        impact = pinned_beam()
        single = impact.collide(PLACES[7], history=500)
        whole = impact.map(PLACES)
        self.assertEqual(single.cor_kinematic, whole.cor_kinematic[7])
        self.assertEqual(single.sub_impacts.rows, whole.sub_impacts[7])
        self.assertLessEqual(single.history.rows, 500)
        self.assertGreater(single.history.force.max(), 0)
        self.assertEqual(single.history.energy_modes.shape[0], single.history.rows)
        self.assertEqual(impact.collide(PLACES[7]).history.rows, 0)

    def test_modes_and_convergence(self) -> None:
        impact = pinned_beam()
        self.assertEqual(impact.modes(6).table.rows, 6)
        self.assertIn("convergence.csv", impact.converge([0.68]).tables)

    def test_every_class_is_a_mapping_of_the_case(self) -> None:
        self.assertEqual(
            stoss.Circle(radius=1).to_dict(), {"shape": "circle", "radius": 1}
        )
        contact = stoss.Contact(law=stoss.HuntCrossley(restitution=0.6), separation="zero_force")
        self.assertEqual(
            contact.to_dict(),
            {"law": "hunt_crossley", "restitution": 0.6, "separation": "zero_force"},
        )
        beam = stoss.Beam(
            length=1, section=stoss.Tube(outer_radius=2, inner_radius=1), material="steel",
            theory=stoss.Timoshenko(shear_coefficient=0.5),
        )
        self.assertEqual(beam.to_dict()["theory"], "timoshenko")
        self.assertEqual(beam.to_dict()["shear_coefficient"], 0.5)
        self.assertIn("[m]", stoss.Circle.__doc__ or "")
        self.assertEqual(pickle.loads(pickle.dumps(beam)), beam)

    def test_laws(self) -> None:
        for name, meaning in stoss.list_laws().items():
            self.assertIn(meaning, stoss.describe(name))
        self.assertIn("beam_impact_map", stoss.list_problems())

    def test_restitution_of_arrays(self) -> None:
        law = stoss.Tsuji(stiffness=1e6, damping_factor=0.3)
        speeds = np.linspace(0.1, 2, 6).reshape(2, 3)
        found = stoss.restitution(law, "10 g", speeds)
        self.assertEqual(found.cor.shape, (2, 3))
        np.testing.assert_allclose(found.cor, found.cor[0, 0], rtol=1e-11)  # does not depend on it
        self.assertEqual(stoss.restitution(law, "10 g", 1.0).cor.shape, ())
        one = stoss.run({"problem": "restitution", "mass": "10 g", "speed": float(speeds[1, 1]),
                         "contact": law})
        self.assertEqual(found.cor[1, 1], one.cor)

    def test_calibration_gives_what_is_wanted(self) -> None:
        law = stoss.KuwabaraKono(stiffness=1e6)
        found = stoss.calibrate(law, 0.01, 1.0, [0.3, 0.9])
        for damping, cor in zip(found.damping_factor, (0.3, 0.9)):
            with_it = stoss.KuwabaraKono(stiffness=1e6, damping_factor=float(damping))
            self.assertAlmostEqual(float(stoss.restitution(with_it, 0.01, 1.0).cor), cor, 11)

    def test_bead(self) -> None:
        result = stoss.bead(exponent=1.5, damping_exponent=1, damping={"points": 10})
        self.assertEqual(result.table.rows, 10)


class Experiments(unittest.TestCase):
    def test_measured_and_computed(self) -> None:
        experiment = ROOT / "cases/validation/synthetic_restitution.csv"
        computed = stoss.run(ROOT / "cases/validation/virtual_experiment_map.yaml")
        found = stoss.compare([computed], experiment)
        self.assertEqual(set(found.tables), {"comparison.csv", "curves.csv"})
        self.assertIsNone(found.directory)

    def test_traces(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = os.path.join(folder, "virtual")
            stoss.run(ROOT / "cases/tutorial/virtual_experiment.yaml", output=where)
            traces = os.path.join(where, "traces")
            found = stoss.encoder(traces, output=os.path.join(folder, "measured"))
            self.assertEqual(set(found.tables), {"collisions.csv", "experiment.csv"})
            one = next(p for p in sorted(pathlib.Path(traces).glob("trace*.csv")))
            single = stoss.encoder(one)
            self.assertEqual(set(single.tables), {"trace.csv"})
            with self.assertRaises(stoss.InputError):
                stoss.encoder(one, no_such_option=1)


class RigidContacts(unittest.TestCase):
    A = np.array([[1.0, -0.6, 0.0], [-0.6, 1.0, 0.5], [0.0, 0.5, 1.0]])

    def test_published_contact(self) -> None:
        x = stoss.maximum_dissipation(self.A, [0.0, -1.0, -0.5], 5.0)
        np.testing.assert_allclose(
            x, [0.0427643501611, 0.0712739169351, -0.201593079946], rtol=3e-12
        )

    def test_leading_shapes(self) -> None:
        b = np.random.default_rng(3).normal(size=(4, 5, 3))
        mu = np.full((5,), 0.4)
        all_of_them = stoss.maximum_dissipation(self.A, b, mu)
        self.assertEqual(all_of_them.shape, (4, 5, 3))
        np.testing.assert_array_equal(all_of_them, stoss.maximum_dissipation(self.A, b, 0.4))
        matrices = np.broadcast_to(self.A, (4, 1, 3, 3))
        np.testing.assert_array_equal(all_of_them, stoss.maximum_dissipation(matrices, b, mu))
        one = stoss.maximum_dissipation(self.A, b[2, 3], 0.4)
        np.testing.assert_array_equal(all_of_them[2, 3], one)
        found = stoss.coulomb_solutions(self.A, b, mu)
        self.assertEqual(found["impulse"].shape, (4, 5, 6, 3))
        used = np.arange(6) < found["count"][..., None]
        np.testing.assert_array_equal(np.isnan(found["impulse"][..., 0]), ~used)
        np.testing.assert_array_equal(found["branch"] == "", ~used)

    def test_coulomb_solutions_obey_the_law(self) -> None:
        b = np.random.default_rng(4).normal(size=(200, 3))
        found = stoss.coulomb_solutions(self.A, b, 0.3)
        for i in range(200):
            for k in range(found["count"][i]):
                x = found["impulse"][i, k]
                v = self.A @ x - b[i]
                self.assertGreaterEqual(v[0], -1e-12)
                self.assertLessEqual(np.hypot(x[1], x[2]), 0.3 * x[0] + 1e-12)
                self.assertAlmostEqual(x[0] * v[0], 0.0, 12)


class Memory(unittest.TestCase):
    def test_runs_leave_none_behind(self) -> None:
        def used() -> int:
            with open("/proc/self/statm") as pages:
                return int(pages.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        def work(count: int) -> None:
            for _ in range(count):
                stoss.run({"problem": "restitution", "mass": 1, "speed": 1,
                           "contact": {"law": "hertz", "stiffness": 1e6},
                           "over": [{"key": "speed", "from": 1, "to": 2, "points": 200}]})

        work(200)
        before = used()
        work(1000)
        self.assertLess(used() - before, 4_000_000)  # a table kept a run would be 10 MB


class Modes(unittest.TestCase):
    def test_two_masses(self) -> None:
        law = stoss.Hertz(stiffness=1e9)
        found = stoss.modal_impact(
            stoss.ModalBody.mass(2.0), stoss.ModalBody.mass(1.0, velocity=3.0), law, history=True
        )
        self.assertAlmostEqual(found.impulse, 2 * 3.0 * (2.0 / 3.0), 5)
        self.assertGreater(found.history.rows, 10)

    def test_a_body_that_vibrates(self) -> None:
        body = stoss.ModalBody([0.0, 1e8], [1.0, 1.4], rigid=1)
        found = stoss.modal_impact(
            body, stoss.ModalBody.mass(1.0, velocity=1.0), stoss.Hertz(stiffness=1e10)
        )
        self.assertLess(found.cor_kinematic, 0.99)
        self.assertEqual(found.energy_modes.shape, (1,))

    def test_arrays_of_unequal_length(self) -> None:
        with self.assertRaises(stoss.InputError):
            stoss.modal_impact(
                stoss.ModalBody([0.0, 1.0], [1.0], rigid=1),
                stoss.ModalBody.mass(1.0, velocity=1.0),
                stoss.Hertz(stiffness=1e9),
            )


if __name__ == "__main__":
    unittest.main()
