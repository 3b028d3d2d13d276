#include <stoss/io/document.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

using stoss::core::Diagnostic;
using stoss::core::FileError;
using stoss::core::InputError;
using stoss::io::Document;
using stoss::io::Node;
using stoss::io::parse_yaml;
using stoss::io::parse_yaml_value;
using stoss::io::to_yaml;

// The message that a user reads; "" if the text is accepted.
std::string message_of(std::string_view text) {
    try {
        parse_yaml(text, "case.yaml");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Yaml, KeepsOrderAndPlaces) {
    const Document document =
        parse_yaml("problem: beam\nbeam:\n  length: 508 mm\n  supports: [a, {x: 1}]\n", "f");
    ASSERT_EQ(document.root.entries.size(), 2u);
    EXPECT_EQ(document.root.entries[0].key, "problem");
    const Node* const beam = document.root.find("beam");
    ASSERT_NE(beam, nullptr);
    const Node* const length = beam->find("length");
    ASSERT_NE(length, nullptr);
    EXPECT_EQ(length->scalar, "508 mm");
    EXPECT_EQ(length->mark.line, 3);
    EXPECT_EQ(length->mark.column, 11);
    EXPECT_EQ(beam->entries[0].mark.column, 3);
    EXPECT_EQ(beam->find("supports")->items[1].find("x")->scalar, "1");
    EXPECT_EQ(beam->find("width"), nullptr);
}

TEST(Yaml, AliasesAreExpanded) {
    const Document document = parse_yaml("a: &steel {E: 200 GPa}\nb: *steel\n", "f");
    EXPECT_EQ(document.root.find("b")->find("E")->scalar, "200 GPa");
    EXPECT_EQ(document.root.find("b")->mark.line, 2);
}

TEST(Yaml, AMergeKeyIsRefusedAtItsPlace) {
    EXPECT_EQ(message_of("a: &b {E: 1}\nc:\n  <<: *b\n  d: 2\n"),
              "case.yaml:3:3: error: `<<` merges keys, which a case file does not do\n"
              "    hint: write the keys out; an alias `*name` may be a whole value");
}

TEST(Yaml, ADuplicateKeyIsToldWithBothPlaces) {
    EXPECT_EQ(message_of("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n"),
              "case.yaml:4:3: error: the key `c` is given twice; the first one is in line "
              "3, column 3\n"
              "    hint: remove one of the two\n"
              "case.yaml:5:1: error: the key `a` is given twice; the first one is in line "
              "1, column 1\n"
              "    hint: remove one of the two");
}

TEST(Yaml, ColumnsCountCharacters) {
    EXPECT_EQ(message_of("{\u00b5: 1, \u00b5: 2}\n"),
              "case.yaml:1:8: error: the key `\u00b5` is given twice; the first one is in line 1, "
              "column 2\n"
              "    hint: remove one of the two");
    EXPECT_EQ(message_of("\u65e5: \U0001f600\n\u65e5\u672c: !t 1\n"),
              "case.yaml:2:5: error: has the tag `!t`; a case file has no tags\n"
              "    hint: leave the tag out");
}

TEST(Yaml, WhatIsNoCaseIsRefused) {
    EXPECT_EQ(message_of(""),
              "case.yaml: error: is empty; a case is a mapping of keys to values\n    hint: begin "
              "with `problem: ...`");
    EXPECT_EQ(message_of("# only a comment\n").substr(0, 26), "case.yaml: error: is empty");
    EXPECT_EQ(message_of("- 1\n- 2\n"),
              "case.yaml:1:1: error: is not a case: it must hold keys with values\n"
              "    hint: write lines such as `problem: ...`");
    EXPECT_EQ(message_of("just words\n").substr(0, 36), "case.yaml:1:1: error: is not a case:");
    EXPECT_EQ(message_of("a: 1\n---\nb: 1\n"),
              "case.yaml:3:1: error: a second document starts here; a case is one document\n"
              "    hint: remove the line `---`");
    EXPECT_EQ(
        message_of("a: !!float 1\n"),
        "case.yaml:1:4: error: has the tag `tag:yaml.org,2002:float`; a case file has no tags\n"
        "    hint: leave the tag out");
    EXPECT_EQ(message_of("? [1, 2]\n: 3\n"),
              "case.yaml:1:3: error: a key must be a single word, not a sequence or a mapping\n"
              "    hint: a bracket that opens here may not be closed");
    EXPECT_EQ(message_of(": 3\n"), "case.yaml:1:1: error: a key is missing before the colon");
}

TEST(Yaml, BadSyntaxIsToldInPlainWords) {
    EXPECT_EQ(
        message_of("a: b: c\n"),
        "case.yaml:1:5: error: a value cannot be here: two colons in one line, or wrong "
        "indentation\n"
        "    hint: put a text that holds a colon in quotes; begin the keys of a mapping in one "
        "column");
    EXPECT_EQ(message_of("a: [1, 2\nb: 3\n"),
              "case.yaml:1:4: error: the `[` that opens here is never closed with `]`");
    EXPECT_EQ(message_of("a: 1]\nb: ]\n"),
              "case.yaml:2:4: error: a `]` or `}` closes nothing, or the brackets are mixed up");
    EXPECT_EQ(
        message_of("a: @home\n"),
        "case.yaml:1:4: error: a text cannot begin with this character; put the text in quotes");
    EXPECT_EQ(
        message_of("a: & x\n"),
        "case.yaml:1:5: error: the anchor (`&`) has no name; if it is text, put it in quotes");
    EXPECT_EQ(message_of("a: * x\n"),
              "case.yaml:1:5: error: the alias (`*`) has no name; if it is text, put it in quotes");
    EXPECT_EQ(message_of("a: | x\n"),
              "case.yaml:1:6: error: the text must begin in the line after `|` or `>`");
    EXPECT_EQ(message_of("a: {x: 1\n"),
              "case.yaml:1:4: error: the `{` that opens here is never closed with `}`");
    EXPECT_EQ(message_of("beam:\n    x: 1\n  y: 2\n"),
              "case.yaml:3:3: error: the lines do not line up with a key above, or a `}` or a "
              "colon is missing");
    EXPECT_EQ(message_of("a: *b\n"),
              "case.yaml:1:4: error: an alias (`*name`) has no anchor (`&name`) before it");
    EXPECT_EQ(message_of("a: &b [*b]\n"),
              "case.yaml:1:8: error: an alias (`*name`) is inside its own value");
}

TEST(Yaml, AMissingColonIsNamedInItsOwnLine) {
    const std::string words =
        ": error: a colon with a blank after it is missing in this line\n"
        "    hint: write `key: value`; a text over several lines needs quotes";
    EXPECT_EQ(message_of("problem:beam_impact_map\nbeam: 1\n"), "case.yaml:1:1" + words);
    EXPECT_EQ(message_of("beam:\n  theory: timoshenko\n  length 412 mm\n  section: {}\n"),
              "case.yaml:3:3" + words);
    EXPECT_EQ(message_of("a 1 # b: 2\r\n\n  # c\nd: 3\n"), "case.yaml:1:1" + words);
    EXPECT_EQ(message_of("\na 1\nb: 2\n"), "case.yaml:2:1" + words);
    // The earlier line is in order: the colon of this one is in excess.
    EXPECT_TRUE(message_of("beam:\n  x: 1\n    y: 2\n").starts_with("case.yaml:3:6"))
        << message_of("beam:\n  x: 1\n    y: 2\n");
}

TEST(Yaml, ABracketInsideOfATextWithoutQuotesIsNamed) {
    const std::string words =
        ": error: this `[` begins a list inside of a text\n"
        "    hint: put the text in quotes, as in {key: \"beam.springs[0].xi\"}";
    EXPECT_EQ(message_of("sweep: {key: a.b[0].xi, values: [0, 1]}\n"), "case.yaml:1:17" + words);
    EXPECT_EQ(message_of("keys: [a.b[0].xi]\n"), "case.yaml:1:11" + words);
    EXPECT_EQ(parse_yaml("key: a.b[0].xi\n", "").root.entries[0].value.scalar, "a.b[0].xi");
}

TEST(Yaml, AQuoteThatIsNeverClosedDoesNotSwallowTheRest) {
    EXPECT_EQ(message_of("a: 1\nb: \"x\nc: 2\n"),
              "case.yaml:2:4: error: the quote \" that opens here is never closed");
    EXPECT_EQ(message_of("a: \u00b5\r\nb: 'it''s\n"),
              "case.yaml:2:4: error: the quote ' that opens here is never closed");
    EXPECT_EQ(message_of("a: &x \"b\\\"\n"),
              "case.yaml:1:4: error: the quote \" that opens here is never closed");
    EXPECT_EQ(message_of("a: \"x"), "case.yaml:1:6: error: a quote is never closed");
    EXPECT_EQ(
        message_of(
            "\u00b5: 1\na: \"x \\\" y\"\nb: 'it''s'\nc: &q \"it's\"\nd: |\n  it's\ne: it's\n"),
        "");
}

TEST(Yaml, ATabInTheIndentationIsShown) {
    EXPECT_EQ(message_of("beam:\n\tlength: 1\n"),
              "case.yaml:2:1: error: the indentation has a tab\n    hint: indent with spaces");
    EXPECT_EQ(message_of("a: 1\t# a comment after a tab\n\t\n\t# a comment\nb: 2\n"), "");
}

TEST(Yaml, BadCharactersAreShown) {
    EXPECT_EQ(
        message_of("title: \u00b5\na: \xff\n"),
        "case.yaml:2:4: error: is not UTF-8 text\n    hint: save the file with the encoding UTF-8");
    for (const char* bytes : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                              "\xc3", "\xf0\x9f\x98", "\x80", "\xff\xfe"}) {
        EXPECT_NE(message_of(std::string("a: ") + bytes).find("is not UTF-8 text"),
                  std::string::npos);
    }
    EXPECT_EQ(message_of(std::string("a: x\0y\n", 7)),
              "case.yaml:1:5: error: holds a control character (byte 0)\n"
              "    hint: a case is plain text; remove the character");
    EXPECT_EQ(message_of("\xef\xbb\xbf"
                         "a: 1\r\nb: \u00b5 \u65e5\u672c \U0001f600\r\n"),
              "");
}

TEST(Yaml, AnAliasBombIsRefused) {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string last = std::string("*a").append(std::to_string(i - 1));
        const std::string name = std::string("a").append(std::to_string(i));
        bomb.append(name).append(": &").append(name).append(" [");
        for (int k = 0; k < 9; ++k) bomb.append(last).append(", ");
        bomb.append(last).append("]\n");
    }
    EXPECT_NE(message_of(bomb).find("holds more than 1000000 values once its aliases"),
              std::string::npos);
}

TEST(Yaml, DeepNestingIsRefused) {
    const auto nested = [](std::size_t depth) {
        return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n";
    };
    EXPECT_EQ(message_of(nested(63)), "");
    EXPECT_EQ(message_of(nested(64)), "case.yaml:1:67: error: is nested more than 64 levels deep");
    EXPECT_EQ(message_of(nested(100000)),
              "case.yaml:1:67: error: is nested more than 64 levels deep");
    std::string by_aliases = "a0: &a0 [x]\n";
    for (int i = 1; i < 70; ++i) {
        const std::string number = std::to_string(i);
        by_aliases.append("a").append(number).append(": &a").append(number);
        by_aliases.append(" [*a").append(std::to_string(i - 1)).append("]\n");
    }
    EXPECT_NE(message_of(by_aliases).find("is nested more than 64 levels deep"), std::string::npos);
}

TEST(Yaml, AHugeTextIsRefused) {
    EXPECT_EQ(message_of("a: " + std::string(17u << 20, 'x')),
              "case.yaml: error: is larger than 16 MiB, too large for a case");
    EXPECT_THROW(stoss::io::read_yaml("/dev/zero"), InputError);
}

TEST(Yaml, AnUnreadableFileIsToldWithTheReason) {
    const auto message = [](const std::string& file) -> std::string {
        try {
            stoss::io::read_yaml(file);
        } catch (const FileError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("no/such/case.yaml"),
              "no/such/case.yaml: cannot be read: No such file or directory");
    EXPECT_EQ(message("."), ".: cannot be read: Is a directory");
}

TEST(Yaml, AFileIsReadWithItsName) {
    const auto file = std::filesystem::temp_directory_path() / "stoss_yaml_test.yaml";
    std::ofstream(file) << "a: 1\nb: [\n";
    try {
        stoss::io::read_yaml(file.string());
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).file, file.string());
        EXPECT_EQ(error.diagnostics().at(0).line, 2);  // where the bracket opens
    }
    std::filesystem::remove(file);
}

TEST(YamlValue, IsAnyKind) {
    EXPECT_EQ(parse_yaml_value("12.7 mm", "--set").scalar, "12.7 mm");
    const Node list = parse_yaml_value("[1, {a: 2}]", "--set");
    ASSERT_EQ(list.items.size(), 2u);
    EXPECT_EQ(list.items[1].entries[0].mark.line, 0);
    EXPECT_EQ(parse_yaml_value("", "--set").kind, Node::Kind::null);
    EXPECT_THROW(parse_yaml_value("[1", "--set"), InputError);
}

TEST(NodeSet, ReplacesAndCreates) {
    Node root = parse_yaml("beam: {length: 1, supports: [{x: 0}, {x: 1}]}\nempty:\n", "f").root;
    root.set("beam.length", Node::text("2"));
    root.set("beam.supports[1].x", Node::text("3"));
    root.set("beam.material.density", Node::text("4"));
    root.set("empty.key", Node::text("5"));
    EXPECT_EQ(
        to_yaml(root),
        "beam:\n  length: 2\n  supports:\n    - x: 0\n    - x: 3\n  material:\n    density: 4\n"
        "empty:\n  key: 5\n");
}

TEST(NodeSet, RefusesPathsThatLeadNowhere) {
    const auto message = [](std::string_view path) -> std::string {
        Node root = parse_yaml("beam: {length: 1, supports: [{x: 0}]}\n", "f").root;
        const Node before = root;
        try {
            root.set(path, Node::text("2"));
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(message("beam.length.x"),
              "error: beam.length.x: cannot be set: the value before `x` is the single value `1`");
    EXPECT_EQ(message("beam.supports[1].x"),
              "error: beam.supports[1].x: cannot be set: item [1] does not exist, there are 1 "
              "(counted from 0)\n"
              "    hint: set the whole sequence instead");
    EXPECT_EQ(message("beam.supports.x"),
              "error: beam.supports.x: cannot be set: the value before `x` is a sequence\n"
              "    hint: name an item by its index, as in `supports[0]`");
    EXPECT_EQ(message("beam[0]"),
              "error: beam[0]: cannot be set: there is no sequence to take item [0] of\n"
              "    hint: set the whole sequence instead");
    for (const char* path :
         {"", ".", "a..b", "a.", ".a", "a[", "a[]", "a[x]", "a[1", "a[0]b", "a[-1]", "[0]"}) {
        EXPECT_NE(message(path).find("is not the path of a key"), std::string::npos) << path;
    }
}

TEST(Locate, FindsTheKeyOrTheNearestEnclosingOne) {
    const Document document =
        parse_yaml("beam:\n  length: 508 mm\n  supports:\n    - x: 1\n    - x: 2\n", "case.yaml");
    const auto place = [&](const char* key) {
        const Diagnostic found = document.locate({key, "", "rule", ""});
        EXPECT_EQ(found.file, "case.yaml");
        EXPECT_EQ(found.violation.key, key);
        return std::pair(found.line, found.column);
    };
    EXPECT_EQ(place("beam.length"), std::pair(2, 11));
    EXPECT_EQ(place("beam.supports[1].x"), std::pair(5, 10));
    EXPECT_EQ(place("beam.supports[1].y"), std::pair(5, 7));
    EXPECT_EQ(place("beam.supports[7].x"), std::pair(3, 3));
    EXPECT_EQ(place("beam.radius"), std::pair(1, 1));
    EXPECT_EQ(place("striker.mass"), std::pair(1, 1));
    EXPECT_EQ(place(""), std::pair(1, 1));
}

// A tree of random shape whose texts are made of everything that YAML gives a meaning to.
Node random_tree(std::mt19937& random, int depth) {
    const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto text = [&] {
        static const std::vector<std::string> parts{
            "a",    "mm",     "1",   "-",   "?",    ":", ": ", " #",   "#",   "'",
            "\"",   "\\",     "\n",  "\t",  "[",    "]", "{",  "}",    ",",   "&",
            "*",    "!",      "|",   ">",   "%",    "@", "`",  " ",    "~",   "null",
            "true", "\u00b5", "---", "...", "\x01", "=", "<<", "-inf", "\x7f"};
        std::string word;
        for (unsigned i = pick(5); i > 0; --i)
            word += parts[pick(static_cast<unsigned>(parts.size()))];
        return word;
    };
    Node node;
    const unsigned kind = depth > 3 ? pick(2) : pick(4);
    if (kind == 0) return node;
    if (kind == 1) return Node::text(text());
    node.kind = kind == 2 ? Node::Kind::sequence : Node::Kind::mapping;
    for (unsigned i = pick(4); i > 0; --i) {
        if (kind == 2) {
            node.items.push_back(random_tree(random, depth + 1));
        } else {
            node.entries.push_back(
                {std::string(i, 'k').append(text()), {}, random_tree(random, depth + 1)});
        }
    }
    return node;
}

TEST(ToYaml, ReadsBackAsTheSameTree) {
    std::mt19937 random(11);
    int mappings = 0;
    for (int i = 0; i < 3000; ++i) {
        Node tree = random_tree(random, 0);
        if (tree.kind != Node::Kind::mapping) continue;
        ++mappings;
        const std::string text = to_yaml(tree);
        try {
            ASSERT_TRUE(same_tree(parse_yaml(text, "written").root, tree)) << text;
        } catch (const InputError& error) {
            FAIL() << error.what() << "\n" << text;
        }
    }
    EXPECT_GT(mappings, 500);
}

TEST(ToYaml, IsReadableByPeople) {
    const std::string text =
        "title: \"a: b\"\n"
        "beam:\n"
        "  length: 0.508 m\n"
        "  angular_speed: -6 rad/s\n"
        "  places: [0.1 m, 0.2 m]\n"
        "  supports:\n"
        "    - x: 0.5\n"
        "      kind: pin\n"
        "  mass: none\n"
        "nothing: ~\n"
        "no_items: []\n";
    EXPECT_EQ(to_yaml(parse_yaml(text, "f").root), text);
}

}  // namespace
