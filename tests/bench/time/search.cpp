/// A search over random linear systems with exact solutions: prints one line per run. See README.md.

#include "search.hpp"

#include <gearshift/petsc/session.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

constexpr const char* help =
    "Random linear systems with exact solutions: work and error of time integrators, one tab-separated line a run.\n"
    "  --systems n         how many (200)            --first i            from number i on (0)\n"
    "  --seed s            of the systems (1)        --solvers a,b        gear,bdf,sdirk,cvode,cvode2 (all)\n"
    "  --tolerances a,b    (1e-2,1e-3,1e-4,1e-5,1e-6; CVODE and sdirk without it: half decades, CVODE to 1e-8)\n"
    "  --half-decades      for the others too        --atol-v default|scale  gearshift's default, or tol max|v| "
    "(default)\n"
    "  --limit n           linear solves of a run (100000)  --outputs n       output times (256)\n"
    "  --define name 'o'   a further solver: gearshift with options o, to be named in --solvers\n"
    "  --describe          the systems, nothing else\n"
    "All other options go to gearshift's runs and win over those of the solver: -gear_guard false ...\n";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// Returns true if the value is the second of two words; other words are errors.
bool one_of(const std::string& key, const std::string& value, const char* first, const char* second) {
  if (value != first && value != second) throw gearshift::OptionError(key + " is " + first + " or " + second);
  return value == second;
}

struct Arguments {
  unsigned long systems = 200, first = 0, seed = 1;
  long limit = 100000;
  std::size_t outputs = 256;
  std::vector<std::string> solvers{"gear", "bdf", "sdirk", "cvode", "cvode2"};
  std::vector<double> tolerances;
  bool half_decades = false, scaled_atol_v = false, describe = false;
  std::map<std::string, std::string> defined{{"gear", "-gear_adapt order"},
                                             {"bdf", "-gear_adapt order -gear_family bdf"},
                                             {"sdirk", "-gear_adapt order -gear_family sdirk"}};

  /// Removes this program's own arguments from argv.
  Arguments(int& argc, char** argv) {
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
      const std::string key = argv[i];
      const auto value = [&]() -> std::string {
        if (i + 1 >= argc) throw gearshift::OptionError(key + " needs a value");
        return argv[++i];
      };
      if (key == "--systems")
        systems = std::stoul(value());
      else if (key == "--first")
        first = std::stoul(value());
      else if (key == "--seed")
        seed = std::stoul(value());
      else if (key == "--limit")
        limit = std::stol(value());
      else if (key == "--outputs")
        outputs = std::stoul(value());
      else if (key == "--solvers")
        solvers = split(value());
      else if (key == "--tolerances")
        for (const auto& text : split(value())) tolerances.push_back(std::stod(text));
      else if (key == "--half-decades")
        half_decades = true;
      else if (key == "--atol-v")
        scaled_atol_v = one_of(key, value(), "default", "scale");
      else if (key == "--define") {
        const std::string name = value();
        defined[name] = value();
      } else if (key == "--describe")
        describe = true;
      else if (key.starts_with("--"))
        throw gearshift::OptionError("no option is called " + key + "; see -help");
      else
        argv[kept++] = argv[i];
    }
    argc = kept;
  }

  std::vector<double> grid(const std::string& solver) const {
    if (!tolerances.empty()) return tolerances;
    const bool cvode = solver.starts_with("cvode"), fine = cvode || solver == "sdirk" || half_decades;
    std::vector<double> all;
    for (int i = 4; i <= (cvode ? 16 : 12); i += fine ? 1 : 2)
      all.push_back(i % 2 == 0 ? std::stod("1e-" + std::to_string(i / 2)) : std::pow(10, -i / 2.0));
    return all;
  }
};

/// Returns the largest error over the outputs; infinite for a run that did not reach the end.
double error(const bench::SearchSystem& system, const bench::SearchSettings& settings, const bench::SearchRun& run) {
  if (run.q.size() < settings.times.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  Eigen::VectorXd q, v;
  for (std::size_t i = 0; i < run.q.size(); ++i) {
    system.exact(settings.times[i], q, v);
    const double here = (run.q[i] - q).lpNorm<Eigen::Infinity>();
    largest = here <= largest ? largest : here;
  }
  return largest / settings.scale_q;
}

/// Returns 1 + the largest energy above the exact one over the energy at the start; -1 if a load does work.
double growth(const bench::SearchSystem& system, const bench::SearchSettings& settings, const bench::SearchRun& run) {
  if (!system.free()) return -1;
  Eigen::VectorXd q, v;
  system.exact(0, q, v);
  const double initial = system.energy(q, v);
  double most = 0;
  for (std::size_t i = 0; i < run.q.size(); ++i) {
    system.exact(settings.times[i], q, v);
    most = std::max(most, system.energy(run.q[i], run.v[i]) - system.energy(q, v));
  }
  return 1 + most / initial;
}

void set_scales(const bench::SearchSystem& system, std::size_t outputs, bench::SearchSettings& settings) {
  settings.scale_q = settings.scale_v = 0;
  settings.times.clear();
  Eigen::VectorXd q, v;
  for (std::size_t i = 0; i <= outputs; ++i) {
    const double t = i == outputs ? system.end : system.end * static_cast<double>(i) / static_cast<double>(outputs);
    if (i > 0) settings.times.push_back(t);
    system.exact(t, q, v);
    settings.scale_q = std::max(settings.scale_q, q.lpNorm<Eigen::Infinity>());
    settings.scale_v = std::max(settings.scale_v, v.lpNorm<Eigen::Infinity>());
  }
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

void describe(const bench::SearchSystem& system) {
  for (const bench::Mode& mode : system.modes())
    std::printf("%lu\t%lu\t%s\tw %.6g zeta %.4g z0 %.3g v0 %.3g load %.3g at %.4g\tend %.6g\n", system.seed,
                system.index, system.kind.c_str(), mode.frequency, mode.damping, mode.z0, mode.v0, mode.load,
                mode.load_frequency, system.end);
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments(argc, argv);
  gearshift::Session session(argc, argv, help);
  return session.run([&](MPI_Comm) {
    if (!arguments.describe)
      std::printf(
          "#seed\tsystem\tkind\tn\tzeta_min\tzeta_max\tratio\tfast\tperiods\tload\tsolver\ttol\tsteps\trejected\t"
          "solves\tforces\tproducts\terror\tgrowth\tstatus\tcpu\tnote\n");
    for (unsigned long i = arguments.first; i < arguments.first + arguments.systems; ++i) {
      const bench::SearchSystem system(arguments.seed, i);
      if (arguments.describe) {
        describe(system);
        continue;
      }
      bench::SearchSettings settings;
      settings.scaled_atol_v = arguments.scaled_atol_v;
      settings.limit = arguments.limit;
      set_scales(system, arguments.outputs, settings);
      for (const std::string& solver : arguments.solvers) {
        settings.solver = solver;
        const bool cvode = solver == "cvode" || solver == "cvode2";
        if (!cvode && !arguments.defined.contains(solver))
          throw gearshift::OptionError("no solver is called " + solver + "; see --define");
        settings.options = solver == "cvode" ? "5" : cvode ? "2" : arguments.defined.at(solver);
        bool given_up = false;
        for (const double tolerance : arguments.grid(solver)) {
          settings.tolerance = tolerance;
          // At order 2 a tighter tolerance only takes more steps.
          if (given_up && solver == "cvode2") break;
          const bench::SearchRun run =
              cvode ? bench::search_cvode(system, settings) : bench::search_gear(system, settings, argc - 1, argv + 1);
          given_up = run.status == "limit";
          std::printf(
              "%lu\t%lu\t%s\t%d\t%.4g\t%.4g\t%.4g\t%.3g\t%.3g\t%s\t%s\t%.4g\t%ld\t%ld\t%ld\t%ld\t%ld\t%.4g\t%.6g\t"
              "%s\t%.4f\t%s\n",
              system.seed, system.index, system.kind.c_str(), system.size(), system.least_damping(),
              system.max_damping(), system.frequency_ratio(), system.fast_amplitude(), system.periods,
              system.free() ? "free" : "loaded", solver.c_str(), tolerance, run.steps, run.rejected, run.solves,
              run.forces, run.products, error(system, settings, run), growth(system, settings, run), run.status.c_str(),
              run.cpu, one_line(run.note).c_str());
          std::fflush(stdout);
        }
      }
    }
  });
} catch (const std::invalid_argument&) {
  std::fprintf(stderr, "error: the value of an option is not a number; -help lists the options\n");
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
