"""The pages of the site in the order of its side bar: (caption, [(page of the repository, place in the site)]).

An empty page of the repository: reference.py writes it when the site is built. A page of docs that is not here comes
last in its section.
"""

import pathlib

CONTENTS: list[tuple[str, list[tuple[str, str]]]] = [
    ("", [("docs/index.md", "index.md")]),
    ("Start", [
        ("docs/start/experimenter.md", "start/experimenter.md"),
        ("docs/start/dem_user.md", "start/dem_user.md"),
        ("docs/start/roboticist.md", "start/roboticist.md"),
        ("docs/start/student.md", "start/student.md"),
        ("docs/quickstart.md", "quickstart.md"),
        ("docs/gallery.md", "gallery.md"),
        ("docs/laboratory.md", "laboratory.md"),
    ]),
    ("Guides", [
        ("docs/experiments.md", "experiments.md"),
        ("docs/calibration.md", "calibration.md"),
        ("docs/modal-basis.md", "modal-basis.md"),
        ("docs/schemes.md", "schemes.md"),
        ("docs/python.md", "python.md"),
        ("docs/library.md", "library.md"),
        ("docs/clusters.md", "clusters.md"),
        ("docs/platforms.md", "platforms.md"),
        ("docs/limits.md", "limits.md"),
    ]),
    ("Theory", [
        ("docs/theory.md", "theory.md"),
        ("docs/theory/beam.md", "theory/beam.md"),
        ("docs/theory/finite_elements.md", "theory/finite_elements.md"),
        ("docs/theory/supports.md", "theory/supports.md"),
        ("docs/theory/modal_reduction.md", "theory/modal_reduction.md"),
        ("docs/theory/contact.md", "theory/contact.md"),
        ("docs/theory/collision.md", "theory/collision.md"),
        ("docs/theory/newmark.md", "theory/newmark.md"),
        ("docs/theory/contact_laws.md", "theory/contact_laws.md"),
        ("docs/theory/number_of_modes.md", "theory/number_of_modes.md"),
        ("docs/theory/point_impact.md", "theory/point_impact.md"),
        ("docs/theory/rigid_impact.md", "theory/rigid_impact.md"),
        ("docs/theory/splitting_scheme.md", "theory/splitting_scheme.md"),
        ("docs/theory/loaded_impact.md", "theory/loaded_impact.md"),
        ("docs/theory/experiments.md", "theory/experiments.md"),
        ("docs/theory/many_contacts.md", "theory/many_contacts.md"),
        ("docs/theory/compliant_spheres.md", "theory/compliant_spheres.md"),
        ("docs/theory/infinite_structures.md", "theory/infinite_structures.md"),
        ("docs/theory/gradients.md", "theory/gradients.md"),
        ("docs/theory/impact_motion.md", "theory/impact_motion.md"),
        ("docs/theory/references.md", "theory/references.md"),
        ("docs/notation.md", "notation.md"),
    ]),
    ("Reference", [
        ("", "reference/problems.md"),
        ("", "reference/laws.md"),
        ("", "reference/schemes.md"),
        ("", "reference/materials.md"),
        ("", "reference/files.md"),
        ("", "reference/command.md"),
        ("", "reference/python.md"),
        ("", "reference/cpp.md"),
    ]),
    ("Evidence", [
        ("docs/validation.md", "validation.md"),
        ("docs/errata.md", "errata.md"),
        ("docs/reliability.md", "reliability.md"),
        ("docs/performance.md", "performance.md"),
        ("docs/motion_peers.md", "motion_peers.md"),
        ("docs/conformance.md", "conformance.md"),
        ("docs/granular_peers.md", "granular_peers.md"),
    ]),
    ("Project", [
        ("README.md", "project/readme.md"),
        ("docs/report_a_bug.md", "report_a_bug.md"),
        ("docs/roadmap.md", "roadmap.md"),
        ("CONTRIBUTING.md", "project/contributing.md"),
        ("GOVERNANCE.md", "project/governance.md"),
        ("CODE_OF_CONDUCT.md", "project/conduct.md"),
        ("docs/architecture.md", "architecture.md"),
        ("docs/decisions/README.md", "decisions/index.md"),
        ("CHANGELOG.md", "project/changelog.md"),
    ]),
]

ROOT = pathlib.Path(__file__).resolve().parents[2]


def add_others() -> None:
    """Pages that the list does not name: those of the theory before its references, others behind the guides."""
    sections = dict(CONTENTS)
    known = {page for _, pages in CONTENTS for page, _ in pages}
    for folder, section in (("docs/theory", "Theory"), ("docs/start", "Start"), ("docs", "Guides")):
        for path in sorted((ROOT / folder).glob("*.md")):
            page = f"{folder}/{path.name}"
            if page in known:
                continue
            place = (page, page.removeprefix("docs/"))
            pages = sections[section]
            names = [each for each, _ in pages]
            pages.insert(names.index("docs/theory/references.md") if section == "Theory" else len(pages), place)


add_others()
