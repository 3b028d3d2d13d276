// The Python interpreter as a program of our own, which is linked with the thread sanitizer.
#include <Python.h>

int main(int count, char** arguments) {
    return Py_BytesMain(count, arguments);
}
