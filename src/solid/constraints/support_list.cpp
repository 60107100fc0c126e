#include "solid/constraints/support_list.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

namespace gearshift::solid {

bool SupportList::release(std::string_view face, PetscReal t) {
  bool found = false;
  for (Support& given : given_)
    if (given.face == face) {
      given.until = t;
      found = true;
    }
  return found;
}

void SupportList::pass(PetscReal t) {
  for (const Support& given : given_)
    if (given.until <= t + time_resolution(t)) due_ = std::max(due_, given.until);
}

bool SupportList::any_released() const {
  return std::ranges::any_of(given_, [](const Support& given) { return std::isfinite(given.until); });
}

bool SupportList::at_rest() const {
  return std::ranges::none_of(given_, [this](const Support& given) { return given.motion && !over(given); });
}

bool SupportList::end_due() { return std::exchange(ended_, due_) != due_; }

PetscReal SupportList::next_end(PetscReal t) const {
  PetscReal next = std::numeric_limits<PetscReal>::infinity();
  for (const Support& given : given_)
    if (given.until > t) next = std::min(next, given.until);
  return next;
}

void SupportList::archive(Archive& state) {
  state("ended", due_);
  if (!state.loading() || std::isinf(due_)) return;
  if (std::none_of(given_.begin(), given_.end(), [this](const Support& given) { return given.until == due_; })) {
    std::ostringstream text;
    text << std::setprecision(16) << "supports were released at t = " << due_
         << " before this state was saved, but this run does not release any then; release them at that time here, too";
    throw OptionError(text.str());
  }
}

std::vector<std::string> SupportList::faces() const {
  std::vector<std::string> result;
  for (const Support& given : given_)
    if (std::find(result.begin(), result.end(), given.face) == result.end()) result.push_back(given.face);
  return result;
}

}  // namespace gearshift::solid
