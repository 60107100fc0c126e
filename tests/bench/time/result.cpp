#include "result.hpp"

#include <petscviewer.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <type_traits>

namespace bench {
namespace {

double relative_difference(Vec x, Vec reference) {
  Handle<Vec> difference;
  PetscReal size = 0, error = 0;
  check(VecDuplicate(x, difference.out()));
  check(VecWAXPY(difference.get(), -1, reference, x));
  check(VecNorm(difference.get(), NORM_2, &error));
  check(VecNorm(reference, NORM_2, &size));
  return error / size;
}

/// Opens a binary file of Vecs, without the options file that PETSc would add.
Handle<PetscViewer> open_states(const std::string& file, PetscFileMode mode) {
  Handle<PetscViewer> viewer;
  check(PetscViewerCreate(PETSC_COMM_WORLD, viewer.out()));
  check(PetscViewerSetType(viewer.get(), PETSCVIEWERBINARY));
  check(PetscViewerBinarySetSkipInfo(viewer.get(), PETSC_TRUE));
  check(PetscViewerFileSetMode(viewer.get(), mode));
  check(PetscViewerFileSetName(viewer.get(), file.c_str()));
  return viewer;
}

std::string quoted(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\\', '/');
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return '"' + text + '"';
}

/// A JSON object with "key": value pairs in the order of the calls.
class Object {
 public:
  Object& add(const char* key, const std::string& value) { return raw(key, quoted(value)); }
  Object& add(const char* key, double value) {
    if (!std::isfinite(value)) return raw(key, "null");
    std::ostringstream number;
    number.precision(6);
    number << value;
    return raw(key, number.str());
  }
  template <class Integer>
  requires std::is_integral_v<Integer> Object& add(const char* key, Integer value) {
    return raw(key, std::to_string(value));
  }
  std::string text() const { return "{" + text_.str() + "}"; }

 private:
  Object& raw(const char* key, const std::string& value) {
    if (text_.tellp() > 0) text_ << ", ";
    text_ << '"' << key << "\": " << value;
    return *this;
  }
  std::ostringstream text_;
};

}  // namespace

void save_state(const std::string& file, const Run& run) {
  const Handle<PetscViewer> viewer = open_states(file, FILE_MODE_WRITE);
  check(VecView(run.q.get(), viewer.get()));
  check(VecView(run.v.get(), viewer.get()));
}

Errors compare(const std::string& file, const Problem& problem, const Run& run) {
  if (file.empty()) return {};
  if (!std::filesystem::exists(file))
    throw gearshift::IoError("no reference " + file + "; make it by -save " + file + " with a tight run");
  const Handle<PetscViewer> viewer = open_states(file, FILE_MODE_READ);
  const Handle<Vec> q = problem.vector(), v = problem.vector();
  check(VecLoad(q.get(), viewer.get()));
  check(VecLoad(v.get(), viewer.get()));
  return {relative_difference(run.q.get(), q.get()), relative_difference(run.v.get(), v.get())};
}

std::string json_line(const Problem& problem, const Settings& settings, const Run& run, const Errors& errors) {
  const Counts& counts = problem.counts;
  Object line;
  line.add("problem", problem.name).add("solver", settings.label).add("tol", settings.tolerance);
  line.add("fixed_steps", settings.steps).add("steps", run.steps).add("rejected", run.rejected);
  line.add("newton", run.newton).add("krylov", run.krylov).add("F", counts.forces).add("Jv", counts.products);
  line.add("pc_builds", counts.builds).add("pc_applies", counts.applications);
  line.add("eliminations", counts.eliminations).add("last_order", run.order);
  line.add("err_q", errors.q).add("err_v", errors.v).add("length", run.length);
  line.add("krylov_vectors", run.krylov_vectors);
  line.add("factor_nonzeros", run.factor_nonzeros).add("memory_mb", run.memory).add("flops", run.flops);
  line.add("flops_sweeps", counts.flops);
  line.add("cpu", run.cpu).add("wall", run.wall).add("failure", run.failure);
  return line.text();
}

}  // namespace bench
