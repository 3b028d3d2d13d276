"""The package `stoss`: what it promises, and how things go wrong."""

from __future__ import annotations

import concurrent.futures
import contextlib
import copy
import datetime
import errno
import fractions
import functools
import importlib.util
import inspect
import io
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
import unittest.mock
import warnings
from collections.abc import Callable
from typing import Any, cast

import numpy as np

import stoss
from stoss import _executors, _experiments, _parameters, _stoss

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


class Motion(unittest.TestCase):
    def cradle(self, **keys: Any) -> stoss.Result:
        law = stoss.Hertz(stiffness=1e10)
        balls = [
            stoss.MovingMass(name=f"ball {i}", mass="33 g", velocity=1.0 if i == 1 else 0.0)
            for i in range(1, 6)
        ]
        meets = [
            stoss.MotionContact(
                name=f"c{i}{i + 1}",
                first=stoss.BodyPlace(body=f"ball {i + 1}"),
                second={"body": f"ball {i}"},
                contact=law,
            )
            for i in range(1, 5)
        ]
        return stoss.impact_motion(balls, meets, end="0.3 ms", **keys)

    def test_objects_give_the_bits_of_the_case(self) -> None:
        by_case = stoss.run(ROOT / "cases/tutorial/cradle.yaml")
        by_objects = self.cradle()
        for name, table in by_case.tables.items():
            for column in table:
                np.testing.assert_array_equal(by_objects.tables[name][column], table[column])

    def test_frames_are_files_for_paraview(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.cradle(frames=7).report(folder + "/run")
            self.assertTrue(pathlib.Path(folder, "run/vtk/motion.pvd").exists())
            self.cradle().report(folder + "/none")
            self.assertFalse(pathlib.Path(folder, "none/vtk").exists())

    def test_a_ball_bounces_as_the_closed_form_says(self) -> None:
        height, g, e = 1.0, 9.81, 0.5
        result = stoss.impact_motion(
            [stoss.MovingMass(name="ball", mass=1.0, displacement=height), stoss.Surface(name="floor")],
            [stoss.MotionContact(name="c", first={"body": "ball"}, second={"body": "floor"}, cor=e)],
            gravity=g,
            end=stoss.MotionEnd(time=10.0, impacts=5),
        )
        bodies, contacts = result.case["bodies"], result.case["contacts"]
        timed = stoss.impact_motion(bodies, contacts, gravity=g, end=np.int64(1))
        self.assertEqual(timed.time, 1.0)
        first = math.sqrt(2 * height / g)
        starts = [first + 2 * first * sum(e**k for k in range(1, n)) for n in range(1, 6)]
        np.testing.assert_allclose(result.tables["impacts.csv"].start, starts, rtol=1e-12)

    def test_a_contact_without_a_body_is_refused(self) -> None:
        with self.assertRaises(stoss.InputError) as refused:
            stoss.impact_motion(
                [stoss.MovingMass(name="ball", mass=1.0)],
                [stoss.MotionContact(name="c", first={"body": "bal"}, second={"body": "ball"}, cor=1)],
                end=1.0,
            )
        self.assertIn("contacts[0].first.body", [d.key for d in refused.exception.diagnostics])


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
            with self.assertRaises(stoss.InputError) as caught:  # results of another case
                stoss.run(FIRST, output=where, mesh={"modes": 9})
            self.assertEqual(
                caught.exception.diagnostics[0].suggestion,
                "name another directory, or replace what is there with force=True",
            )
            self.assertIn("with force=True", str(caught.exception))
            with self.assertRaises(stoss.InputError) as caught:  # files of somebody else
                stoss.run(FIRST, output=folder)
            self.assertEqual(
                caught.exception.diagnostics[0].suggestion, "give a new or an empty directory"
            )
            stoss.run(FIRST, output=where, force=True, mesh={"modes": 9})

    def test_report_that_was_not_written_is_nowhere(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "other")
            stoss.run(FIRST, output=other, mesh={"modes": 9})
            result = stoss.run(FIRST)
            with self.assertRaises(stoss.InputError):
                result.report(other)
            self.assertIsNone(result.directory)

    def test_loaded_run_is_drawn_where_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = pathlib.Path(folder) / "run"
            stoss.run(FIRST, output=where)
            loaded = stoss.load(where)
            self.assertEqual(loaded.report(where), str(where / "report.html"))
            self.assertEqual(loaded.report(str(where) + "/"), str(where / "report.html"))
            with self.assertRaisesRegex(TypeError, r"only a result of run\(\)"):
                loaded.report(pathlib.Path(folder) / "elsewhere")

    def test_entries_that_are_no_tables_are_not_loaded(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = pathlib.Path(folder) / "run"
            stoss.run(FIRST, output=where)
            facts = json.loads((where / "provenance.json").read_text())
            tables = facts["tables"]
            facts["tables"] = [1, *tables, None, "../other.csv"]
            (where / "provenance.json").write_text(json.dumps(facts))
            self.assertEqual(list(stoss.load(where).tables), tables)

    def test_changes_are_those_of_set(self) -> None:
        result = stoss.run(FIRST, mesh={"modes": 9})
        self.assertEqual(result.case["mesh"]["modes"], "9")
        self.assertEqual(result.summary["expectations"], [])
        dotted: dict[str, Any] = {"mesh.modes": 9}
        same = stoss.run(FIRST, **dotted)
        self.assertEqual(result.table.to_csv(), same.table.to_csv())

    def test_objects_among_the_changes_set_the_keys_they_were_given(self) -> None:
        case = {
            "problem": "beam_impact_map",
            **pinned_beam(elements=60).to_dict(),
            "locations": {"at": [0.6]},
        }
        pairs: list[tuple[str, Any, Any]] = [
            ("mesh", stoss.Mesh(modes=9), {"modes": 9}),
            ("contact", stoss.Contact(separation="zero_force"), {"separation": "zero_force"}),
        ]
        for key, given, same in pairs:
            found, expected = (stoss.run(case, **{key: each}).case for each in (given, same))
            self.assertEqual(found, expected)
            self.assertEqual(found["mesh"]["elements"], "60")
        beam = stoss.Beam(length=0.6, section=stoss.Tube(outer_radius=0.01, inner_radius=0.005),
                          material="steel", theory=stoss.Timoshenko(shear_coefficient=0.5))
        changed = stoss.run(case, beam=beam).case["beam"]
        self.assertEqual(changed["supports"][0]["xi"], "0.0375")
        self.assertEqual(changed["section"]["shape"], "tube")
        self.assertEqual(changed["shear_coefficient"], "0.5")

    def test_kinds_among_the_changes_take_the_place_of_others(self) -> None:
        law = stoss.HuntCrossley(stiffness=1e6, damping_factor=0.5)
        case = {"problem": "restitution", "mass": "1 g", "speed": 1, "contact": law}
        for contact in (stoss.Hertz(stiffness=1e6), stoss.Contact(law=stoss.Hertz(stiffness=1e6))):
            found = stoss.run(case, contact=contact)
            self.assertEqual(found.case["contact"]["law"], "hertz")
            self.assertAlmostEqual(found.cor, 1.0, 8)

    def test_no_expectation_is_compared_in_a_changed_case(self) -> None:
        self.assertTrue(stoss.run(FIRST, mesh={"modes": 5}).passed)
        self.assertTrue(stoss.run({"problem": "bead"}).passed)

    def test_tables_are_equal_if_their_entries_are(self) -> None:
        one, other = (
            stoss.Table({"e": np.array([last, math.nan]), "status": np.array(["a", "b"])})
            for last in (0.5, 0.5)
        )
        self.assertEqual(one, other)
        self.assertNotEqual(one, stoss.Table({"e": one.e, "status": np.array(["a", "c"])}))
        less = np.array([0.4, math.nan])
        self.assertNotEqual(one, stoss.Table({"e": less, "status": one.status}))
        self.assertNotEqual(one, stoss.Table({"status": one.status, "e": one.e}))
        self.assertNotEqual(one, stoss.Table({"e": one.status, "status": one.e}))
        self.assertNotEqual(one, stoss.Table({"e": one.e[:1], "status": one.status[:1]}))
        self.assertNotEqual(one, "e")
        with self.assertRaises(TypeError):
            hash(one)

    def test_tables_share_memory_with_the_core(self) -> None:
        table = stoss.run(FIRST).table
        column = table._core.columns()["xi"]
        self.assertTrue(np.shares_memory(table["xi"], column))
        self.assertFalse(table["xi"].flags.owndata)

    def test_tables_of_a_run_are_read_only(self) -> None:
        result = stoss.run(FIRST)
        xi = result.table.xi
        with self.assertRaisesRegex(ValueError, "read-only"):
            xi *= 508
        for column in result.table.values():
            self.assertFalse(column.flags.writeable)
        self.assertTrue(pinned_beam().map(PLACES).xi.flags.writeable)

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
        self.assertIn("separation", dir(table))
        self.assertIn("400 rows", repr(table))
        with self.assertRaisesRegex(KeyError, "there is no such column"):
            table["nothing"]
        with self.assertRaises(AttributeError):
            table._nothing
        with self.assertRaisesRegex(TypeError, "only a table of a run"):
            stoss.Table({"x": np.zeros(2)}).to_csv()
        self.assertEqual(stoss.Table({}).rows, 0)

    def test_single_numbers_are_a_table_of_one_row(self) -> None:
        law = stoss.HuntCrossley(stiffness=1e6, damping_factor=0.5)
        for table in (
            stoss.restitution(law, "10 g", 1.0),
            stoss.calibrate(stoss.HuntCrossley(stiffness=1e6), "10 g", 1.0, 0.7),
        ):
            self.assertEqual(table.rows, 1)
            self.assertIn("1 rows", repr(table))
            self.assertIn(f"<td>{table.cor}</td>", table._repr_html_())
            self.assertEqual(table.to_numpy()["cor"].tolist(), [float(table.cor)])
            frame = table.to_pandas()
            self.assertEqual(list(frame), list(table))
            self.assertEqual(frame["cor"].tolist(), [float(table.cor)])

    def test_arrays_of_two_dimensions_are_a_table_with_a_row_for_each_entry(self) -> None:
        places = np.array([[0.5, 0.6], [0.7, 0.8], [0.9, 1.0]])
        table = pinned_beam().map(places)
        self.assertEqual(table.cor_kinematic.shape, (3, 2))
        self.assertEqual(table.rows, 6)
        frame = table.to_pandas()
        self.assertEqual(list(frame), list(table))
        for rows in (frame, table.to_numpy()):
            np.testing.assert_array_equal(rows["xi"], places.ravel())
            np.testing.assert_array_equal(rows["cor_kinematic"], table.cor_kinematic.ravel())
        line = table.plot(y="separation").lines[-1]
        np.testing.assert_array_equal(line.get_xdata(), places.ravel())
        np.testing.assert_array_equal(line.get_ydata(), table.separation.ravel())
        law = stoss.HuntCrossley(stiffness=1e6, damping_factor=0.5)
        of_mass = stoss.restitution(law, "10 g", [[1.0, 2.0], [3.0, 4.0]])
        self.assertEqual(of_mass.to_pandas()["cor"].tolist(), of_mass.cor.ravel().tolist())
        found = stoss.calibrate(stoss.HuntCrossley(stiffness=1e6), "10 g", 1.0, [[0.5], [0.8]])
        self.assertEqual(found.to_pandas()["damping_factor"].size, 2)

    def test_history_has_several_numbers_a_row(self) -> None:
        history = pinned_beam().collide(0.6, history=50).history
        rows = history.to_numpy()
        self.assertEqual(rows.shape, (history.rows,))
        self.assertEqual(rows["energy_modes"].shape, history.energy_modes.shape)
        self.assertNotIn("energy_modes", history.to_pandas())

    def test_history_has_the_units_of_its_file(self) -> None:
        place = {"problem": "beam_impact", **pinned_beam().to_dict(), "location": {"xi": 0.6}}
        of_file = stoss.run(place).tables["history.csv"].units
        collision = pinned_beam().collide(0.6, history=50)
        for units in (collision.history.units, pickle.loads(pickle.dumps(collision)).history.units):
            for name in ("time_s", "overlap_m", "approach_velocity_m_per_s", "force_N"):
                self.assertEqual(units[_stoss.split_unit(name)[0]], of_file[name])
                self.assertNotEqual(of_file[name], "")
            self.assertEqual(units["body_displacement"], of_file["displacement_m"])
            self.assertEqual(units["energy_rigid"], "")
            self.assertEqual(units["body_rates"], "sqrt(kg) m/s")
            self.assertEqual(set(units), set(collision.history))

    def test_table_is_a_data_frame_and_a_figure(self) -> None:
        result = stoss.run(FIRST)
        frame = result.to_pandas()
        np.testing.assert_array_equal(frame["xi"].to_numpy(), result.table.xi)
        axes = result.plot()
        self.assertEqual(axes.get_ylabel(), "cor_kinematic")
        self.assertIs(result.table.plot("xi", ["cor_kinetic", "cor_energetic"], ax=axes), axes)
        self.assertEqual(len(axes.get_legend().get_texts()), 3)

    def test_numbers_of_a_result_have_two_names(self) -> None:
        result = stoss.run(FIRST)
        self.assertIn("problem", list(result))
        self.assertEqual(len(result), len(result.summary))
        self.assertEqual(result.wall_time, result["wall_time_s"])
        self.assertEqual(result.warnings, result.summary["warnings"])
        with self.assertRaisesRegex(AttributeError, "there is no such result"):
            result.nothing
        with self.assertRaises(AttributeError):
            result._nothing
        with self.assertRaisesRegex(TypeError, "needs a directory"):
            result.report()
        with self.assertRaisesRegex(LookupError, "has no table"):
            stoss.Result({"problem": "none"}, {}, {}).table

    def test_numbers_of_a_collision_have_two_names(self) -> None:
        collision = pinned_beam().collide(0.6)
        self.assertEqual(collision.separation, collision.numbers["separation_s"])
        self.assertIn(collision.status, repr(collision))
        for name in ("nothing", "_nothing"):
            with self.assertRaises(AttributeError):
                getattr(collision, name)

    def test_parameters_are_shown_as_they_were_given(self) -> None:
        circle = stoss.Circle(radius="6.35 mm")
        self.assertEqual(repr(circle), "Circle(radius='6.35 mm')")
        beam = {"length": 0.5, "section": circle, "material": "steel", "supports": [stoss.Pin(xi=0)]}
        impact = stoss.BeamCollision(beam, stoss.Sphere(radius=0.01, material="steel"),
                                     approach_speed=1.0)
        self.assertEqual(impact.modes(3).table.rows, 3)
        nested = stoss.Motion(loads=[stoss.PointLoad(xi=0.5, force=1.0)], vibration=[{"mode": 2}])
        self.assertEqual(nested.to_dict()["loads"], [{"xi": 0.5, "force": 1.0}])

    def test_velocity_is_for_one_rigid_mode(self) -> None:
        with self.assertRaisesRegex(ValueError, "one rigid mode"):
            stoss.ModalBody([1.0], [1.0], velocity=1.0)
        wall = stoss.ModalBody.mass(np.inf)
        ball = stoss.ModalBody.mass(1.0, velocity=1.0)
        found = stoss.modal_impact(wall, ball, stoss.Hertz(stiffness=1e9))
        self.assertAlmostEqual(found.cor_kinematic, 1.0, 5)


def bead_in_a_process() -> stoss.Result:
    return stoss.run({"problem": "bead"})


class Pickled(unittest.TestCase):
    def test_result_of_another_process(self) -> None:
        expected = bead_in_a_process()
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            found = pool.submit(bead_in_a_process).result()
        self.assertEqual(*({**each.summary, "wall_time_s": 0} for each in (found, expected)))
        self.assertEqual(found.case, expected.case)
        self.assertEqual(list(found.tables), list(expected.tables))
        for name, table in found.tables.items():
            self.assertEqual(table.to_csv(), expected.tables[name].to_csv())
            for column in table:
                self.assertEqual(table[column].dtype, expected.tables[name][column].dtype)
                self.assertFalse(table[column].flags.writeable)

    def test_only_the_process_of_a_run_writes_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copied = pickle.loads(pickle.dumps(bead_in_a_process()))
            with self.assertRaisesRegex(TypeError, "in the process that ran it"):
                copied.report(folder + "/elsewhere")
            written = stoss.run({"problem": "bead"}, output=folder + "/written")
            pickle.loads(pickle.dumps(written)).report()
            copy.copy(written).report(folder + "/again")
            self.assertTrue(os.path.exists(folder + "/again/report.html"))

    def test_tables_of_every_kind_of_column(self) -> None:
        loaded = stoss.run(FIRST).table
        again = pickle.loads(pickle.dumps(loaded))
        self.assertEqual(again.to_csv(), loaded.to_csv())
        whole = pinned_beam().map(PLACES)
        self.assertIsInstance(pickle.loads(pickle.dumps(whole)), stoss.CollisionMap)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(whole)).status, whole.status)

    def test_every_class_in_every_protocol(self) -> None:
        impact = pinned_beam()
        result = bead_in_a_process()
        diagnostic = stoss.Diagnostic("file", 1, 2, "key", "value", "rule", "hint")
        things: list[Any] = [
            impact,
            impact.map(PLACES),
            impact.collide(0.6, history=10, gradient=["location"]),
            stoss.Table({"x_m": np.zeros(2)}, units={"x_m": "m"}),
            result,
            result.table,
            stoss.ModalBody.mass(1.0, velocity=2.0),
            stoss.FunctionLaw(crossley),
            stoss.InputError("wrong", [diagnostic]),
            stoss.NumericalError("failed"),
            diagnostic,
        ]
        for name in _parameters.all_classes():
            kind = getattr(stoss, name)
            needed = [key for key, each in kind._keys.items() if each["required"]]
            things.append(kind(**dict.fromkeys(needed, 1)))
        for thing in things:
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.subTest(type(thing).__name__, protocol=protocol):
                    again = pickle.loads(pickle.dumps(thing, protocol))
                    self.assertIs(type(again), type(thing))
                    self.assertEqual(repr(again), repr(thing))
                    if isinstance(thing, stoss.Table):
                        self.assertEqual(again, thing)

    def test_model_of_the_core_is_refused_in_every_protocol(self) -> None:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with self.assertRaisesRegex(TypeError, "cannot pickle 'stoss._stoss.BeamModel'"):
                pickle.dumps(pinned_beam()._model, protocol)


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

    def test_attribute_that_no_parameter_has(self) -> None:
        rod = stoss.Beam(length=1, section=stoss.Circle(radius=1), material="steel")
        rod.length = 2
        with self.assertRaisesRegex(AttributeError, "'lenght'; did you mean 'length'"):
            setattr(rod, "lenght", 0.3)
        self.assertEqual(rod.to_dict()["length"], 2)

    def test_threads_are_a_whole_number(self) -> None:
        law = stoss.Hertz(stiffness=1e6)
        calls: list[Callable[..., Any]] = [
            functools.partial(stoss.run, {"problem": "bead"}),
            functools.partial(stoss.restitution, law, 1, 1),
            functools.partial(stoss.coulomb_solutions, np.eye(3), np.ones(3), 0.5),
            functools.partial(pinned_beam().map, 0.5),
        ]
        for call in calls:
            with self.assertRaisesRegex(TypeError, "^threads must be a whole number, not '2'$"):
                call(threads="2")
            for count in (-1, 4097, 10**30):
                with self.assertRaisesRegex(
                    stoss.InputError, f"^threads: {count}: must be from 1 to 4096, or 0: all cores$"
                ):
                    call(threads=count)

    def test_texts_that_no_file_can_hold(self) -> None:
        half, null = "\ud800", "a\0b"
        for text, rule in ((half, "half of a surrogate pair"), (null, "null character")):
            cases: list[dict[str, Any]] = [
                {"problem": "bead", "title": text}, {"problem": "bead", text: 1}
            ]
            for case in cases:
                with self.assertRaisesRegex(stoss.InputError, f"case: '.*': .*{rule}"):
                    stoss.run(case)
            with tempfile.TemporaryDirectory() as folder:
                name = os.path.join(folder, text)
                calls: list[tuple[str, Callable[[], object]]] = [
                    ("case", lambda: stoss.run(name)),
                    ("case", lambda: stoss.run(pathlib.Path(name))),
                    ("output", lambda: stoss.run({"problem": "bead"}, output=name)),
                    ("directory", lambda: stoss.load(name)),
                    ("trace", lambda: stoss.encoder(name)),
                    ("runs", lambda: stoss.compare(name, "measured.csv")),
                    ("experiment", lambda: stoss.compare([], name)),
                ]
                for key, call in calls:
                    with self.assertRaisesRegex(stoss.InputError, f"^{key}: '.*': must .*{rule}"):
                        call()

    def test_yaml_text_is_unicode(self) -> None:
        with self.assertRaisesRegex(stoss.InputError, "half of a surrogate pair"):
            stoss.run("problem: bead\ntitle: \ud800\n")

    def test_mass_and_velocity_of_a_point(self) -> None:
        masses: list[float | str] = [0.0, -1.0, float("nan"), "0 g"]
        for mass in masses:
            with self.assertRaisesRegex(stoss.InputError, "mass: .*must be > 0 kg"):
                stoss.ModalBody.mass(mass)
        for velocity in (float("nan"), float("inf")):
            with self.assertRaisesRegex(stoss.InputError, "velocity: .*must be finite"):
                stoss.ModalBody.mass(1.0, velocity=velocity)
        still = stoss.ModalBody.mass(1.0)
        for body in (
            stoss.ModalBody([0.0], [1.0], rigid=1, velocity=float("nan")),
            stoss.ModalBody([0.0], [1.0], rigid=1, rigid_rates=[float("inf")]),
        ):
            with self.assertRaisesRegex(stoss.InputError, r"second\.rigid_rates\[0\]"):
                stoss.modal_impact(still, body, stoss.Hertz(stiffness=1e9))

    def test_mass_of_a_point_is_a_number(self) -> None:
        masses: list[Any] = ["0 g", "auto", None]
        for mass in masses:
            with self.assertRaises(stoss.InputError) as caught:
                stoss.restitution(stoss.Hertz(stiffness=1e6), mass, 1.0)
            self.assertNotIn("auto` is accepted", str(caught.exception))
            self.assertEqual([each.key for each in caught.exception.diagnostics], ["mass"])

    def test_texts_without_a_fitting_unit(self) -> None:
        law = stoss.Hertz(stiffness=1e6)
        with self.assertRaisesRegex(stoss.InputError, r"speed\[1\]: 3 kg: "):
            stoss.restitution(law, "10 g", ["1 m/s", "3 kg"])
        with self.assertRaisesRegex(stoss.InputError, r"xi\[0\]: 254 mm: "):
            pinned_beam().map(["254 mm"])

    def test_length_in_place_of_a_part_of_it(self) -> None:
        impact = pinned_beam()
        length: Any = "150 mm"
        calls: list[Callable[[Any], object]] = [
            impact.collide, impact.map, impact.truncation, impact.converge
        ]
        rule = r"xi: 150 mm: must be xi = x/l, .*; divide x by the length of the beam, as 0\.15/"
        for call in calls:
            with self.assertRaisesRegex(stoss.InputError, rule):
                call(length)
        with self.assertRaisesRegex(stoss.InputError, "xi: abc: "):
            impact.map("abc")

    def test_places_outside(self) -> None:
        with self.assertRaisesRegex(stoss.InputError, r"xi\[1\]"):
            pinned_beam().map([0.5, 1.5])

    def test_only_a_fit_is_fitted(self) -> None:
        cases: list[Any] = [{"problem": "bead"}, FIRST]
        with tempfile.TemporaryDirectory() as folder:
            for case in cases:
                with self.assertRaisesRegex(stoss.InputError, "^problem: .*: must be beam_fit; "):
                    stoss.fit(case, output=folder + "/run")
            self.assertEqual(os.listdir(folder), [])

    def test_file_that_is_not_there(self) -> None:
        calls: list[tuple[Callable[[], object], str]] = [
            (lambda: stoss.run("no_such_case.yaml"), "no_such_case.yaml"),
            (lambda: stoss.load("no_such_run"), "no_such_run/provenance.json"),
        ]
        for call, name in calls:
            with self.assertRaises(FileNotFoundError) as caught:
                call()
            self.assertEqual(caught.exception.errno, errno.ENOENT)
            self.assertEqual(caught.exception.filename, name)
            self.assertEqual(
                caught.exception.strerror, "cannot be read: No such file or directory"
            )

    def test_directory_that_cannot_be_made(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaises(NotADirectoryError) as caught:
                stoss.run({"problem": "bead"}, output=file.name + "/run")
            self.assertEqual(caught.exception.filename, file.name + "/run")

    def test_values_that_no_case_holds(self) -> None:
        with self.assertRaises(TypeError):
            stoss.run({"problem": object()})
        with self.assertRaises(TypeError):
            stoss.run({1: "beam_impact"})  # type: ignore[dict-item]

    def test_what_is_no_case_and_no_directory(self) -> None:
        for wrong, kind in ((None, "NoneType"), (3, "int"), ([1], "list")):
            with self.assertRaisesRegex(
                TypeError, f"^case: must be a path, YAML text or a dict, not {kind}$"
            ):
                stoss.run(cast(Any, wrong))
        with self.assertRaisesRegex(TypeError, r'^output: must be a path; .*"output.samples"'):
            stoss.run({"problem": "bead"}, output=cast(Any, {"samples": 100}))

    def test_long_doubles_are_floats(self) -> None:
        def cor(speed: Any) -> float:
            contact = {"law": "hunt_crossley", "stiffness": 1e6, "damping_factor": 0.5}
            case = {"problem": "restitution", "mass": "1 g", "contact": contact, "speed": speed}
            return float(stoss.run(case).cor)

        self.assertEqual(cor(np.longdouble("0.5")), cor(0.5))
        case = pinned_beam().to_dict()
        for long in (np.longdouble("0.508"), np.array("0.508", dtype=np.longdouble)):
            beam = dict(case["beam"], length=long)
            motion: dict[str, Any] = {"angular_velocity": np.longdouble(-6)}
            found = stoss.BeamCollision(beam, case["striker"], mesh=case["mesh"], **motion)
            self.assertEqual(found.collide(0.6).cor_kinematic,
                             pinned_beam().collide(0.6).cor_kinematic)
        overlaps: Any = np.linspace(0, 1e-3, 5, dtype=np.longdouble)
        table = stoss.Tabulated(overlap=overlaps, force=[0.0, 0.25, 0.5, 0.75, 1.0])
        self.assertAlmostEqual(stoss.restitution(table, "1 g", 0.1).cor, 1.0)
        with self.assertRaisesRegex(TypeError, "cannot hold a value of .*complex"):
            cor(np.clongdouble(1.0))

    def test_what_holds_itself_is_refused(self) -> None:
        endless: list[Any] = []
        endless.append(endless)
        around: dict[str, Any] = {"problem": "beam_impact"}
        around["beam"] = around
        cases: list[dict[str, Any]] = [{"problem": endless}, around]
        for case in cases:
            with self.assertRaises(RecursionError):
                stoss.run(case)

    def test_shapes_of_contacts(self) -> None:
        with self.assertRaisesRegex(ValueError, r"\(\.\.\., 3, 3\)"):
            stoss.maximum_dissipation(np.eye(2), np.zeros(3), 0.5)

    def test_numerical_error_is_an_arithmetic_error(self) -> None:
        self.assertTrue(issubclass(stoss.NumericalError, ArithmeticError))


class Interruption(unittest.TestCase):
    def setUp(self) -> None:
        # A job in the background of a shell is started with Ctrl-C ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, signal.default_int_handler)

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
        self.assert_threads_end(before)

    def assert_threads_end(self, before: int) -> None:
        """The system lists a thread for a moment after another one has waited for its end."""
        deadline = time.monotonic() + 2.0
        while self.threads() > before and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertLessEqual(self.threads(), before)

    def test_control_c_ends_a_run_and_its_threads(self) -> None:
        self.assert_control_c_ends(lambda: stoss.run(long_map()))

    def test_control_c_ends_a_map_and_its_threads(self) -> None:
        impact = pinned_beam()
        self.assert_control_c_ends(lambda: impact.map(np.linspace(0.2, 1, 200_000)))

    def answer(self, work: Callable[[], object], pressed: float) -> float | None:
        """Processor time [s] from a Ctrl-C after so much processor time until `work` has ended; None
        if it was over before. The other tests and users of a machine do not count; the clock of
        the signal and of the process differ by up to 0.1 s."""
        before = signal.signal(signal.SIGPROF, signal.default_int_handler)
        threads = self.threads()
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, pressed)
        try:
            work()
        except KeyboardInterrupt:
            late = time.process_time() - begin - pressed
            self.assert_threads_end(threads)
            return late
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
        return None

    def assert_answers(self, calls: dict[str, Callable[[], object]], *pressed: float) -> None:
        for name, call in calls.items():
            with self.subTest(name):
                late = [self.answer(call, each) for each in pressed]
                self.assertIsNotNone(late[0], "the call was over before")
                # 0.2 s; memory is slower, and counts as processor time, where others use it, too.
                self.assertLess(max(each for each in late if each is not None), 0.4)

    def test_control_c_ends_every_call_within_a_fifth_of_a_second(self) -> None:
        million = 1_000_000
        case = pinned_beam().to_dict()
        fine = {"scheme": "newmark", "force": "implicit", "step": "0.0001 us"}
        beam = pinned_beam()
        slow = stoss.BeamCollision(
            case["beam"], case["striker"], angular_velocity=-6, integration=fine,
            mesh=stoss.Mesh(modes=10),
        )
        A, b = RigidContacts.A, np.random.default_rng(2).normal(size=(million, 3))
        speeds, wanted = np.linspace(0.1, 2, million), np.linspace(0.1, 0.9, million)
        tsuji = stoss.Tsuji(stiffness=1e6, damping_factor=0.3)
        kuwabara = stoss.KuwabaraKono(stiffness=1e6)
        ball, bar = stoss.ModalBody.mass(1.0, velocity=1.0), stoss.ModalBody.mass(2.0)
        hertz = stoss.Hertz(stiffness=1e9)
        self.assert_answers(
            {
                "maximum_dissipation": lambda: stoss.maximum_dissipation(
                    A, np.concatenate([b] * 4), 0.5, threads=1
                ),
                "coulomb_solutions": lambda: stoss.coulomb_solutions(A, b, 0.5, threads=1),
                "restitution": lambda: stoss.restitution(tsuji, 0.01, speeds, threads=1),
                "calibrate": lambda: stoss.calibrate(kuwabara, 0.01, 1.0, wanted, threads=1),
                "map": lambda: beam.map(np.linspace(0.2, 1, million), threads=1),
                "collide": lambda: slow.collide(0.6),
                "modal_impact": lambda: stoss.modal_impact(
                    bar, ball, hertz, integration={**fine, "step": 1e-12}
                ),
            },
            0.1, 0.3, 1.0,
        )

    def test_control_c_ends_a_run_of_every_problem(self) -> None:
        # One case of each problem that computes for more than the time of the signal; those whose
        # cases are all shorter need no answer.
        cases = "bead_simon_hunt_crossley pinned_beam_force timoshenko_sphere_on_beam "
        cases += "rigid_compliant_rod_above box_settle schemes_pinned_beam channel_flow "
        cases += "virtual_experiment virtual_experiment_fit"
        paths = [next(ROOT.glob(f"cases/*/{name}.yaml")) for name in cases.split()]
        self.assert_answers(
            {path.stem: functools.partial(stoss.run, path, threads=1) for path in paths}, 0.04, 0.2
        )
        slow = pinned_beam().to_dict()
        self.assert_answers(
            {
                "converge": lambda: stoss.converge(
                    {"problem": "beam_impact_map", **slow,
                     "locations": {"from": 0.2, "to": 1, "points": 4000}}, threads=1
                )
            },
            0.1, 0.4,
        )

    def test_control_c_ends_a_single_collision_with_a_law_of_python(self) -> None:
        def slow(x: float, v: float) -> float:
            time.sleep(0.001)
            return 1e9 * x * math.sqrt(x)

        impact = LawsOfPython.beam(stoss.FunctionLaw(slow))
        self.assert_control_c_ends(lambda: impact.collide(0.6))

    def test_control_c_ends_a_folder_of_traces(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = os.path.join(folder, "virtual")
            stoss.run(ROOT / "cases/tutorial/virtual_experiment.yaml", output=where)
            traces = pathlib.Path(where) / "traces"
            lines = (traces / "manifest.csv").read_text().splitlines(keepends=True)
            head = [i for i, line in enumerate(lines) if line.startswith("file")][0] + 1
            once = lines[head:]
            for copy in range(200):
                for line in once:
                    name, columns = line.split(",", 1)
                    os.link(traces / name, traces / f"{copy}_{name}")
                    lines.append(f"{copy}_{name},{columns}")
            (traces / "manifest.csv").write_text("".join(lines))
            self.assert_control_c_ends(lambda: stoss.encoder(traces))

    def test_exception_of_a_callback_arrives_unharmed(self) -> None:
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


class Exit(unittest.TestCase):
    """The interpreter ends while a daemon thread computes."""

    # What is left of the interpreter lives for a while, so that the other thread asks for its lock.
    PROGRAM = """
import sys, threading, time
sys.path.insert(0, {folder!r})
import stoss, test_stoss
class Lingers:
    def __del__(self, sleep=time.sleep):
        sleep(0.3)
lingers = Lingers()
begun = threading.Event()
def force(x, v):
    begun.set()
    return 1e6 * x
def outer(x, v):
    stoss.restitution(stoss.FunctionLaw(force), 1.0, [1.0] * 1000000)
    return 1e6 * x
def compute():
    {work}
kept = test_stoss.LawsOfPython.beam(stoss.FunctionLaw(force))  # its law ends with the interpreter
begun.clear()
threading.Thread(target=compute, daemon=True).start()
begun.wait()
"""

    def assert_ends(self, work: str) -> None:
        folder = str(pathlib.Path(__file__).resolve().parent)
        program = self.PROGRAM.format(folder=folder, work=work)
        ended = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=300
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_during_a_map(self) -> None:
        self.assert_ends("stoss.run(test_stoss.long_map(), progress=lambda *_: begun.set())")

    def test_during_impacts_with_a_law_of_python(self) -> None:
        self.assert_ends("stoss.restitution(stoss.FunctionLaw(force), 1.0, [1.0] * 1000000)")

    def test_during_impacts_that_a_law_of_python_computes(self) -> None:
        self.assert_ends("stoss.restitution(stoss.FunctionLaw(outer), 1.0, 1.0)")

    def test_during_one_short_call_after_another(self) -> None:
        self.assert_ends("while True: stoss.restitution(stoss.FunctionLaw(force), 1.0, 1.0)")


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


def killed(number: int) -> int:
    """Kills its process where a number is asked for that no worker survives."""
    if number == 1 and multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


class Executors(unittest.TestCase):
    """Cases whose parts are computed by other processes."""

    places = {"from": 0.3, "to": 0.9, "points": 6}
    uncertainty = {
        "samples": 16,
        "keys": [
            {"key": "beam.material.youngs_modulus", "distribution": "normal",
             "relative_sigma": 0.03},
            {"key": "location", "distribution": "normal", "sigma": "1 mm"},
        ],
    }

    def assert_same_bytes(self, case: Any, parts: int = 3) -> None:
        alone = stoss.run(case)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            shared = stoss.run(case, executor=pool, parts=parts)
        self.assertEqual(set(shared.tables), set(alone.tables))
        for name, table in alone.tables.items():
            self.assertEqual(shared.tables[name].to_csv(), table.to_csv(), name)
        ours, theirs = ({k: v for k, v in each.summary.items() if k != "wall_time_s"}
                        for each in (shared, alone))
        self.assertEqual(repr(ours), repr(theirs))

    def beam(self) -> dict[str, Any]:
        return {"problem": "beam_impact_map", **pinned_beam().to_dict(), "locations": self.places}

    def test_map_has_the_bytes_of_one_process(self) -> None:
        self.assert_same_bytes(self.beam())

    def test_sweep_has_the_bytes_of_one_process(self) -> None:
        sweep = {"key": "motion.angular_velocity", "values": [-3, -6]}
        self.assert_same_bytes({**self.beam(), "sweep": sweep}, parts=5)

    def test_uncertainty_study_has_the_bytes_of_one_process(self) -> None:
        self.assert_same_bytes({**self.beam(), "uncertainty": self.uncertainty})

    def test_fit_has_the_bytes_of_one_process(self) -> None:
        case = ROOT / "cases/validation/virtual_experiment_fit.yaml"
        quick: dict[str, Any] = {"mesh.modes": 6, "starts": 2, "integration.tolerance": 1e-4}
        alone = stoss.fit(case, **quick)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            shared = stoss.fit(case, executor=pool, parts=2, **quick)
        for name, table in alone.tables.items():
            self.assertEqual(shared.tables[name].to_csv(), table.to_csv(), name)

    def test_more_parts_than_items_are_as_good(self) -> None:
        self.assert_same_bytes(self.beam(), parts=20)

    def test_fewer_parts_than_one_are_refused(self) -> None:
        calls: list[Callable[[Any], Any]] = [
            lambda parts: pinned_beam().map(PLACES, executor=pool, parts=parts),
            lambda parts: stoss.run(FIRST, executor=pool, parts=parts),
        ]
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for call in calls:
                with self.assertRaisesRegex(stoss.InputError, "^parts: 0: must be 1 or more$"):
                    call(0)
                with self.assertRaisesRegex(TypeError, "parts must be a whole number, not 2.5"):
                    call(2.5)

    def test_problem_without_items_is_refused(self) -> None:
        case = ROOT / "cases/tutorial/ball_on_clamped_beam.yaml"
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            with self.assertRaisesRegex(stoss.InputError, "cannot be divided into parts"):
                stoss.run(case, executor=pool)

    def test_what_is_lost_with_a_worker_is_computed_here(self) -> None:
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            done = _executors.compute(pool, killed, [(i,) for i in range(4)], None)
        self.assertEqual(done, [0, 1, 2, 3])

    def test_what_a_dead_executor_refuses_is_computed_here(self) -> None:
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            with self.assertRaises(concurrent.futures.BrokenExecutor):
                pool.submit(killed, 1).result()
            self.assertEqual(_executors.compute(pool, killed, [(0,), (2,)], None), [0, 2])

    def test_exception_in_a_worker_ends_the_run(self) -> None:
        impact = LawsOfPython.beam(stoss.FunctionLaw(too_deep))
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            with self.assertRaisesRegex(Enough, "too deep"):
                impact.map(PLACES, executor=pool)

    def test_wrong_input_arrives_with_its_diagnostics(self) -> None:
        error = stoss.InputError("words", [stoss.Diagnostic("f", 1, 2, "key", "1", "rule", "hint")])
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.diagnostics), ("words", error.diagnostics))

    def test_progress_counts_the_parts(self) -> None:
        seen: list[tuple[str, int, int]] = []
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            pinned_beam().map(PLACES, executor=pool, parts=3, progress=lambda *now: seen.append(now))
        self.assertEqual(seen, [("parts", i, 3) for i in (1, 2, 3)])


class ProgressBar(unittest.TestCase):
    def written(self, without: str | None) -> str:
        err = io.StringIO()
        hidden = {without: None} if without else {}
        with unittest.mock.patch.dict(sys.modules, hidden), contextlib.redirect_stderr(err):
            pinned_beam().map(PLACES, progress=True)
        return err.getvalue()

    def test_line_without_tqdm(self) -> None:
        self.assertIn(f"\rcollisions {PLACES.size} of {PLACES.size}\n", self.written("tqdm"))

    def test_shorter_line_covers_the_longer_one(self) -> None:
        err = io.StringIO()
        with unittest.mock.patch.dict(sys.modules, {"tqdm": None}), contextlib.redirect_stderr(err):
            bar = _executors._Bar()
            bar("collisions", 24, 24)
            bar("modes", 1, 9)
            bar.close()
        self.assertEqual(err.getvalue(), "\rcollisions 24 of 24\rmodes 1 of 9" + 7 * " " + "\n")

    def test_bar_of_tqdm(self) -> None:
        self.assertIn(f"{PLACES.size}/{PLACES.size}", self.written(None))

    def test_none_if_it_is_false(self) -> None:
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            pinned_beam().map(PLACES, progress=False)
        self.assertEqual(err.getvalue(), "")


class NamedCollision(stoss.BeamCollision):
    title = ""


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
        changes = impact.truncation(PLACES.reshape(2, -1))
        self.assertEqual(changes.shape, PLACES.reshape(2, -1).shape)
        np.testing.assert_array_equal(changes.ravel(), table["cor_truncation"])

    def test_column_of_a_data_frame_is_a_list(self) -> None:
        beam = {"problem": "beam_impact_map", **pinned_beam().to_dict()}
        places = {"at": [0.3, 0.6]}
        expected = stoss.run({**beam, "locations": places}).table
        frame = expected.to_pandas()
        found = stoss.run({**beam, "locations": {"at": frame["xi"]}}).table
        self.assertEqual(found.to_csv(), expected.to_csv())

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

    def test_later_changes_of_the_arguments_have_no_effect(self) -> None:
        overlap: Any = np.array([0.0, 1e-5, 1e-4])
        force: Any = np.array([0.0, 30.0, 900.0])
        beam = pinned_beam().to_dict()["beam"]
        striker = stoss.Cylinder(radius="6.35 mm", material="aluminium")
        impact = stoss.BeamCollision(
            beam, striker, angular_velocity=-6, mesh={"modes": 8},
            contact=stoss.Tabulated(overlap=overlap, force=force),
        )
        expected = impact.map(0.6)
        beam["length"] = "1 m"
        beam["supports"][0]["xi"] = 0.5
        striker.radius = "1 mm"
        force *= 2
        impact.to_dict()["beam"]["supports"][0]["xi"] = 0.1
        self.assertEqual(pickle.loads(pickle.dumps(impact)).map(0.6), expected)
        self.assertEqual(copy.copy(impact).map(0.6), expected)
        self.assertEqual(impact.map(0.6), expected)

    def test_subclass_stays_one_in_a_copy(self) -> None:
        case = pinned_beam().to_dict()
        named = NamedCollision(case["beam"], case["striker"], angular_velocity=-6,
                               mesh={"modes": 8})
        named.title = "first"
        for again in (copy.copy(named), copy.deepcopy(named), pickle.loads(pickle.dumps(named))):
            self.assertIs(type(again), NamedCollision)
            self.assertEqual(again.title, "first")
            self.assertEqual(again.map(0.6), named.map(0.6))
        self.assertEqual(
            repr(named), "<NamedCollision: beam of 0.508 m, striker cylinder, law hertz>"
        )

    def test_parameters_with_arrays_are_equal_if_their_entries_are(self) -> None:
        def law(last: float) -> stoss.Tabulated:
            overlap: Any = np.array([0.0, 1.0])
            return stoss.Tabulated(overlap=overlap, force=overlap * last)

        self.assertEqual(law(2.0), law(2.0))
        self.assertNotEqual(law(2.0), law(3.0))
        self.assertEqual(stoss.Contact(law=law(2.0)), stoss.Contact(law=law(2.0)))
        self.assertNotEqual(stoss.Contact(law=law(2.0)), stoss.Contact(law="hertz"))

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

    def test_law_of_a_user_is_a_class(self) -> None:
        # As `describe` shows it in a build with STOSS_USER_LAWS: tests/user_laws/user_law_test.cpp.
        problems = copy.deepcopy(_parameters.PROBLEMS)
        contact = next(key for key in problems["beam_impact_map"]["keys"] if key["key"] == "contact")
        law = next(key for key in contact["keys"] if key["key"] == "law")
        spring = copy.deepcopy(law["choices"][0])
        spring.update(name="damped_spring", meaning="linear spring and dashpot")
        spring["keys"] = [{**spring["keys"][0], "key": "damping", "unit": "N s/m", "required": True}]
        law["choices"].append(spring)
        with unittest.mock.patch.object(_parameters, "PROBLEMS", problems):
            made = _parameters.all_classes()["DampedSpring"]
            self.assertIn("class DampedSpring(Parameters):", _parameters.stub())
        self.assertEqual(made(damping=3.0).to_dict(), {"law": "damped_spring", "damping": 3.0})
        self.assertIn("[N s/m]", made.__doc__ or "")
        with self.assertRaises(TypeError):
            made()

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

    def test_types_of_numbers_are_those_that_are_taken(self) -> None:
        law = stoss.Hertz(stiffness=1e6)
        found = stoss.restitution(law, "10 g", "1 m/s", gravity="9.81 m/s^2", load="0.1 N")
        self.assertEqual(
            found.cor, stoss.restitution(law, 0.01, 1.0, gravity=9.81, load=0.1).cor
        )
        with_units = {
            stoss.restitution: ["mass", "gravity", "load"],
            stoss.calibrate: ["mass", "speed", "gravity", "load"],
            stoss.impact_motion: ["gravity"],
            stoss.ModalBody: ["velocity", "residual_flexibility"],
        }
        for function, names in with_units.items():
            known = inspect.signature(cast(Callable[..., object], function)).parameters
            for name in names:
                self.assertIn(known[name].annotation, ("float | str", "float | str | None"))
        place = inspect.signature(stoss.BeamCollision.collide).parameters["xi"]
        self.assertEqual(place.annotation, "float")

    def test_texts_in_arrays_have_units(self) -> None:
        law = stoss.Tsuji(stiffness=1e6, damping_factor=0.3)
        for texts, numbers in (("36 km/h", 10.0), (["36 km/h", "2"], [10.0, 2.0])):
            found, expected = (stoss.restitution(law, "10 g", each) for each in (texts, numbers))
            np.testing.assert_array_equal(found.peak_force, expected.peak_force)
        impact = pinned_beam()
        np.testing.assert_array_equal(impact.map(["0.5"]).cor_kinematic, impact.map([0.5]).cor_kinematic)
        ball, same = stoss.ModalBody.mass("10 g", velocity="1 km/h"), stoss.ModalBody.mass(0.01, 1 / 3.6)
        wall, spring = stoss.ModalBody.mass(np.inf), stoss.Hertz(stiffness=1e9)
        impulses = [stoss.modal_impact(wall, each, spring).impulse for each in (ball, same)]
        self.assertAlmostEqual(impulses[0], impulses[1], 15)

    def test_map_has_the_shape_of_its_places(self) -> None:
        impact = pinned_beam()
        places = np.array([[0.3, 0.5], [0.7, 0.9]])
        flat = impact.map(places.ravel())
        square = impact.map(places)
        for name, column in square.items():
            self.assertEqual(column.shape, (2, 2), name)
            np.testing.assert_array_equal(column.ravel(), flat[name], name)
        self.assertEqual(impact.map(0.3).cor_kinematic.shape, ())
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            shared = impact.map(places, executor=pool, parts=3)
        np.testing.assert_array_equal(shared.cor_kinematic, square.cor_kinematic)

    def test_calibration_gives_what_is_wanted(self) -> None:
        law = stoss.KuwabaraKono(stiffness=1e6)
        found = stoss.calibrate(law, 0.01, 1.0, [0.3, 0.9])
        for damping, cor in zip(found.damping_factor, (0.3, 0.9)):
            with_it = stoss.KuwabaraKono(stiffness=1e6, damping_factor=float(damping))
            self.assertAlmostEqual(float(stoss.restitution(with_it, 0.01, 1.0).cor), cor, 11)

    def test_calibrated_damping_has_the_unit_of_its_law(self) -> None:
        for law, key, unit in (
            (stoss.KelvinVoigt, "damping", "N s/m"),
            (stoss.HuntCrossley, "damping_factor", "s/m"),
            (stoss.Tsuji, "damping_factor", "s m^(1/4)"),
        ):
            found = stoss.calibrate(law(stiffness=1e6), 1.0, 1.0, 0.5)
            self.assertEqual(found.units[key], unit)
            self.assertEqual(pickle.loads(pickle.dumps(found)).units, found.units)

    def test_angles_are_in_degrees(self) -> None:
        case = {
            "problem": "sphere_impact", "contact": {"law": "hertz"},
            "sphere": {"radius": 0.005, "material": "glass"},
            "motion": {"given": "components", "normal_speed": 1, "tangential_speed": 1},
            "over": [{"key": "motion.tangential_speed", "from": 0.5, "to": 1, "points": 2}],
        }
        self.assertEqual(stoss.run(case).table.units["rebound_angle_deg"], "deg")

    def test_parameters_without_names_are_refused_with_the_class(self) -> None:
        with self.assertRaisesRegex(
            TypeError, r"^Tsuji takes its parameters by keyword only: Tsuji\(stiffness=\.\.\.\)$"
        ):
            stoss.Tsuji(1e6)  # type: ignore[misc]

    def test_masked_entries_are_refused(self) -> None:
        half = np.array([0.5, 0.6]).view(np.ma.MaskedArray)
        half[1] = np.ma.masked
        law = stoss.HuntCrossley(stiffness=1e6)
        calls: list[tuple[str, Callable[[], Any]]] = [
            ("xi", lambda: pinned_beam().map(half)),
            ("xi", lambda: pinned_beam().truncation(half)),
            ("speed", lambda: stoss.restitution(law, "10 g", half)),
            ("cor", lambda: stoss.calibrate(law, "10 g", 1.0, half)),
            ("mu", lambda: stoss.maximum_dissipation(np.eye(3), [1.0, 0.2, 0.0], half)),
            ("vibration", lambda: stoss.ModalBody([0.0, 4e6, 9e6], np.ones(3), vibration=half)),
        ]
        for key, call in calls:
            with self.assertRaisesRegex(stoss.InputError, f"^{key}: must not have masked") as caught:
                call()
            self.assertEqual(caught.exception.diagnostics[0].key, key)
        unmasked = np.array([0.5, 0.6]).view(np.ma.MaskedArray)
        self.assertEqual(pinned_beam().map(unmasked).rows, 2)

    def test_complex_numbers_are_refused(self) -> None:
        law = stoss.Hertz(stiffness=1e6)
        with self.assertRaisesRegex(stoss.InputError, "speed: must be real, not complex") as caught:
            stoss.restitution(law, "10 g", [1.0, 2.0 + 0j])
        self.assertEqual(caught.exception.diagnostics[0].key, "speed")
        with self.assertRaises(stoss.InputError):
            stoss.ModalBody([0.0], [1.0 + 1j])

    def test_a_matrix_is_no_list_of_modes_and_a_list_no_number(self) -> None:
        modes, phi = [0.0, 4e6], [1.0, 1.4]
        calls: list[tuple[str, Callable[[], Any]]] = [
            ("rigid", lambda: stoss.ModalBody(modes, phi, rigid=-1)),
            ("rigid", lambda: stoss.ModalBody(modes, phi, rigid=cast(int, 1.5))),
            ("rigid", lambda: stoss.ModalBody(modes, phi, rigid=True)),
            ("rigid", lambda: stoss.ModalBody(modes, phi, rigid=10**12)),
            ("rigid", lambda: stoss.ModalBody([], [], rigid=1, velocity=1.0)),
            ("phi", lambda: stoss.ModalBody(0.0, 1.0, rigid=1, velocity=1.0)),
            ("phi", lambda: stoss.ModalBody([modes, modes], [phi, phi], rigid=1)),
            ("eigenvalues", lambda: stoss.ModalBody([modes, modes], phi, rigid=1)),
            ("rigid_rates", lambda: stoss.ModalBody(modes, phi, rigid=1, rigid_rates=0.1)),
            ("mass", lambda: stoss.ModalBody.mass(cast(float, [0.01, 0.02]))),
            ("xi", lambda: pinned_beam().collide(cast(float, [0.5, 0.6]))),
        ]
        for key, call in calls:
            with self.assertRaisesRegex(stoss.InputError, f"^{key}: ") as caught:
                call()
            self.assertEqual(caught.exception.diagnostics[0].key, key)
        self.assertEqual(pinned_beam().collide(cast(float, np.array([0.5]))).status, "separated")

    def test_what_is_neither_number_nor_text_is_refused(self) -> None:
        law = stoss.Hertz(stiffness=1e6)
        cases: list[tuple[Any, str]] = [
            (np.array(["2020"], "M8[Y]"), "datetime64"),
            (np.array([3], "m8[s]"), "timedelta64"),
            (np.array([True]), "bool"),
            (True, "bool"),
            ([1.0, True], "bool"),
            (["1 m/s", np.True_], "bool"),
            (datetime.date(2020, 1, 1), "date"),
            ([1.0, None], "NoneType"),
            (np.array([b"1"]), "bytes8"),
        ]
        for speed, kind in cases:
            with self.assertRaisesRegex(
                stoss.InputError, f"^speed: must be numbers or texts with a unit, not {kind}"
            ):
                stoss.restitution(law, "10 g", speed)
        several: list[Any] = [
            1, np.float32(1), np.int8(1), fractions.Fraction(1), "1 m/s", [1, "3.6 km/h"],
            np.array([1, 1.0], dtype=object), np.array([1], dtype=np.uint8), [np.array(1.0)],
        ]
        for speed in several:
            self.assertTrue(np.all(stoss.restitution(law, "10 g", speed).cor > 0.999))

    def test_only_one_argument_of_an_impact_may_be_an_array(self) -> None:
        law = stoss.KelvinVoigt(stiffness=1e6)
        rule = ": must be one number; only `{}` may be an array$"
        for key, value in (("mass", [1.0, 2.0]), ("gravity", np.zeros(2)), ("load", ["1 N"])):
            keys: dict[str, Any] = {"mass": 1.0, key: value}
            with self.assertRaisesRegex(stoss.InputError, key + rule.format("speed")):
                stoss.restitution(law, speed=1.0, **keys)
            with self.assertRaisesRegex(stoss.InputError, key + rule.format("cor")):
                stoss.calibrate(law, speed=1.0, cor=0.5, **keys)
        with self.assertRaisesRegex(stoss.InputError, "speed" + rule.format("cor")):
            stoss.calibrate(law, 1.0, cast(Any, [1.0, 2.0]), 0.5)

    def test_bead(self) -> None:
        result = stoss.bead(exponent=1.5, damping_exponent=1, damping={"points": 10})
        self.assertEqual(result.table.rows, 10)


def crossley(x: float, v: float) -> float:
    return 1e9 * x * math.sqrt(x) * (1 + 0.4 * v)


class Gradients(unittest.TestCase):
    keys = ["striker.radius", "beam.material.youngs_modulus", "motion.angular_velocity", "location"]

    def test_table_is_that_of_a_run(self) -> None:
        impact = pinned_beam()
        run = stoss.run(
            {"problem": "beam_impact", **impact.to_dict(), "location": {"xi": 0.68},
             "gradient": self.keys}
        ).tables["gradient.csv"]
        found = impact.collide(0.68, gradient=self.keys).gradient
        self.assertEqual(list(found), list(run))
        for name in run:
            self.assertEqual(found[name].tobytes(), run[name].tobytes(), name)

    def test_derivative_is_the_limit_of_differences(self) -> None:
        def collide(stiffness: float, **wanted: Any) -> stoss.Collision:
            case = pinned_beam().to_dict()
            return stoss.BeamCollision(
                case["beam"], case["striker"], angular_velocity=-6, mesh=stoss.Mesh(modes=10),
                contact=stoss.Hertz(stiffness=stiffness),
                integration=stoss.Splitting(tolerance=1e-11),
            ).collide(0.45, **wanted)

        k, step = 2e10, 1e-5
        slopes = collide(k, gradient=["contact.stiffness"], gradient_of=["cor_kinematic", "impulse"])
        more, less = collide(k * (1 + step)), collide(k * (1 - step))
        for name in ("cor_kinematic", "impulse"):
            difference = (getattr(more, name) - getattr(less, name)) / (2 * step)
            relative = slopes.gradient["log_" + name][0] * getattr(slopes, name)
            self.assertLess(abs(difference - relative), 1e-6 * abs(relative), name)

    def test_a_key_without_its_list_is_refused_with_the_list(self) -> None:
        impact = pinned_beam()
        with self.assertRaisesRegex(stoss.InputError, r"^gradient: .* write \['beam.length'\]$"):
            impact.collide(0.68, gradient="beam.length")
        with self.assertRaisesRegex(stoss.InputError, r"^gradient_of: .* write \['impulse'\]$"):
            impact.collide(0.68, gradient=["beam.length"], gradient_of="impulse")

    def test_only_what_is_asked_for(self) -> None:
        impact = pinned_beam()
        plain = impact.collide(0.68)
        self.assertEqual((plain.gradient.rows, len(plain.gradient), plain.warnings), (0, 0, []))
        some = impact.collide(
            0.68, gradient=["location"], gradient_of=["impulse"], gradient_kinks=False
        )
        self.assertEqual(
            list(some.gradient), ["key", "unit", "xi", "x_m", "value", "d_impulse_N_s", "log_impulse"]
        )
        self.assertEqual(some.cor_kinematic, plain.cor_kinematic)
        self.assertEqual(some.gradient.units["d_impulse_N_s"], "N s")

    def test_modes_left_open_are_found_first(self) -> None:
        case = pinned_beam().to_dict()
        impact = stoss.BeamCollision(case["beam"], case["striker"], angular_velocity=-6)
        found = impact.collide(0.68, gradient=["striker.radius"])
        self.assertTrue(np.isfinite(found.gradient.d_cor_kinematic).all())

    def test_bodies_that_do_not_meet_have_none(self) -> None:
        case = pinned_beam().to_dict()
        away = stoss.BeamCollision(
            case["beam"], case["striker"], angular_velocity=6, mesh=stoss.Mesh(modes=5)
        ).collide(0.68, gradient=["striker.radius"])
        self.assertEqual(away.status, "no_approach")
        self.assertTrue(np.isnan(away.gradient.d_cor_kinematic).all())

    def test_reason_without_derivative_is_a_warning(self) -> None:
        case = pinned_beam().to_dict()
        beam = {**case["beam"], "internal_damping": 0}
        found = stoss.BeamCollision(
            beam, case["striker"], angular_velocity=-6, mesh=stoss.Mesh(modes=5)
        ).collide(0.68, gradient=["beam.internal_damping"])
        self.assertTrue(np.isnan(found.gradient.d_cor_kinematic).all())
        self.assertIn("no derivatives by beam.internal_damping", found.warnings[0])

    def test_wrong_keys_are_refused_together(self) -> None:
        with self.assertRaises(stoss.InputError) as caught:
            pinned_beam().collide(0.68, gradient=["striker.raduis", "mesh.elements"])
        first, second = caught.exception.diagnostics
        self.assertEqual((first.key, first.value), ("gradient[0]", "striker.raduis"))
        self.assertIn("striker.radius", first.suggestion)
        self.assertIn("number of the computation", second.rule)
        with self.assertRaises(stoss.InputError) as caught:
            pinned_beam().collide(0.68, gradient=["location"], gradient_of=["cor"])
        self.assertIn("gradient_of", caught.exception.diagnostics[0].key)

    def test_scheme_without_gradients_is_refused(self) -> None:
        case = pinned_beam().to_dict()
        impact = stoss.BeamCollision(
            case["beam"], case["striker"], angular_velocity=-6, mesh=stoss.Mesh(modes=5),
            integration=stoss.Newmark(step="0.1 us"),
        )
        with self.assertRaisesRegex(stoss.InputError, "needs the scheme whose steps have derivatives"):
            impact.collide(0.68, gradient=["location"])

    def test_law_of_python_has_those_of_the_same_law_compiled(self) -> None:
        case = pinned_beam().to_dict()
        laws: list[Any] = [
            stoss.HuntCrossley(stiffness=1e9, damping_factor=0.4), stoss.FunctionLaw(crossley)
        ]
        compiled, own = (
            stoss.BeamCollision(
                case["beam"], case["striker"], angular_velocity=-6, contact=law,
                mesh=stoss.Mesh(modes=8), integration=stoss.Splitting(tolerance=1e-10),
            ).collide(0.45, gradient=["beam.material.density", "location"], gradient_kinks=False)
            for law in laws
        )
        np.testing.assert_allclose(
            own.gradient.log_cor_kinematic, compiled.gradient.log_cor_kinematic, rtol=1e-4
        )


class Enough(Exception):
    pass


def too_deep(x: float, v: float) -> float:
    if x > 1e-5:
        raise Enough("too deep")
    return crossley(x, v)


class LawsOfPython(unittest.TestCase):
    compiled = stoss.HuntCrossley(stiffness=1e9, damping_factor=0.4)
    law = stoss.FunctionLaw(crossley)

    @staticmethod
    def beam(law: Any) -> stoss.BeamCollision:
        case = pinned_beam().to_dict()
        return stoss.BeamCollision(
            case["beam"], case["striker"], angular_velocity=-6, contact=law,
            mesh=stoss.Mesh(modes=8),
        )

    def test_restitution_is_that_of_the_same_law_compiled(self) -> None:
        speeds = np.linspace(0.2, 3, 6).reshape(2, 3)
        expected = stoss.restitution(self.compiled, 0.02, speeds)
        for contact in (self.law, stoss.Contact(law=self.law), {"law": self.law}):
            found = stoss.restitution(contact, 0.02, speeds)
            np.testing.assert_allclose(found.cor, expected.cor, atol=1e-10)
            np.testing.assert_allclose(found.peak_force, expected.peak_force, rtol=1e-9)

    def test_map_and_collision_are_those_of_the_same_law_compiled(self) -> None:
        places = np.linspace(0.3, 0.9, 5)
        expected, found = (self.beam(law).map(places) for law in (self.compiled, self.law))
        np.testing.assert_allclose(found.cor_kinematic, expected.cor_kinematic, atol=2e-3)
        single = self.beam(stoss.Contact(law=self.law)).collide(0.45, history=100)
        self.assertEqual(single.cor_kinematic, found.cor_kinematic[1])
        self.assertLess(abs(single.energy_residual), 1e-3)
        self.assertGreater(single.history.energy_contact.max(), 0)

    def test_separation_stands_beside_it(self) -> None:
        def damped(x: float, v: float) -> float:
            return 1e6 * x + 300.0 * v

        laws: list[Any] = [
            stoss.FunctionLaw(damped), stoss.KelvinVoigt(stiffness=1e6, damping=300)
        ]
        for rule in ("zero_force", "zero_overlap"):
            found, expected = (
                stoss.restitution(stoss.Contact(law=law, separation=rule), 1.0, 1.0).cor
                for law in laws
            )
            self.assertAlmostEqual(float(found), float(expected), 9)

    def test_modal_impact_takes_it_and_an_elastic_one_loses_nothing(self) -> None:
        ball, bar = stoss.ModalBody.mass(1.0, velocity=1.0), stoss.ModalBody.mass(2.0)
        found = stoss.modal_impact(bar, ball, stoss.FunctionLaw(lambda x, v: 1e9 * x * math.sqrt(x)))
        self.assertAlmostEqual(found.cor_kinematic, 1.0, 6)
        self.assertEqual(found.energy_contact_loss, 0.0)

    def test_exception_arrives_unharmed_from_every_call(self) -> None:
        thrown = Enough("seen")

        def raises(x: float, v: float) -> float:
            if x > 1e-5:
                raise thrown
            return 1e9 * x * math.sqrt(x)

        law = stoss.FunctionLaw(raises)
        ball = stoss.ModalBody.mass(1.0, velocity=1.0)
        calls: list[Callable[[], object]] = [
            lambda: stoss.restitution(law, 0.02, np.linspace(1, 2, 50)),
            lambda: self.beam(law).map(np.linspace(0.3, 1, 50), threads=4),
            lambda: self.beam(law).collide(0.6),
            lambda: stoss.modal_impact(stoss.ModalBody.mass(2.0), ball, law),
        ]
        for call in calls:
            thrown.__traceback__ = None
            try:
                call()
            except Enough as error:
                self.assertIs(error, thrown)
                self.assertEqual(traceback.extract_tb(error.__traceback__)[-1].name, "raises")
            else:
                self.fail("nothing was raised")

    def test_law_that_computes_itself_is_a_recursion_error(self) -> None:
        def itself(x: float, v: float) -> float:
            return float(stoss.restitution(law, "10 g", 1.0).cor)

        law = stoss.FunctionLaw(itself)
        for _ in range(2):  # the first one leaves nothing behind
            with self.assertRaisesRegex(RecursionError, "starts another one, without end"):
                stoss.restitution(law, "10 g", 1.0)
            with self.assertRaises(RecursionError):
                self.beam(law).collide(0.6)

    def test_law_may_compute_another_impact(self) -> None:
        def with_another(x: float, v: float) -> float:
            return 1e9 * x * math.sqrt(x) * float(stoss.restitution(elastic, "10 g", 1.0).cor)

        elastic = stoss.Hertz(stiffness=1e6)
        found = stoss.restitution(stoss.FunctionLaw(with_another), "10 g", 1.0)
        self.assertAlmostEqual(float(found.cor), 1.0, 6)

    def test_exceptions_of_eight_threads_do_not_mix(self) -> None:
        def run(number: int) -> str:
            def raises(x: float, v: float) -> float:
                if x > 1e-5:
                    raise Enough(str(number))
                return 1e9 * x * math.sqrt(x)

            try:
                self.beam(stoss.FunctionLaw(raises)).map(np.linspace(0.3, 1, 20))
            except Enough as error:
                return str(error)
            return "none"

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(run, range(8))), [str(i) for i in range(8)])

    def test_force_that_is_no_number_is_a_type_error(self) -> None:
        forces: list[Any] = [lambda x, v: None, lambda x, v: 1j]
        for force in forces:
            with self.assertRaisesRegex(TypeError, "must be a number, not"):
                stoss.restitution(stoss.FunctionLaw(force), 1.0, 1.0)
        with self.assertRaisesRegex(TypeError, "must be a function, not float"):
            stoss.FunctionLaw(1.0)  # type: ignore[arg-type]

    def test_impact_that_cannot_be_computed_is_an_error_that_says_why(self) -> None:
        forces: list[tuple[Any, str]] = [
            (lambda x, v: math.nan, r"force\(0, 0\) is nan"),
            (lambda x, v: -1e6 * x, r"force\(\S+, 0\) is -\S+: it pulls bodies at rest together"),
        ]
        for force, reason in forces:
            with self.assertRaisesRegex(stoss.NumericalError, reason):
                stoss.restitution(stoss.FunctionLaw(force), "10 g", 1.0)
        batch = stoss.restitution(stoss.FunctionLaw(lambda x, v: math.nan), "10 g", [1.0])
        self.assertEqual(list(batch.status), ["failed"])
        self.assertTrue(np.isnan(batch.cor).all())

    def test_force_in_single_precision_is_refused(self) -> None:
        def single(x: float, v: float) -> Any:
            return np.float32(1e6 * x**1.5 * (1 + 0.5 * v))

        with self.assertRaisesRegex(TypeError, "is a float32; compute it in double precision"):
            stoss.restitution(stoss.FunctionLaw(single), "10 g", 1.0)

        def linear(x: float, v: float) -> Any:
            return np.longdouble(1e6 * x)

        found = stoss.restitution(stoss.FunctionLaw(linear), "10 g", 1.0)
        self.assertAlmostEqual(float(found.cor), 1.0, 12)

    def test_force_that_gives_energy_is_a_warning(self) -> None:
        law = stoss.FunctionLaw(lambda x, v: 1e6 * x - 20 * v)
        with self.assertWarnsRegex(RuntimeWarning, "gives energy: cor is 1.371"):
            found = stoss.restitution(law, "10 g", 1.0)
        self.assertLess(found.energy_lost_J, 0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            stoss.restitution(stoss.FunctionLaw(lambda x, v: 1e6 * x), "10 g", [0.5, 1.0])

    def test_no_case_holds_it(self) -> None:
        with self.assertRaisesRegex(TypeError, "no part of a case"):
            stoss.run({"problem": "restitution", "mass": 1, "speed": 1, "contact": self.law})
        self.assertNotIn("function", stoss.list_laws())
        with self.assertRaises(stoss.InputError):
            stoss.restitution({"law": "function"}, 1.0, 1.0)

    def test_resolved_and_pickled_collision_has_it(self) -> None:
        impact = self.beam(self.law)
        self.assertIs(impact.resolved()["contact"]["law"].force, self.law.force)
        again = pickle.loads(pickle.dumps(impact))
        self.assertEqual(again.collide(0.6).cor_kinematic, impact.collide(0.6).cor_kinematic)
        self.assertIn("crossley", repr(self.law))

    def test_executor_takes_it(self) -> None:
        places = np.linspace(0.3, 0.9, 6)
        expected = self.beam(self.law).map(places)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            shared = self.beam(self.law).map(places, executor=pool, parts=2)
        for name, column in expected.items():
            self.assertEqual(shared[name].tobytes(), column.tobytes())


class Experiments(unittest.TestCase):
    def test_measured_and_computed(self) -> None:
        experiment = ROOT / "cases/validation/synthetic_restitution.csv"
        computed = stoss.run(ROOT / "cases/validation/virtual_experiment_map.yaml")
        found = stoss.compare([computed], experiment)
        self.assertEqual(set(found.tables), {"comparison.csv", "curves.csv"})
        self.assertIsNone(found.directory)
        expected = found.tables["comparison.csv"]
        alone = stoss.compare(computed, experiment).tables["comparison.csv"]
        np.testing.assert_array_equal(alone["cor_computed_1"], expected["cor_computed_1"])
        with tempfile.TemporaryDirectory() as folder:
            where = os.path.join(folder, "map")
            computed.report(where)
            of_folder = stoss.compare(where, experiment).tables["comparison.csv"]
            np.testing.assert_array_equal(of_folder["cor_computed_1"], expected["cor_computed_1"])

    def test_only_runs_are_compared(self) -> None:
        table = stoss.restitution(stoss.Hertz(stiffness=1e6), 1, 1)
        for wrong in (table, [table]):
            with self.assertRaisesRegex(stoss.InputError, "^runs: a table is not a run; give the"):
                stoss.compare(cast(Any, wrong), "measured.csv")
        with self.assertRaisesRegex(stoss.InputError, "^runs: name at least one run$"):
            stoss.compare([], "measured.csv")

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
            again = stoss.encoder(one, output=os.path.join(folder, "measured"))
            self.assertEqual(set(again.tables), {"trace.csv"})
            self.assertTrue(single.passed)  # it has no expectations
            with self.assertRaises(stoss.InputError):
                stoss.encoder(one, no_such_option=1)


    def test_only_truth_values_are_words(self) -> None:
        def read(output: Any, work: Callable[[str], object]) -> None:
            work("folder")

        with unittest.mock.patch.object(_experiments, "_read", read):
            with unittest.mock.patch.object(_stoss, "encoder") as core:
                stoss.encoder("t.csv", to=1, low=0.0, on=True, off=np.False_)
        given = core.call_args.args[2]
        self.assertEqual(given, ["to=1", "low=0.0", "on=true", "off=false"])


class Wheel(unittest.TestCase):
    def test_build_for_another_interpreter_is_configured_again(self) -> None:
        file = ROOT / "python/build_backend.py"
        spec = importlib.util.spec_from_file_location("build_backend", file)
        assert spec is not None and spec.loader is not None
        backend: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(backend)
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "build.ninja").touch()
            other = build / "other_python"
            other.write_text("#!/bin/sh\necho .another-suffix.so\n")
            other.chmod(0o755)
            for python, again in ((sys.executable, False), (other, True), ("/no/python", True)):
                (build / "CMakeCache.txt").write_text(f"Python_EXECUTABLE:FILEPATH={python}\n")
                with unittest.mock.patch.object(backend.subprocess, "check_call") as call:
                    backend._install(build, folder, None)
                words = [word for each in call.call_args_list for word in each.args[0]]
                given = f"-DPython_EXECUTABLE:FILEPATH={sys.executable}" in words
                self.assertEqual(given, again, python)


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

    def test_wrong_input_has_no_solution(self) -> None:
        A, b = np.eye(3), [1.0, 0.2, 0.0]
        for wrong in ((A, b, -0.5), (-A, b, 0.5), (A, [np.nan, 0, 0], 0.5), (A, b, np.inf)):
            self.assertEqual(stoss.coulomb_solutions(*wrong)["count"], 0)
            self.assertTrue(np.isnan(stoss.maximum_dissipation(*wrong)).all())

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

    def test_history_is_a_bool_or_a_number_of_instants(self) -> None:
        impact = pinned_beam()
        flag: Any = np.True_  # not a bool to the type checker
        self.assertEqual(
            impact.collide(0.6, history=flag).history.rows,
            impact.collide(0.6, history=True).history.rows,
        )
        refused: list[Any] = [-5, 2.5, "all"]
        for wrong in refused:
            with self.assertRaisesRegex(stoss.InputError, "history"):
                impact.collide(0.6, history=wrong)

    def test_residual_flexibility_may_have_a_unit(self) -> None:
        def cor(flexibility: Any) -> float:
            body = stoss.ModalBody([0.0, 1e8], [1.0, 1.4], rigid=1, residual_flexibility=flexibility)
            ball = stoss.ModalBody.mass(1.0, velocity=1.0)
            return stoss.modal_impact(body, ball, stoss.Hertz(stiffness=1e10)).cor_kinematic

        self.assertEqual(cor("1 nm/N"), cor(1e-9))
        self.assertNotEqual(cor("1 nm/N"), cor(0.0))

    def test_velocity_needs_a_rigid_mode_that_moves_the_contact(self) -> None:
        with self.assertRaisesRegex(stoss.InputError, "^phi: the rigid mode must not be 0$"):
            stoss.ModalBody([0.0, 1e8], [0.0, 1.4], rigid=1, velocity=1.0)
        body = stoss.ModalBody([0.0, 1e8], [1.0, 1.4], rigid=1)
        self.assertEqual(repr(body), "<ModalBody: 2 modes, 1 of them rigid>")

    def test_a_body_that_vibrates(self) -> None:
        body = stoss.ModalBody([0.0, 1e8], [1.0, 1.4], rigid=1)
        found = stoss.modal_impact(
            body, stoss.ModalBody.mass(1.0, velocity=1.0), stoss.Hertz(stiffness=1e10)
        )
        self.assertLess(found.cor_kinematic, 0.99)
        self.assertEqual(found.energy_modes.shape, (1,))

    def test_a_vibration_by_its_coordinates_or_its_rates_alone(self) -> None:
        def impulse(**vibration: Any) -> float:
            body = stoss.ModalBody([0.0, 1e4], [1.0, 1.0], rigid=1, **vibration)
            ball = stoss.ModalBody.mass(1.0, velocity=1.0)
            return stoss.modal_impact(body, ball, stoss.Hertz(stiffness=1e9)).impulse

        self.assertEqual(impulse(vibration=[1e-3]), impulse(vibration=[1e-3], vibration_rates=[0]))
        self.assertEqual(impulse(vibration_rates=[0.3]), impulse(vibration=[0], vibration_rates=[0.3]))
        self.assertNotEqual(impulse(vibration_rates=[0.3]), impulse())

    def test_arrays_of_unequal_length(self) -> None:
        with self.assertRaises(stoss.InputError):
            stoss.modal_impact(
                stoss.ModalBody([0.0, 1.0], [1.0], rigid=1),
                stoss.ModalBody.mass(1.0, velocity=1.0),
                stoss.Hertz(stiffness=1e9),
            )


if __name__ == "__main__":
    unittest.main()
