"""Pages of the reference, from what the command says of itself and from the docstrings."""

from __future__ import annotations

import pathlib
import re
import subprocess

import cpp

def output(*command: str) -> str:
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def names(stoss: str, kind: str) -> list[tuple[str, str]]:
    """What `stoss list KIND` lists: names with their meanings."""
    rows = re.findall(r"^(\w+) +(.+)$", output(stoss, "list", kind), re.M)
    return [(name, meaning) for name, meaning in rows]


def cell(text: str) -> str:
    """Text for a cell of a table: nothing in it is markup but words between back quotes."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\*_\[\]<>$#|])", r"\\\1", parts[i])
    return "".join(parts).replace("`|`", "`\\|`")


def keys_of(stoss: str, name: str, laws: set[str], may_lack_keys: bool = False) -> str:
    """The keys that `stoss describe NAME --all` prints, as a table. Columns begin at their heads."""
    lines = output(stoss, "describe", name, "--all").splitlines()
    head = next((i for i, line in enumerate(lines) if line.startswith("key ")), None)
    if head is None:
        if not may_lack_keys:
            raise SystemExit(f"reference.py: stoss describe {name} --all prints no table of keys")
        return "It has no keys."
    starts = [lines[head].index(word) for word in ("key", "kind", "range", "default", "meaning")]
    rows = ["| key | value | meaning |", "|---|---|---|"]
    skipped_from: int | None = None
    for line in lines[head + 1 :]:
        if not line.strip():
            continue
        cells = [line[a:b].rstrip() for a, b in zip(starts, [*starts[1:], None])]
        depth = len(cells[0]) - len(cells[0].lstrip())
        if skipped_from is not None and depth > skipped_from:
            continue  # the keys of a law are on the page of the laws
        skipped_from = None
        key = cells[0].strip()
        law = re.fullmatch(r"law: (\w+)", key)
        shown = f"`{key}`"
        if law and law[1] in laws and name not in laws:
            skipped_from = depth
            shown = f"[`{key}`](laws.md#{law[1]})"
        kind, values, default, meaning = (cell(each.strip()) for each in cells[1:])
        if default and default != "required":
            default = f"default {default}"
        value = "; ".join(each for each in (kind, values, default) if each)
        indent = "&nbsp;&nbsp;&nbsp;" * (depth // 2)
        rows.append(f"| {indent}{shown} | {value} | {meaning} |")
    return "\n".join(rows)


def section(stoss: str, name: str, meaning: str, laws: set[str], may_lack_keys: bool = False) -> str:
    return f"## {name}\n\n{cell(meaning[:1].upper() + meaning[1:])}.\n\n{keys_of(stoss, name, laws, may_lack_keys)}\n"


def list_page(title: str, lead: str, entries: list[tuple[str, str]], sections: list[str]) -> str:
    table = "\n".join(f"| [`{name}`](#{name}) | {cell(meaning)} |" for name, meaning in entries)
    return f"# {title}\n\n{lead}\n\n| name | meaning |\n|---|---|\n{table}\n\n" + "\n".join(sections)


def cases_of(root: pathlib.Path) -> dict[str, list[str]]:
    """Problem -> cases of the repository that ask it."""
    found: dict[str, list[str]] = {}
    for path in sorted(root.glob("cases/*/*.yaml")):
        if path.parent.name == "errors":
            continue
        problem = re.search(r"^problem: *(\w+)", path.read_text(), re.M)
        if problem:
            found.setdefault(problem[1], []).append(str(path.relative_to(root)))
    return found


def problems(stoss: str, root: pathlib.Path) -> dict[str, str]:
    entries = names(stoss, "problems")
    laws = {name for name, _ in names(stoss, "laws")}
    cases = cases_of(root)
    pages = {}
    table = "\n".join(f"| [`{name}`](problem_{name}.md) | {cell(meaning)} |" for name, meaning in entries)
    tree = "\n".join(f"problem_{name}" for name, _ in entries)
    pages["reference/problems.md"] = (
        "# Problems\n\nThe key `problem` of a case names what is computed. Each problem has a page with its keys. "
        "`stoss describe NAME --all` prints the same table.\n\n"
        f"| `problem:` | meaning |\n|---|---|\n{table}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n")
    for name, meaning in entries:
        examples = "".join(f"- `stoss run {case}`\n" for case in cases.get(name, [])[:5])
        lead = f"\nCases of this problem:\n\n{examples}" if examples else ""
        pages[f"reference/problem_{name}.md"] = (
            f"# {name}\n\n{cell(meaning[:1].upper() + meaning[1:])}.\n{lead}\n## Keys\n\n{keys_of(stoss, name, laws)}\n")
    return pages


def materials(stoss: str) -> str:
    text = output(stoss, "list", "materials")
    rows = re.findall(r"^(\w+) +\{(.+)\}\n +source: (.+)\n +check: (.+)$", text, re.M)
    columns = {"youngs_modulus": "Young's modulus", "poisson_ratio": "Poisson's ratio", "density": "density",
               "yield_stress": "yield stress", "surface_energy": "surface energy"}
    table = ""
    for name, values, source, check in rows:
        numbers = dict(value.split(": ") for value in values.split(", "))
        cells = " | ".join(numbers.get(key, "") for key in columns)
        table += f"| `{name}` | {cells} | {cell(source)} | {cell(check)} |\n"
    return (
        "# Materials\n\nNames that a key `material` may have instead of numbers. `stoss list materials` prints them.\n\n"
        f"| name | {' | '.join(columns.values())} | source | check of the values |\n|{'---|' * (len(columns) + 3)}\n" + table)


def command(stoss: str) -> str:
    """The pages of help of the command."""
    top = output(stoss, "--help")
    subcommands = re.findall(r"^  (\w+) {2,}", top.partition("Subcommands:")[2], re.M)
    text = f"# The command\n\n`stoss COMMAND --help` prints these pages.\n\n```text\n{top.strip()}\n```\n"
    for name in subcommands:
        text += f"\n## stoss {name}\n\n```text\n{output(stoss, name, '--help').strip()}\n```\n"
    return text


def files(stoss: str) -> str:
    sections = []
    for name, where in (("encoder", "`encoder.yaml` in a folder of traces"), ("experiment", "`NAME.columns.yaml` beside a table of measurements")):
        sections.append(f"## {name}\n\nKeys of {where}.\n\n{keys_of(stoss, name, set())}\n")
    return ("# Files of measurements\n\nThese files tell how to read traces and tables of a laboratory. "
            "The guide is [experiments](../experiments.md).\n\n" + "\n".join(sections))


def python_page() -> str:
    """Docstrings of the package. Parameters of bodies come from the field lists of the core."""
    import stoss
    from stoss import _classes

    functions = [name for name in stoss.__all__ if callable(getattr(stoss, name)) and not isinstance(getattr(stoss, name), type)]
    errors = [name for name in stoss.__all__ if isinstance(getattr(stoss, name), type) and issubclass(getattr(stoss, name), Exception)]
    classes = [name for name in stoss.__all__
               if isinstance(getattr(stoss, name), type) and name not in _classes.__all__ and name not in errors]
    missing = [name for name in stoss.__all__ if not (getattr(stoss, name).__doc__ or "").strip()]
    for name in [*functions, *errors, *classes]:
        each = getattr(stoss, name)
        public = vars(each) if isinstance(each, type) else {}
        missing += [f"{name}.{key}" for key, value in public.items() if not key.startswith("_")
                    and (callable(value) or isinstance(value, property)) and not (value.__doc__ or "").strip()]
    if missing:
        raise SystemExit("reference.py: without a docstring: " + ", ".join(missing))
    text = ("# Python\n\nThe package `stoss`. Numbers are SI, or texts with a unit such as `\"12.7 mm\"`. "
            "The guide is [Stoss in Python](../python.md).\n")

    def directive(kind: str, name: str, options: str = "") -> str:
        return f"\n```{{eval-rst}}\n.. {kind}:: stoss.{name}\n{options}```\n"

    text += "\n## Functions\n" + "".join(directive("autofunction", name) for name in functions)
    text += "\n## Objects and results\n" + "".join(directive("autoclass", name, "   :members:\n") for name in classes)
    text += "\n## Errors\n" + "".join(directive("autoexception", name, "   :members:\n") for name in errors)
    text += ("\n## Parameters\n\nKeyword arguments of these classes are keys of cases. The core checks their values "
             "when they are used: a wrong value raises `stoss.InputError`.\n")
    for name in sorted(_classes.__all__):
        text += parameters(name, getattr(stoss, name))
    return text


def parameters(name: str, cls: type) -> str:
    lead, _, rest = (cls.__doc__ or "").partition("\n")
    rows = ""
    for key, entry in cls._keys.items():
        line = next((line for line in rest.splitlines() if line.startswith(key + ": ")), f"{key}: ")
        rows += f"| `{key}` | {entry['unit'] and cell('[' + entry['unit'] + ']')} | {cell(line.partition(': ')[2])} |\n"
    table = f"\n| keyword | unit | meaning |\n|---|---|---|\n{rows}" if rows else ""
    return f"\n### {name}\n\n{cell(lead)}\n{table}"


def pages(stoss: str, doxygen: str) -> dict[str, str]:
    """Place in the site -> text."""
    root = pathlib.Path(__file__).resolve().parents[2]
    laws = names(stoss, "laws")
    law_names = {name for name, _ in laws}
    schemes = names(stoss, "schemes")
    found = problems(stoss, root)
    found["reference/laws.md"] = list_page(
        "Contact laws", "A key `law` names one of these. The equations are in [theory](../theory/contact_laws.md).",
        laws, [section(stoss, name, meaning, law_names) for name, meaning in laws])
    found["reference/schemes.md"] = list_page(
        "Time schemes", "A key `scheme` names one of these. The guide is [schemes](../schemes.md).",
        schemes, [section(stoss, name, meaning, law_names, may_lack_keys=True) for name, meaning in schemes])
    found["reference/materials.md"] = materials(stoss)
    found["reference/files.md"] = files(stoss)
    found["reference/command.md"] = command(stoss)
    found["reference/python.md"] = python_page()
    interface = cpp.Pages(root, pathlib.Path(doxygen))
    found |= interface.all()
    print(f"C++: {interface.total - len(interface.undocumented)} of {interface.total} symbols have a docstring")
    return found
