/// Python with the sanitizers of the build: a module that is compiled for a sanitizer finds its
/// functions in the program that loads it.

#include <Python.h>

int main(int argc, char** argv) {
    return Py_BytesMain(argc, argv);
}
