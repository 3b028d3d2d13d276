// The engine of the laboratory compiled for this machine: a request a line in; out a line with the
// answer and one with its block.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <stoss/io/json.hpp>

extern "C" char* stoss_lab_ask(const char* request);
extern "C" const double* stoss_lab_block();
extern "C" std::size_t stoss_lab_block_size();

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const std::unique_ptr<char, decltype(&std::free)> answer(stoss_lab_ask(line.c_str()),
                                                                 &std::free);
        std::string text(answer.get());
        std::erase(text, '\n');
        stoss::io::Value block = stoss::io::Value::array();
        for (const double each : std::span(stoss_lab_block(), stoss_lab_block_size()))
            block.append(each);
        std::cout << text << '\n' << stoss::io::to_json(block, 0);
    }
}
