#include <stoss/io/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <unordered_set>

#include <nlohmann/json.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>

namespace stoss::io {

Value::Value(bool flag) : data(flag) {}
Value::Value(std::int64_t number) : data(number) {}
Value::Value(double number) : data(number) {}
Value::Value(std::string text) : data(std::move(text)) {}
Value::Value(std::string_view text) : data(std::string(text)) {}
Value::Value(const char* text) : data(std::string(text)) {}
Value::Value(Array items) : data(std::move(items)) {}
Value::Value(Object members) : data(std::move(members)) {}

Value Value::object() {
    return Object{};
}
Value Value::array() {
    return Array{};
}

Value& Value::set(std::string key, Value value) {
    if (is_null()) data = Object{};
    auto& members = std::get<Object>(data);
    const auto there = std::ranges::find(members, key, &Member::key);
    if (there != members.end()) {
        there->value = std::move(value);
    } else {
        members.push_back({std::move(key), std::move(value)});
    }
    return *this;
}

Value& Value::append(Value value) {
    if (is_null()) data = Array{};
    std::get<Array>(data).push_back(std::move(value));
    return *this;
}

const Value* Value::find(std::string_view key) const {
    if (members() == nullptr) return nullptr;
    const auto there = std::ranges::find(*members(), key, &Member::key);
    return there == members()->end() ? nullptr : &there->value;
}

std::optional<bool> Value::flag() const {
    const bool* const held = std::get_if<bool>(&data);
    return held != nullptr ? std::optional(*held) : std::nullopt;
}

std::optional<double> Value::number() const {
    if (const auto* integer = std::get_if<std::int64_t>(&data)) {
        return static_cast<double>(*integer);
    }
    if (const double* held = std::get_if<double>(&data)) return *held;
    if (text() == nullptr) return std::nullopt;
    if (*text() == "inf") return std::numeric_limits<double>::infinity();
    if (*text() == "-inf") return -std::numeric_limits<double>::infinity();
    if (*text() == "nan") return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

bool operator==(const Value& a, const Value& b) {
    return a.data == b.data;
}

bool operator==(const Value::Member& a, const Value::Member& b) {
    return a.key == b.key && a.value == b.value;
}

namespace {

constexpr std::size_t deepest = 64;

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// nlohmann's own printing is not always the shortest.
std::string number_text(double number) {
    if (std::isnan(number)) return "\"nan\"";
    if (std::isinf(number)) return number > 0 ? "\"inf\"" : "\"-inf\"";
    return core::to_real_text(number);
}

bool is_container(const Value& value) {
    return value.items() != nullptr || value.members() != nullptr;
}

class Writer {
  public:
    explicit Writer(int indent) : indent_(static_cast<std::size_t>(std::max(indent, 0))) {}

    void write(const Value& value) {
        std::visit([this](const auto& held) { put(held); }, value.data);
    }

    std::string text;

  private:
    void put(std::monostate) { text += "null"; }
    void put(bool flag) { text += flag ? "true" : "false"; }
    void put(std::int64_t number) { text += std::to_string(number); }
    void put(double number) { text += number_text(number); }
    void put(const std::string& string) { text += quoted(string); }

    void put(const Value::Array& items) {
        const bool one_line = std::ranges::none_of(items, is_container);
        put_list('[', ']', items, one_line, [this](const Value& item) { write(item); });
    }

    void put(const Value::Object& members) {
        put_list('{', '}', members, members.empty(), [this](const Value::Member& member) {
            text += quoted(member.key) + ": ";
            write(member.value);
        });
    }

    template <class List, class PutItem>
    void put_list(char open, char close, const List& list, bool one_line, PutItem put_item) {
        text += open;
        ++level_;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i > 0) text += one_line ? ", " : ",";
            if (!one_line) new_line();
            put_item(list[i]);
        }
        --level_;
        if (!one_line) new_line();
        text += close;
    }

    void new_line() { text += '\n' + std::string(level_ * indent_, ' '); }

    std::size_t indent_;
    std::size_t level_ = 0;
};

// nlohmann's message without its error number and its own place in the text.
std::string own_words(std::string message) {
    if (message.starts_with('[')) message.erase(0, message.find("] ") + 2);
    if (message.starts_with("parse error at")) message.erase(0, message.find(": ") + 2);
    return message;
}

// Receives nlohmann's events, because its own tree forgets the order of keys and lets a second
// value of a key win silently. The names of the functions are nlohmann's.
class Builder {
  public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;

    bool null() { return add({}); }
    bool boolean(bool flag) { return add(flag); }
    bool number_integer(number_integer_t number) { return add(number); }
    bool number_unsigned(number_unsigned_t number) {
        if (number > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
            return fail("an integer must fit in 64 signed bits");
        }
        return add(static_cast<std::int64_t>(number));
    }
    bool number_float(double number, const std::string&) { return add(number); }
    bool string(std::string& text) { return add(std::move(text)); }
    bool binary(nlohmann::json::binary_t&) { return fail("binary data is not JSON"); }
    bool start_object(std::size_t) { return open(Value::object()); }
    bool start_array(std::size_t) { return open(Value::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        if (!open_.back().keys.insert(name).second) {
            return fail("the key \"" + name + "\" is given twice");
        }
        open_.back().key = std::move(name);
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& problem) {
        return fail(own_words(problem.what()));
    }

    Value root;
    std::string error;

  private:
    struct Level {
        Value value;
        std::string key;  ///< of the value that comes next
        std::unordered_set<std::string> keys;
    };

    bool fail(std::string words) {
        error = std::move(words);
        return false;
    }

    bool add(Value value) {
        if (open_.empty()) {
            root = std::move(value);
        } else if (open_.back().value.items() != nullptr) {
            open_.back().value.append(std::move(value));
        } else {
            // The key is new (see `key`), so there is no need to search for it again.
            std::get<Value::Object>(open_.back().value.data)
                .push_back({std::move(open_.back().key), std::move(value)});
        }
        return true;
    }

    bool open(Value container) {
        if (open_.size() == deepest) return fail("nesting must not exceed 64 levels");
        open_.push_back({std::move(container), {}, {}});
        return true;
    }

    bool close() {
        Value done = std::move(open_.back().value);
        open_.pop_back();
        return add(std::move(done));
    }

    std::vector<Level> open_;
};

// Counts how far the parser has read, so that errors found by the Builder have a place too.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** read) : at_(at), read_(read) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        *read_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
        return a.at_ != b.at_;
    }

  private:
    const char* at_;
    const char** read_;
};

}  // namespace

std::string to_json(const Value& value, int indent) {
    Writer writer(indent);
    writer.write(value);
    return std::move(writer.text) + '\n';
}

Value parse_json(std::string_view text, const std::string& file) {
    Builder builder;
    const char* read = text.data();
    const CountingIterator begin(text.data(), &read);
    const CountingIterator end(text.data() + text.size(), &read);
    if (nlohmann::json::sax_parse(begin, end, &builder)) return std::move(builder.root);

    // The place of the character at which the parser stopped.
    const auto passed =
        static_cast<std::size_t>(std::max(read - text.data(), std::ptrdiff_t{1}) - 1);
    const std::string_view before = text.substr(0, passed);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
    core::Diagnostic diagnostic;
    diagnostic.file = file;
    diagnostic.line = 1 + static_cast<int>(std::ranges::count(before, '\n'));
    diagnostic.column = 1 + static_cast<int>(passed - line_start);
    diagnostic.violation.rule = builder.error;
    throw core::InputError({diagnostic});
}

}  // namespace stoss::io
