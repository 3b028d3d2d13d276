"""Package of Spack. packaging/release replaces the words between @."""

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Stoss(CMakePackage):
    """Impact mechanics of flexible and rigid bodies: a command, C++ libraries and a Python package that compute collisions."""

    url = "@ADDRESS@/stoss-@VERSION@.tar.gz"

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("command", default=True, description="The command stoss, which reads cases and writes reports")
    variant("python", default=False, when="+command", description="The Python package stoss")
    variant("mpi", default=False, when="+command", description="Channels in many processes by LAMMPS; the command is then under the GPL")
    variant("dealii", default=False, when="+command", description="Meshes of other programs by deal.II")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")

    depends_on("boost@1.74:")
    depends_on("eigen@3.4:")
    depends_on("fmt")
    depends_on("highway@1.0:")
    depends_on("spectra@1.0:")

    with when("+command"):
        depends_on("ceres-solver@2.1:")
        depends_on("cli11")
        depends_on("gnuplot", type=("build", "run"))
        depends_on("nlohmann-json")
        depends_on("udunits")
        depends_on("vtk@9.1:")
        depends_on("yaml-cpp")
    with when("+python"):
        extends("python@3.9:")
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type=("build", "run"))
    with when("+mpi"):
        depends_on("lammps +lib")
        depends_on("mpi")
    depends_on("dealii@9.4:", when="+dealii")

    conflicts("target=ppc64:", msg="Stoss needs a little-endian machine of 64 bits")
    conflicts("%gcc@:11", msg="Stoss needs C++20 as GCC 12 has it")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("STOSS_TESTS", False),
            self.define("STOSS_EXAMPLES", False),
            self.define_from_variant("STOSS_BUILD_COMMAND", "command"),
            self.define_from_variant("STOSS_PYTHON", "python"),
            self.define_from_variant("STOSS_WITH_LAMMPS", "mpi"),
            self.define_from_variant("STOSS_WITH_DEALII", "dealii"),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
            args.append(self.define("STOSS_PYTHON_DIR", python_platlib))
        return args

    @run_after("install")
    def install_python_package(self):
        if self.spec.satisfies("+python"):
            cmake("--install", self.builder.build_directory, "--component", "python")
