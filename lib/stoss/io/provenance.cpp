#include <stoss/io/provenance.hpp>

#include <sys/utsname.h>

#include <chrono>

#include <fmt/chrono.h>
#include <stoss/core/parallel.hpp>
#include <stoss/io/build_info.hpp>

namespace stoss::io {
namespace {

std::string known(const std::string& text) {
    return text.empty() ? "unknown" : text;
}

}  // namespace

std::string version() {
    return build_info::version;
}
std::string commit() {
    return known(build_info::commit);
}

std::string libraries() {
    return build_info::libraries;
}

Value provenance(std::int64_t seed, int threads) {
    utsname system{};
    if (uname(&system) != 0) system = {};
    const auto now = std::chrono::system_clock::now();
    Value facts = Value::object();
    facts.set("version", version()).set("commit", commit());
    facts.set("build_type", known(build_info::build_type));
    facts.set("compiler", known(build_info::compiler));
    facts.set("compiler_flags", build_info::compiler_flags);
    facts.set("libraries", libraries());
    facts.set("host", known(system.nodename));
    facts.set("operating_system", known(system.sysname + std::string(" ") + system.release));
    facts.set("processor", known(system.machine));
    facts.set("date_utc", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                                      fmt::gmtime(std::chrono::system_clock::to_time_t(now))));
    facts.set("seed", seed).set("threads", core::thread_count(threads));
    return facts;
}

}  // namespace stoss::io
