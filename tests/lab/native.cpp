// The engine of the laboratory compiled for this machine: a request a line in, an answer a line
// out.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

extern "C" char* stoss_lab_ask(const char* request);

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const std::unique_ptr<char, decltype(&std::free)> answer(stoss_lab_ask(line.c_str()),
                                                                 &std::free);
        std::string text(answer.get());
        std::erase(text, '\n');
        std::cout << text << '\n';
    }
}
