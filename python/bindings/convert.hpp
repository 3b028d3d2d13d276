#pragma once
/// Values of Python -> trees of a case, and results -> values of Python.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stoss/io/csv.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>

namespace stoss::python {

namespace py = pybind11;

/// A str in UTF-8. Errors: core::InputError if it is no Unicode.
std::string text_of(py::handle text);

/// A tree of dict, list, tuple, numpy array, str, bool, int, float, paths, and objects with
/// `to_dict()`. Floats by the shortest text that reads back as the same float; a
/// numpy.longdouble is rounded to a float. A key that holds
/// None is left out. Errors: TypeError for anything else and for a key that is no str;
/// core::InputError for a text that is no Unicode or has a null character; RecursionError for what
/// holds itself.
io::Node to_node(py::handle value);

/// The tree as dict, list and str; numbers stay texts, as in a case file.
py::object to_python(const io::Node& node);

/// JSON values: dict, list, str, bool, int, float, None; "inf", "-inf" and "nan" become floats.
py::object to_python(const io::Value& value);

/// Keys as list of dict, for the classes that Python makes of them.
py::list to_python(const std::vector<io::KeyDescription>& keys);

/// Numbers of an array to be. They have no value yet: the threads that fill them are also those for
/// which the system clears the memory, which takes a tenth of a second a gigabyte and more.
template <class T>
class Buffer {
  public:
    explicit Buffer(std::size_t size) : data_(std::make_unique_for_overwrite<T[]>(size)) {}

    T& operator[](std::size_t i) { return data_[i]; }
    T* data() { return data_.get(); }

    /// The array, which owns them.
    py::capsule owner() && {
        return py::capsule(data_.release(), [](void* p) { delete[] static_cast<T*>(p); });
    }
    py::array_t<T> to_array(const std::vector<py::ssize_t>& shape) && {
        T* const data = data_.get();
        return py::array_t<T>(shape, data, std::move(*this).owner());
    }

  private:
    std::unique_ptr<T[]> data_;
};

/// Words of an array of str to be, filled without the lock of the interpreter.
class WordBuffer {
  public:
    /// `width`: the number of characters of the longest one.
    WordBuffer(std::size_t size, std::size_t width);

    /// Errors: std::length_error if it is longer. ASCII.
    void set(std::size_t place, std::string_view word);

    py::array to_array(const std::vector<py::ssize_t>& shape) &&;

  private:
    std::size_t width_;
    Buffer<char32_t> characters_;
};

/// The number of characters of the longest of these words.
template <class Enumeration>
std::size_t longest_word(std::initializer_list<Enumeration> values) {
    std::size_t longest = 0;
    for (const Enumeration value : values) longest = std::max(longest, to_string(value).size());
    return longest;
}

/// An array of str.
py::array to_array(const std::vector<std::string>& words);

/// The shape of an array.
std::vector<py::ssize_t> shape_of(const py::array& array);

/// The table as it is, shared with Python: name -> array, in the order of the columns. Columns of
/// numbers are arrays on the memory of the table, which lives as long as one of them does; columns
/// of words are arrays of str. All are read-only, for the core may still write the table.
py::dict columns_of(const std::shared_ptr<const io::Table>& table);

/// An array of that shape that owns the vector: no number is copied.
template <class T>
py::array_t<T> to_array(std::vector<T> values, const std::vector<py::ssize_t>& shape) {
    auto* const owned = new std::vector<T>(std::move(values));
    const py::capsule owner(owned, [](void* p) { delete static_cast<std::vector<T>*>(p); });
    return py::array_t<T>(shape, owned->data(), owner);
}

/// The same of one dimension.
template <class T>
py::array_t<T> to_array(std::vector<T> values) {
    const auto size = static_cast<py::ssize_t>(values.size());
    return to_array(std::move(values), {size});
}

}  // namespace stoss::python
