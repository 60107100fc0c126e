#include "solid/terms/load_times.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace gearshift::solid {

using petsc::check;

namespace {

constexpr PetscReal resolved = 0.25;  // of the largest load: permitted distance from the straight line
constexpr int fewest_samples = 32, most_samples = 1024;  // in a step
constexpr int earlier = 16;                              // number of samples before the step, to find the largest load

/// Returns the local nodes of a face, or all local nodes.
std::vector<PetscInt> nodes_of(const Space& space, const std::string& face) {
  if (!face.empty()) return space.nodes_on(face);
  std::vector<PetscInt> nodes(static_cast<std::size_t>(space.local_nodes()));
  std::iota(nodes.begin(), nodes.end(), PetscInt{0});
  return nodes;
}

/// Returns the nodes farthest along +-x, +-y, +-z. If several are equally far, the one with the largest coordinates is
/// chosen, so that the result does not depend on the distribution. Collective.
std::vector<Vec3> farthest(const Space& space, const std::string& face) {
  constexpr std::size_t directions = 6;
  using Place = std::array<PetscReal, 4>;  // the distance along the direction, the coordinates
  std::array<Place, directions> best;
  for (Place& place : best) place.fill(-PETSC_INFINITY);
  for (const PetscInt node : nodes_of(space, face)) {
    const Vec3& X = space.coordinates()[static_cast<std::size_t>(node)];
    for (std::size_t d = 0; d < directions; ++d)
      best[d] = std::max(best[d], Place{d % 2 ? -X[d / 2] : X[d / 2], X[0], X[1], X[2]});
  }
  std::vector<std::array<Place, directions>> all(static_cast<std::size_t>(petsc::ranks_of(space.comm())));
  MPI_Allgather(best.data(), sizeof best, MPI_BYTE, all.data(), sizeof best, MPI_BYTE, space.comm());
  for (const auto& other : all)
    for (std::size_t d = 0; d < directions; ++d) best[d] = std::max(best[d], other[d]);
  std::vector<Vec3> places;
  for (const Place& place : best) {
    const Vec3 X{place[1], place[2], place[3]};
    if (std::isfinite(X[0]) && std::find(places.begin(), places.end(), X) == places.end()) places.push_back(X);
  }
  return places;
}

/// Returns true if the samples up to the n-th differ from the straight line to it by no more than `allowed`.
bool straight(std::span<const Vec3> samples, std::size_t n, PetscReal allowed) {
  for (std::size_t i = 1; i < n; ++i) {
    const PetscReal s = static_cast<PetscReal>(i) / static_cast<PetscReal>(n);
    Vec3 beside;
    for (std::size_t c = 0; c < 3; ++c) beside[c] = samples[i][c] - (1 - s) * samples[0][c] - s * samples[n][c];
    if (norm(beside) > allowed) return false;
  }
  return true;
}

template <class Formula>
TimeHistory formula_of(std::string_view face, const Formula& formula, Field value) {
  TimeHistory course = course_of(face, std::move(value), !formula.depends_on_time());
  course.depends_on_place = formula.depends_on_place();
  course.next_rough_time = [formula](PetscReal t, PetscReal until, const Vec3& X) {
    return formula.next_rough_time(t, until, X);
  };
  return course;
}

Field scalar(ScalarField load) {
  return [load = std::move(load)](PetscReal t, const Vec3& X) { return Vec3{load(t, X), 0, 0}; };
}

}  // namespace

TimeHistory course_of(std::string_view face, Field load, bool steady) {
  TimeHistory course;
  course.face = face;
  course.value = std::move(load);
  course.steady = steady;
  return course;
}

TimeHistory course_of(std::string_view face, ScalarField load, bool steady) {
  return course_of(face, scalar(std::move(load)), steady);
}

TimeHistory course_of(std::string_view face, const VectorExpression& load) {
  return formula_of(face, load, load.field());
}

TimeHistory course_of(std::string_view face, const Expression& load) { return formula_of(face, load, scalar(load)); }

TimeHistory course_of_motion(std::string_view face, const VectorExpression& motion) {
  TimeHistory course =
      formula_of(face, motion, [motion = motion.motion()](PetscReal t, const Vec3& X) { return motion(t, X).g_tt; });
  course.moves = true;
  return course;
}

TimeHistory course_of_motion(std::string_view face, Motion motion) {
  TimeHistory course = course_of(
      face, [motion = std::move(motion)](PetscReal t, const Vec3& X) { return motion(t, X).g_tt; }, false);
  course.moves = true;
  return course;
}

void LoadTimes::set_up(const Space& space) {
  for (Given& given : given_) {
    given.places = farthest(space, given.course.face);
    if (!given.course.depends_on_place && !given.places.empty())
      given.places.erase(given.places.begin() + 1, given.places.end());
  }
}

std::optional<Break> LoadTimes::next_break(PetscReal t, PetscReal until) const {
  std::optional<RoughTime> first;
  for (const Given& given : given_) {
    const TimeHistory& course = given.course;
    if (!course.next_rough_time) continue;
    // A prescribed motion acts as a load through its acceleration.
    for (const Vec3& X : given.places) {
      std::optional<RoughTime> next = course.next_rough_time(t, until, X);
      if (next && course.moves) next->derivative = std::max(0, next->derivative - 2);
      if (next && !next->everywhere) next->derivative = std::max(1, next->derivative);
      RoughTime::merge(first, next);
    }
  }
  if (!first) return std::nullopt;
  return Break{first->t, first->derivative == 0};
}

LoadTimes::Peaks LoadTimes::peaks(PetscReal t, PetscReal until) const {
  Peaks all;
  for (const Given& given : given_) {
    PetscReal largest = 0, sum = 0, when = t;
    for (int i = 0; i < most_samples; ++i) {
      const PetscReal at = t + (until - t) * (i + 0.5) / most_samples;
      PetscReal here = 0;
      for (const Vec3& X : given.places) here = std::max(here, norm(given.course.value(at, X)));
      sum += here;
      if (!(here > largest)) continue;
      largest = here;
      when = at;
    }
    if (!(largest > 0)) continue;
    all.duration = std::max(all.duration, sum / largest * (until - t) / most_samples);
    if (given.course.moves)
      all.acceleration = std::max(all.acceleration, largest);
    else
      all.times.push_back(when);
  }
  return all;
}

PetscReal LoadTimes::resolved_step(PetscReal t, PetscReal dt) const {
  // The longer a step is compared with the elapsed time, the larger the part of it that is new.
  const auto count =
      static_cast<std::size_t>(fewest_samples + (most_samples - fewest_samples) * dt / (std::abs(t) + dt));
  std::vector<Vec3> samples(count + 1);
  std::size_t longest = count;
  for (const Given& given : given_) {
    // A load may reach different places at different times, but its magnitude hardly differs between them.
    PetscReal largest = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (const Vec3& X : given.places) {
        for (int i = 0; pass == 0 && i < earlier; ++i)
          largest = std::max(largest, norm(given.course.value(t * i / earlier, X)));
        for (std::size_t i = 0; i <= count; ++i) {
          const PetscReal at = t + dt * static_cast<PetscReal>(i) / static_cast<PetscReal>(count);
          samples[i] = given.course.value(at, X);
          if (pass == 0) largest = std::max(largest, norm(samples[i]));
        }
        if (pass == 0 && given.places.size() > 1) continue;
        if (straight(samples, longest, resolved * largest)) continue;
        std::size_t good = 1;
        while (longest > good + 1) {
          const std::size_t middle = (good + longest) / 2;
          (straight(samples, middle, resolved * largest) ? good : longest) = middle;
        }
        longest = good;
      }
      if (given.places.size() <= 1) break;
    }
  }
  return longest == count ? dt : dt * static_cast<PetscReal>(longest) / static_cast<PetscReal>(count);
}

}  // namespace gearshift::solid
