#include "convert.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <stoss/core/error.hpp>
#include <stoss/core/shortened.hpp>
#include <stoss/core/text.hpp>

namespace stoss::python {

using namespace pybind11::literals;

namespace {

/// As long as it lives, one more level of a tree is read. What holds itself ends with
/// RecursionError.
class Level {
  public:
    Level() {
        if (Py_EnterRecursiveCall(" while a case was read") != 0) throw py::error_already_set();
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { Py_LeaveRecursiveCall(); }
};

[[noreturn]] void refuse_text(py::handle text, const char* rule) {
    constexpr std::size_t longest_quoted = 60;
    const py::object ascii = py::reinterpret_steal<py::object>(PyObject_ASCII(text.ptr()));
    const std::string quoted = core::shortened(py::cast<std::string>(ascii), longest_quoted);
    throw core::InputError({{"", 0, 0, {"case", quoted, rule, ""}}});
}

/// A text of a case, as a file could hold it.
std::string plain_text(py::handle text) {
    std::string plain = text_of(text);
    if (plain.find('\0') != plain.npos) refuse_text(text, "must not have a null character");
    return plain;
}

io::Node sequence_of(py::handle items) {
    io::Node node;
    node.kind = io::Node::Kind::sequence;
    for (const py::handle item : items) node.items.push_back(to_node(item));
    return node;
}

io::Node mapping_of(const py::dict& entries) {
    io::Node node;
    node.kind = io::Node::Kind::mapping;
    for (const auto& [key, value] : entries) {
        if (!py::isinstance<py::str>(key))
            throw py::type_error("a key of a case must be a str, not " +
                                 std::string(py::str(py::type::of(key))));
        if (value.is_none()) continue;
        node.entries.push_back({plain_text(key), {}, to_node(value)});
    }
    return node;
}

std::string number_text(double value) {
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    return core::to_text(value);
}

[[noreturn]] void refuse_type(py::handle value) {
    throw py::type_error("a case cannot hold a value of " +
                         std::string(py::str(py::type::of(value))));
}

/// The tree of an array, a Series, or a number of numpy.
io::Node node_of_numpy(py::handle value) {
    const py::object plain = value.attr("tolist")();
    if (!py::type::of(plain).is(py::type::of(value))) return to_node(plain);
    // A numpy.longdouble, for which Python has no type of its own, stays what it is.
    if (!py::isinstance(value, py::module_::import("numbers").attr("Real"))) refuse_type(value);
    return io::Node::text(number_text(py::cast<double>(py::float_(plain))));
}

}  // namespace

std::string text_of(py::handle text) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
    PyErr_Clear();
    refuse_text(text, "is no text: it has half of a surrogate pair");
}

io::Node to_node(py::handle value) {
    const Level level;
    const bool is_type = py::isinstance<py::type>(value);
    // numpy and pandas; first, for a Series of pandas has both.
    if (py::hasattr(value, "tolist") && !is_type) return node_of_numpy(value);
    if (py::hasattr(value, "to_dict") && !is_type) return to_node(value.attr("to_dict")());
    if (value.is_none()) return {};
    if (py::isinstance<py::dict>(value)) return mapping_of(py::reinterpret_borrow<py::dict>(value));
    if (py::isinstance<py::str>(value)) return io::Node::text(plain_text(value));
    if (py::isinstance<py::bool_>(value))
        return io::Node::text(py::cast<bool>(value) ? "true" : "false");
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
        return sequence_of(value);
    if (py::isinstance<py::float_>(value))
        return io::Node::text(number_text(py::cast<double>(value)));
    if (py::isinstance<py::int_>(value))
        return io::Node::text(py::cast<std::string>(py::str(value)));
    if (py::hasattr(value, "__fspath__")) return to_node(value.attr("__fspath__")());
    refuse_type(value);
}

py::object to_python(const io::Node& node) {
    switch (node.kind) {
        case io::Node::Kind::scalar:
            return py::str(node.scalar);
        case io::Node::Kind::sequence: {
            py::list items;
            for (const io::Node& item : node.items) items.append(to_python(item));
            return items;
        }
        case io::Node::Kind::mapping: {
            py::dict entries;
            for (const auto& [key, mark, value] : node.entries)
                entries[py::str(key)] = to_python(value);
            return entries;
        }
        case io::Node::Kind::null:
            break;
    }
    return py::none();
}

py::object to_python(const io::Value& value) {
    if (value.is_null()) return py::none();
    if (const auto flag = value.flag()) return py::bool_(*flag);
    if (const auto* items = value.items()) {
        py::list list;
        for (const io::Value& item : *items) list.append(to_python(item));
        return list;
    }
    if (const auto* members = value.members()) {
        py::dict dict;
        for (const auto& [key, member] : *members) dict[py::str(key)] = to_python(member);
        return dict;
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return py::int_(*whole);
    if (const auto number = value.number()) return py::float_(*number);
    return py::str(*value.text());
}

namespace {

py::dict dict_of(const io::ValueDescription& value) {
    py::dict dict;
    dict["kind"] = io::to_string(value.kind);
    dict["unit"] = value.unit;
    dict["range"] = py::make_tuple(value.range.low, value.range.high, value.range.low_open,
                                   value.range.high_open);
    dict["other_word"] = value.other_word;
    py::list names;
    for (const std::string& name : value.names) names.append(py::str(name));
    dict["names"] = names;
    py::list choices;
    for (const io::Choice& choice : value.choices) {
        py::dict each;
        each["name"] = choice.name;
        each["meaning"] = choice.meaning;
        each["keys"] = to_python(choice.keys);
        choices.append(each);
    }
    dict["choices"] = choices;
    dict["keys"] = to_python(value.keys);
    dict["item"] = value.items.empty() ? py::object(py::none()) : dict_of(value.items.front());
    return dict;
}

}  // namespace

py::list to_python(const std::vector<io::KeyDescription>& keys) {
    py::list list;
    for (const io::KeyDescription& key : keys) {
        py::dict dict = dict_of(key.value);
        dict["key"] = key.key;
        dict["meaning"] = key.meaning;
        dict["required"] = key.is_required;
        dict["default"] = key.default_value ? to_python(*key.default_value) : py::none();
        list.append(dict);
    }
    return list;
}

WordBuffer::WordBuffer(std::size_t size, std::size_t width)
    : width_(std::max<std::size_t>(1, width)), characters_(size * width_) {}

void WordBuffer::set(std::size_t place, std::string_view word) {
    if (word.size() > width_) throw std::length_error("a word longer than its array holds");
    char32_t* to = characters_.data() + place * width_;
    to = std::transform(word.begin(), word.end(), to, [](char c) {
        return static_cast<char32_t>(static_cast<unsigned char>(c));
    });
    std::fill_n(to, width_ - word.size(), U'\0');
}

py::array WordBuffer::to_array(const std::vector<py::ssize_t>& shape) && {
    const py::dtype type("U" + std::to_string(width_));
    const char32_t* const data = characters_.data();
    return py::array(type, shape, data, std::move(characters_).owner());
}

py::array to_array(const std::vector<std::string>& words) {
    std::size_t width = 0;
    bool is_ascii = true;
    for (const std::string& word : words) {
        width = std::max(width, word.size());
        for (const char c : word) is_ascii &= static_cast<unsigned char>(c) < 0x80;
    }
    if (!is_ascii) {
        py::list list;
        for (const std::string& word : words) list.append(py::str(word));
        return py::module_::import("numpy").attr("array")(list, "dtype"_a = "U");
    }
    WordBuffer buffer(words.size(), width);
    for (std::size_t i = 0; i < words.size(); ++i) buffer.set(i, words[i]);
    return std::move(buffer).to_array({static_cast<py::ssize_t>(words.size())});
}

std::vector<py::ssize_t> shape_of(const py::array& array) {
    return {array.shape(), array.shape() + array.ndim()};
}

py::dict columns_of(const std::shared_ptr<const io::Table>& table) {
    py::dict columns;
    for (const io::Column& column : table->columns) {
        const py::array array = std::visit(
            [&]<class T>(const std::vector<T>& values) -> py::array {
                if constexpr (std::is_same_v<T, std::string>) {
                    return to_array(values);
                } else {
                    auto* const owner = new std::shared_ptr<const io::Table>(table);
                    const py::capsule keep(owner, [](void* p) {
                        delete static_cast<std::shared_ptr<const io::Table>*>(p);
                    });
                    return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data(),
                                          keep);
                }
            },
            column.values);
        array.attr("setflags")("write"_a = false);
        columns[py::str(column.name)] = array;
    }
    return columns;
}

}  // namespace stoss::python
