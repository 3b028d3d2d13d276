#include <solvers/case/case_header.hpp>

namespace stoss::io::detail {

template void bind_fields(const Source&, solvers::CaseHeader&, KnownKeys&);
template void bind_fields(const Source&, solvers::CaseExpectations&, KnownKeys&);
template void write_fields(const solvers::CaseHeader&, Node&);
template void write_fields(const solvers::CaseExpectations&, Node&);
template std::vector<KeyDescription> describe_keys(const solvers::CaseHeader&);
template std::vector<KeyDescription> describe_keys(const solvers::CaseExpectations&);

}  // namespace stoss::io::detail
