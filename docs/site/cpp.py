"""Pages of the C++ interface, from what Doxygen read in the public headers."""

from __future__ import annotations

import pathlib
import re
import xml.etree.ElementTree as xml

# Headers for programs: the front, and those that docs/library.md names for each component.
HEADERS = {
    "Front": ["models/presets.hpp", "models/beam.hpp", "models/section.hpp", "models/striker.hpp", "models/beam_collision.hpp",
              "models/checked_beam_model.hpp", "models/pendulum_pair.hpp", "models/sphere_box.hpp", "models/point_impacts.hpp"],
    "Impact": ["impact/collide.hpp", "impact/restitution.hpp", "impact/calibrate.hpp", "impact/bouncing_ball.hpp",
               "impact/pendulums.hpp", "impact/point_impact.hpp"],
    "Contact": ["contact/contact.hpp", "contact/geometry.hpp", "contact/force_function.hpp"],
    "Rigid bodies": ["rigid/contacts.hpp", "rigid/maximum_dissipation.hpp", "rigid/coulomb.hpp"],
    "Many bodies": ["granular/assembly.hpp", "granular/compliant_assembly.hpp", "granular/sphere_collision.hpp"],
    "Time schemes": ["time/splitting.hpp", "time/newmark.hpp"],
    "Modes": ["modal/modal_basis.hpp", "modal/modal_slopes.hpp", "modal/modal_body.hpp"],
    "Finite elements": ["fem/beam_mesh.hpp", "fem/constraints.hpp"],
    "Core": ["core/error.hpp", "core/parallel.hpp"],
}
# Symbols that may be without a docstring.
MOST_UNDOCUMENTED = 0
# What field lists need, not what programs call.
INTERNAL = {"fields", "name", "meaning", "enum_names", "presets", "presets_of"}
FIELD = re.compile(r'core::field\(\s*"(\w+)",\s*&\w+::(\w+),((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*)\)')


def header_paths(root: pathlib.Path) -> dict[str, list[str]]:
    """Component -> its headers, from the root of the repository."""
    found = {}
    for component, headers in HEADERS.items():
        paths = [f"lib/stoss/{each}" if (root / "lib/stoss" / each).exists() else each for each in headers]
        missing = [each for each in paths if not (root / each).exists()]
        if missing:
            raise SystemExit(f"cpp.py: no header {', '.join(missing)}")
        found[component] = paths
    return found


def words(node: xml.Element | None) -> str:
    """The paragraphs of a description, escaped for Markdown, with a blank line between them."""
    if node is None:
        return ""
    paragraphs = []
    for paragraph in node.iter("para"):
        text = " ".join("".join(paragraph.itertext()).split())
        if text:
            paragraphs.append(escaped(text))
    return "\n\n".join(dict.fromkeys(paragraphs))


def escaped(text: str) -> str:
    """Nothing in it is markup but code between back quotes."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\*_\[\]<>$|`])", r"\\\1", parts[i])
    return "".join(parts)


def described(node: xml.Element) -> str:
    parts = [words(node.find("briefdescription")), words(node.find("detaileddescription"))]
    return "\n\n".join(part for part in parts if part)


def text_of(node: xml.Element | None) -> str:
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def field_words(source: str, struct: str) -> dict[str, str]:
    """Member -> unit and meaning, from the field list of a struct."""
    body = re.search(rf"struct {struct}\b[^;{{]*\{{(.*?)^\}};", source, re.M | re.S)
    found = {}
    for field in FIELD.finditer(body[1] if body else ""):
        literals = re.findall(r'"([^"]*)"', re.sub(r'"\s+"', "", field[3]))
        if literals:
            unit = f"[{literals[0]}] " if len(literals) > 1 and literals[0] else ""
            found[field[2]] = escaped(unit + literals[-1])
    return found


def shared_words(compound: xml.Element, source: str) -> dict[str, str]:
    """Members that are declared together, such as `double x, y;  ///< [m]`: the docstring is that of all of them."""
    found = {}
    members = [each for each in compound.iter("memberdef") if each.get("kind") == "variable"]
    lines = source.split("\n")
    for i in range(len(members) - 2, -1, -1):
        this, after = members[i], members[i + 1]
        first, last = (int(each.find("location").get("line")) for each in (this, after))
        name, next_name = text_of(this.find("name")), text_of(after.find("name"))
        between = re.search(rf"\b{name}\b([^;]*?)\b{next_name}\b", "\n".join(lines[first - 1 : last]))
        words_after = described(after) or found.get(next_name, "")
        if last - first <= 1 and between and not described(this) and words_after:
            found[name] = words_after
    return found


def code(text: str) -> str:
    return "`" + text.replace("|", "\\|").replace(" &", " &").replace("`", "'") + "`"


class Pages:
    def __init__(self, root: pathlib.Path, folder: pathlib.Path) -> None:
        self.root = root
        self.folder = folder
        self.undocumented: list[str] = []
        self.total = 0
        self.compounds: dict[str, list[xml.Element]] = {}
        self.members: dict[str, list[xml.Element]] = {}
        for path in sorted(folder.glob("*.xml")):
            if not path.name.startswith(("class", "struct", "namespace")):
                continue
            compound = xml.parse(path).getroot().find("compounddef")
            if compound.get("kind") == "namespace":
                for member in compound.iter("memberdef"):
                    self.members.setdefault(member.find("location").get("file"), []).append(member)
            else:
                self.compounds.setdefault(compound.find("location").get("file"), []).append(compound)

    def note(self, name: str, text: str) -> str:
        self.total += 1
        if not text:
            self.undocumented.append(name)
        return text

    def function(self, member: xml.Element, level: str, owner: str = "") -> str:
        name = text_of(member.find("name"))
        static = "static " if member.get("static") == "yes" and owner else ""
        signature = f"{static}{text_of(member.find('type'))} {name}{text_of(member.find('argsstring'))}".strip()
        text = self.note(f"{owner}::{name}" if owner else name, described(member))
        return f"```cpp\n{signature}\n```\n\n{text}\n\n"

    def struct(self, compound: xml.Element, source: str) -> str:
        full = text_of(compound.find("compoundname"))
        short = full.removeprefix("stoss::")
        name = full.rpartition("::")[2]
        out = f"### {short}\n\n{self.note(short, described(compound))}\n\n"
        fields = field_words(source, name)
        for key, meaning in shared_words(compound, source).items():
            fields.setdefault(key, meaning)
        rows, functions = "", ""
        for member in compound.iter("memberdef"):
            key = text_of(member.find("name"))
            if member.get("prot") != "public" or key in INTERNAL or key.startswith("operator"):
                continue
            if member.get("kind") == "variable":
                text = self.note(f"{short}::{key}", described(member) or fields.get(key, ""))
                value = text_of(member.find("initializer")).removeprefix("= ")
                type_ = text_of(member.find("type")).replace("< ", "<").replace(" >", ">")
                default = f" = {value}" if value and value != "{}" else ""
                rows += f"| `{key}` | {code(type_ + default)} | {' '.join(text.split())} |\n"
            elif member.get("kind") == "function":
                if key in (name, "~" + name) and not described(member):
                    continue
                functions += self.function(member, "", short)
        if rows:
            out += "| member | type, default | meaning |\n|---|---|---|\n" + rows + "\n"
        return out + functions

    def enum(self, member: xml.Element) -> str:
        name = text_of(member.find("name"))
        short = text_of(member.find("qualifiedname")).removeprefix("stoss::")
        rows = ""
        for value in member.iter("enumvalue"):
            each = text_of(value.find("name"))
            rows += f"| `{each}` | {' '.join(described(value).split())} |\n"
        return f"### {short}\n\n{self.note(name, described(member))}\n\n| value | meaning |\n|---|---|\n{rows}\n"

    def header(self, path: str) -> str:
        source = (self.root / path).read_text()
        shown = path.replace("lib/stoss/", "stoss/").replace("models/", "stoss/models/")
        out = f"## {shown}\n\n"
        members = [each for each in self.members.get(path, []) if text_of(each.find("name")) not in INTERNAL]
        structs = [each for each in self.compounds.get(path, []) if each.get("prot") == "public"]
        for member in members:
            if member.get("kind") == "enum":
                out += self.enum(member)
        for compound in sorted(structs, key=lambda each: int(each.find("location").get("line"))):
            out += self.struct(compound, source)
        functions = [each for each in members if each.get("kind") == "function"
                     and not text_of(each.find("name")).startswith("operator")]
        if functions:
            out += f"### Functions of {shown}\n\n" + "".join(self.function(each, "") for each in functions)
        return out

    def all(self) -> dict[str, str]:
        pages, tree = {}, []
        for component, headers in header_paths(self.root).items():
            name = "cpp_" + component.lower().replace(" ", "_")
            tree.append(name)
            pages[f"reference/{name}.md"] = f"# {component}\n\n" + "".join(self.header(each) for each in headers)
        if len(self.undocumented) > MOST_UNDOCUMENTED:
            raise SystemExit("cpp.py: symbols without a docstring:\n" + "\n".join(self.undocumented))
        entries = "\n".join(tree)
        pages["reference/cpp.md"] = (
            "# C++\n\nStructs and functions of the public headers. All quantities are in SI units. The guide is "
            "[Stoss as a C++ library](../library.md). `#include <stoss/stoss.hpp>` brings the front.\n\n"
            f"```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n")
        return pages


if __name__ == "__main__":
    print(" ".join(each for paths in header_paths(pathlib.Path(__file__).resolve().parents[2]).values() for each in paths))
