#include "run.hpp"
namespace bench {
Run run_two_n(Problem&, const Settings&) { throw gearshift::Error("not yet"); }
}  // namespace bench
