#include "app/analyses/contact_result.hpp"

#include <gearshift/io/summary.hpp>

#include <cmath>

namespace gearshift::app {
namespace {

constexpr PetscReal rounding = 1e-6;  // penetration / h of a body that touches an obstacle at the start
constexpr PetscReal deep = 3;         // penetration / h: an impact that shortens a body by a third has 1 by default

}  // namespace

void ContactResult::warn_of_overlaps() const {
  for (const auto& report : reports_)
    if (report.depth > rounding && !report.with_obstacle)
      petsc::check(PetscFPrintf(comm_, PETSC_STDERR,
                                "note: contact '%s': the undeformed faces overlap by up to %.3g, as in a press fit; if "
                                "this is not intended, correct the mesh, or give -contact_%s_overlap remove\n",
                                report.name.c_str(), report.penetration, report.name.c_str()));
    else if (report.depth > rounding)
      petsc::check(PetscFPrintf(
          comm_, PETSC_STDERR,
          "warning: contact '%s': the body at the start overlaps the obstacle by up to %.3g, which "
          "presses on it with up to %.3g. If the overlap is not intended, check the position of the obstacle "
          "and, of a plane, the direction of the normal; to measure gaps from there give "
          "-contact_%s_overlap remove\n",
          report.name.c_str(), report.penetration, report.pressure, report.name.c_str()));
}

void ContactResult::add_to(io::Summary& summary) const {
  for (const auto& report : reports_) {
    const std::string key = "contact_" + report.name;
    summary.add(key + "_pressure", static_cast<double>(report.pressure));
    summary.add(key + "_penetration", static_cast<double>(report.penetration));
    summary.add(key + "_area", static_cast<double>(report.area));
    if (std::isfinite(report.gap)) summary.add(key + "_gap", static_cast<double>(report.gap));
  }
}

void ContactResult::print() const {
  for (const auto& report : reports_) {
    const char* name = report.name.c_str();
    if (report.penetration > 0)
      petsc::check(PetscPrintf(comm_,
                               "contact %s: greatest pressure %.6g, greatest penetration %.3g; closed area %.6g at the "
                               "end\n",
                               name, report.pressure, report.penetration, report.area));
    else if (std::isfinite(report.gap))
      petsc::check(PetscPrintf(comm_, "contact %s: %s; the smallest gap at the end is %.6g\n", name,
                               report.with_obstacle ? "the body did not touch the obstacle" : "the faces did not touch",
                               report.gap));
    else
      petsc::check(PetscPrintf(comm_, "contact %s: the faces did not touch, and none are near each other\n", name));
    if (report.depth > deep)
      petsc::check(PetscFPrintf(
          comm_, PETSC_STDERR,
          "warning: contact '%s': the penetration is %.2g of the distance of nodes under its faces; a finer mesh on "
          "its faces or a larger -contact_%s_stiffness reduces it\n",
          name, report.depth, name));
  }
}

}  // namespace gearshift::app
