"""Recipes of package managers against their formats and against the build: check_recipes.py BILL_OF_MATERIALS

Fills them as packaging/release does and reads each as its package manager would: conda's by Jinja and YAML, vcpkg's by JSON
and CMake, Spack's by Python, with substitutes for what the managers define. Each recipe must name every library that the build
has found, in the words of its manager, and only options that CMakeLists.txt has. Exits with 1 at the first fault.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types
from typing import Any

import jinja2
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = {"VERSION": "1.2.3", "ADDRESS": "https://example.org/stoss", "SHA256": "a" * 64, "SHA512": "b" * 128}

# Name in the bill of materials: in conda-forge, in vcpkg (None: the command alone needs it), in Spack.
NAMES: dict[str, tuple[str, str | None, str]] = {
    "Boost": ("libboost-headers", "boost-headers", "boost"),
    "CLI11": ("cli11", None, "cli11"),
    "Ceres": ("ceres-solver", None, "ceres-solver"),
    "Eigen3": ("eigen", "eigen3", "eigen"),
    "UDUNITS2": ("udunits2", None, "udunits"),
    "VTK": ("vtk-base", None, "vtk"),
    "fmt": ("fmt", "fmt", "fmt"),
    "gnuplot": ("gnuplot", None, "gnuplot"),
    "hwy": ("libhwy", "highway", "highway"),
    "nlohmann_json": ("nlohmann_json", None, "nlohmann-json"),
    "spectra": ("spectralib", "spectra", "spectra"),
    "yaml-cpp": ("yaml-cpp", None, "yaml-cpp"),
}
OPTIONAL = {"LAMMPS": "lammps", "MPI": "mpi", "deal.II": "dealii"}  # in Spack


def hold(condition: bool, fault: str) -> None:
    if not condition:
        raise SystemExit(f"check_recipes.py: {fault}")


def filled(path: str) -> str:
    text = (ROOT / "packaging" / path).read_text()
    for word, value in WORDS.items():
        text = text.replace(f"@{word}@", value)
    left = re.search(r"@[A-Z0-9]+@", text)
    hold(left is None, f"{path}: {left and left[0]} is not replaced by packaging/release")
    return text


def hold_options(path: str, text: str) -> None:
    known = set(re.findall(r"^(?:option|set)\((STOSS_\w+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE))
    known.add("STOSS_PYTHON_DIR")  # of python/CMakeLists.txt
    for option in re.findall(r"\bSTOSS_[A-Z_]+\b", text):
        hold(option in known, f"{path}: CMakeLists.txt has no {option}")


def first_words(lines: list[str]) -> set[str]:
    return {re.split(r"[ @<>=]", line)[0] for line in lines}


def check_conda(libraries: set[str]) -> None:
    text = filled("conda/meta.yaml")
    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(text)
    recipe = yaml.safe_load(template.render(compiler=lambda language: f"{language}_compiler", stdlib=lambda language: f"{language}_stdlib"))
    known = {"package", "source", "build", "requirements", "test", "outputs", "about", "app", "extra"}
    hold(set(recipe) <= known, f"conda: unknown sections {set(recipe) - known}")
    hold(recipe["package"] == {"name": "stoss", "version": WORDS["VERSION"]}, "conda: package")
    hold(recipe["source"] == {"url": f"{WORDS['ADDRESS']}/stoss-1.2.3.tar.gz", "sha256": WORDS["SHA256"]}, "conda: source")
    requirements = recipe["requirements"]
    hold(set(requirements) <= {"build", "host", "run", "run_constrained"}, "conda: requirements")
    hold({"cxx_compiler", "cmake", "ninja"} <= first_words(requirements["build"]), "conda: a compiler, CMake and Ninja build")
    for library in libraries:
        hold(NAMES[library][0] in first_words(requirements["host"]), f"conda: {library} is not in host")
    hold((ROOT / recipe["about"]["license_file"]).exists(), "conda: license_file")
    script = filled("conda/build.sh")
    subprocess.run(["sh", "-n"], input=script, text=True, check=True)
    hold_options("conda/build.sh", script)


def check_vcpkg(libraries: set[str]) -> None:
    port = json.loads(filled("vcpkg/vcpkg.json"))
    known = {"name", "version", "description", "license", "supports", "dependencies", "homepage", "features", "port-version"}
    hold(set(port) <= known, f"vcpkg: unknown fields {set(port) - known}")
    hold(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", port["name"]) is not None, "vcpkg: name")
    hold(re.fullmatch(r"\d+(\.\d+)*", port["version"]) is not None, "vcpkg: version")
    names = {each if isinstance(each, str) else each["name"] for each in port["dependencies"]}
    for library in libraries:
        name = NAMES[library][1]
        hold(name is None or name in names, f"vcpkg: {library} is not a dependency")
    hold({"vcpkg-cmake", "vcpkg-cmake-config"} <= names, "vcpkg: its functions of CMake are dependencies")
    portfile = filled("vcpkg/portfile.cmake")
    hold_options("vcpkg/portfile.cmake", portfile)
    called = calls_of_portfile(portfile)
    for function in ("vcpkg_cmake_configure", "vcpkg_cmake_install", "vcpkg_cmake_config_fixup", "vcpkg_install_copyright"):
        hold(function in called, f"vcpkg: {function} is not called")
    hold(any(WORDS["SHA512"] in arguments for arguments in called.values()), "vcpkg: no digest")


def calls_of_portfile(portfile: str) -> dict[str, str]:
    """Runs it by CMake with substitutes for the functions of vcpkg: their names and arguments."""
    functions = sorted(set(re.findall(r"^(vcpkg_\w+)\(", portfile, re.MULTILINE)))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stubs = [f'function({each})\n  message(STATUS "called {each} ${{ARGV}}")\nendfunction()' for each in functions]
        (folder / "usage").write_text(filled("vcpkg/usage"))
        (folder / "portfile.cmake").write_text("\n".join(stubs) + "\n" + portfile)
        definitions = [f"-DCURRENT_PACKAGES_DIR={folder}/packages", "-DPORT=stoss", f"-DVERSION={WORDS['VERSION']}"]
        run = subprocess.run(["cmake", *definitions, "-P", str(folder / "portfile.cmake")], text=True, capture_output=True)
        hold(run.returncode == 0, f"vcpkg/portfile.cmake: {run.stderr}")
        hold((folder / "packages/share/stoss/usage").exists(), "vcpkg: usage is not installed")
    return {found[1]: found[2] for found in re.finditer(r"^-- called (\w+) (.*)$", run.stdout, re.MULTILINE)}


class Spack:
    """Substitute for the package `spack`: notes the directives of a recipe."""

    def __init__(self) -> None:
        self.directives: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def module(self) -> types.ModuleType:
        module = types.ModuleType("spack.package")
        for name in ("version", "variant", "depends_on", "license", "conflicts", "extends"):
            setattr(module, name, self.directive(name))
        setattr(module, "when", lambda _: contextlib.nullcontext())
        setattr(module, "run_after", lambda _: lambda function: function)
        setattr(module, "python_platlib", "/prefix/lib/python")
        return module

    def directive(self, name: str) -> Any:
        return lambda *arguments, **options: self.directives.append((name, arguments, options))


class CMakePackage:
    """Substitute for Spack's base class; `on` holds the variants that are switched on."""

    on: set[str] = set()

    def define(self, name: str, value: Any) -> str:
        return f"-D{name}={value}"

    def define_from_variant(self, name: str, variant: str) -> str:
        return self.define(name, variant in self.on)

    @property
    def spec(self) -> Any:
        python = types.SimpleNamespace(command=types.SimpleNamespace(path="/prefix/bin/python3"))

        class Spec(dict[str, Any]):
            def satisfies(spec, condition: str) -> bool:
                return condition.lstrip("+") in self.on

        return Spec(python=python)


def check_spack(libraries: set[str]) -> None:
    spack = Spack()
    builder = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    setattr(builder, "CMakePackage", CMakePackage)
    setattr(builder, "generator", spack.directive("generator"))
    modules = {"spack": types.ModuleType("spack"), "spack.package": spack.module(), builder.__name__: builder}
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        modules[name] = types.ModuleType(name)
    sys.modules.update(modules)
    text = filled("spack/package.py")
    names: dict[str, Any] = {}
    # `import *` of the substitute gives what it holds.
    exec(compile(text, "packaging/spack/package.py", "exec"), names)
    hold_options("spack/package.py", text)
    depends = first_words([arguments[0] for name, arguments, _ in spack.directives if name == "depends_on"])
    for library in libraries:
        hold(NAMES[library][2] in depends, f"spack: {library} is not depended on")
    for library, name in OPTIONAL.items():
        hold(name in depends, f"spack: {library} is not depended on")
    versions = [(arguments, options) for name, arguments, options in spack.directives if name == "version"]
    hold(versions == [((WORDS["VERSION"],), {"sha256": WORDS["SHA256"]})], "spack: version")
    variants = {arguments[0] for name, arguments, _ in spack.directives if name == "variant"}
    for on in (set(), {"command"}, variants):
        package = names["Stoss"]()
        package.on = on
        arguments = package.cmake_args()
        hold(f"-DSTOSS_BUILD_COMMAND={'command' in on}" in arguments, "spack: variant command")
        hold(f"-DSTOSS_WITH_LAMMPS={'mpi' in on}" in arguments, "spack: variant mpi")


def packages_of(section: str) -> set[str]:
    text = (ROOT / "packages.txt").read_text()
    part = re.search(rf"^\[{section}\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    assert part is not None
    return set(re.findall(r"^([a-z0-9][a-z0-9.+-]*)", part[1], re.MULTILINE))


def check_debian() -> None:
    text = (ROOT / "packaging/debian/control").read_text()
    fields = dict(re.findall(r"^([A-Z][\w-]*):((?:.*\n)(?: .*\n)*)", text, re.MULTILINE))
    builds = {re.split(r"[ (<]", each.strip())[0] for each in fields["Build-Depends"].split(",")}
    missing = packages_of("build") - builds - {"g++"}  # g++ is in every build of Debian
    hold(not missing, f"debian/control: Build-Depends lacks {missing}")
    indep = {each.strip() for each in fields["Build-Depends-Indep"].split(",")}
    missing = (packages_of("docs") | packages_of("lab")) - indep
    hold(not missing, f"debian/control: Build-Depends-Indep lacks {missing}")
    version = re.search(r"^project\(stoss VERSION ([\d.]+) ", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    changelog = (ROOT / "packaging/debian/changelog").read_text()
    hold(version is not None and changelog.startswith(f"stoss ({version[1]}-"), "debian/changelog: another version")


def check_container() -> None:
    text = re.sub(r"\\\n", " ", (ROOT / "packaging/container/Containerfile").read_text())
    lines = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    known = {"FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    hold({word for word, _ in lines} <= known, "Containerfile: an instruction that it need not have")
    stages = [k for k, (word, _) in enumerate(lines) if word == "FROM"]
    hold(len(stages) == 2, "Containerfile: two stages")
    last = lines[stages[1]:]
    users = [rest for word, rest in last if word == "USER"]
    hold(users == ["stoss"], "Containerfile: the command runs as a user of its own")
    hold(any(word == "COPY" and rest.startswith("--from=build ") for word, rest in last), "Containerfile: takes from the first stage")
    hold(not any("build-essential" in rest or "g++" in rest for _, rest in last), "Containerfile: no compiler in the second stage")
    for word, rest in lines:
        if word == "RUN":
            subprocess.run(["sh", "-n"], input=rest, text=True, check=True)
        if word in ("ENTRYPOINT", "CMD"):
            hold(isinstance(json.loads(rest), list), f"Containerfile: {word}")


def main() -> None:
    bill = json.loads(pathlib.Path(sys.argv[1]).read_text())
    found = {each["name"] for each in bill["components"]}
    libraries = found - set(OPTIONAL)
    hold(libraries <= set(NAMES), f"no recipe knows {libraries - set(NAMES)}; add them, and their names here")
    check_conda(libraries)
    check_vcpkg(libraries)
    check_spack(libraries)
    check_debian()
    check_container()
    print(f"recipes of conda, vcpkg, Spack, Debian and a container: {len(libraries)} libraries in each that needs them")


main()
