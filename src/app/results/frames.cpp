#include "app/results/frames.hpp"

#include <gearshift/io/folder.hpp>

#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <cstdio>

namespace gearshift::app {
namespace fs = std::filesystem;
namespace {

constexpr std::array extensions{".vtu", ".pvtu", ".vtkhdf"};

std::size_t index(io::FrameFormat format) { return static_cast<std::size_t>(format); }

}  // namespace

Frames::Frames(const ResultSettings& given, Along along, const solid::Body& body, Fields& fields,
               const fs::path& folder)
    : comm_(body.space().comm()),
      errors_(comm_, given.on_write_error),
      along_(along),
      every_(given.frames_every),
      times_(given.frame_times),
      format_(given.frame_format),
      names_(given.fields),
      fields_(fields),
      folder_(folder),
      writer_(io::FrameWriter::make(format_, body.space(), fields_.places())),
      series_(comm_, folder / io::series_file(format_, "solution")) {
  if (given.writes_frames()) io::prepare_folder(comm_, folder_ / "solution");
}

void Frames::write(PetscInt step, PetscReal t, const Stepper& stepper, bool last) {
  if (every_ == 0 && times_.empty()) return;
  bool due = last || (every_ > 0 && step % every_ == 0);
  PetscReal at = t;
  if (!times_.empty()) {
    for (const PetscReal between : times_.between(reached_, t)) {
      if (FrameTimes::same(between, t)) {
        due = true;
        at = between;
      } else {
        add(step, between, stepper.state_at(between));
      }
    }
    reached_ = t;
  }
  if (!due || step == last_step_) return;
  last_step_ = step;
  add(step, at, stepper.end_of_step());
}

void Frames::add(PetscInt step, PetscReal t, const State& x) {
  fields_.update(x, along_ == Along::time && step > 0);
  peak_ = fields_.peak();
  if (peak_) peak_->t = t;
  errors_.attempt("this frame", [&] {
    series_.add(t, "solution/" + writer_->write(folder_ / "solution", name_of(step), fields_.of_points(names_),
                                                fields_.of_cells(names_)));
  });
}

std::string Frames::name_of(PetscInt step) const {
  std::array<char, 24> name{};
  const auto print = [&](PetscInt number) {
    std::snprintf(name.data(), name.size(), "%06ld", static_cast<long>(number));
    return std::string(name.data());
  };
  if (times_.empty()) return print(step);
  PetscInt number = static_cast<PetscInt>(series_.size());
  while (has(print(number))) ++number;  // frames of an earlier run that continued with other settings
  return print(number);
}

bool Frames::has(const std::string& name) const {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const char* extension) { return series_.has("solution/" + name + extension); });
}

void Frames::archive(Archive& state) {
  if (!state.loading()) writer_->sync();
  state("last_vtk", last_step_);
  io::FrameFormat format = format_;
  state("format", format);
  if (format != format_)
    throw OptionError(std::string("option -output_format: the frames so far are ") + frame_formats[index(format)] +
                      ", and this run would write " + frame_formats[index(format_)] +
                      "; continue with -output_format " + frame_formats[index(format)]);
  {
    const Archive::Group files(state, "solution");
    series_.archive(state);
  }
  if (state.loading()) remove_later();
}

/// Removes frames that the earlier run wrote after the checkpoint. The run rewrites most of them, but it may not reach
/// all times, such as the last one of a run that was stopped.
void Frames::remove_later() const {
  petsc::on_first_rank(comm_, [&] {
    if (!fs::exists(folder_ / "solution")) return;
    std::vector<fs::path> later;
    for (const auto& entry : fs::directory_iterator(folder_ / "solution")) {
      const std::string name = entry.path().filename().string(), stem = name.substr(0, name.find_first_of("_."));
      if (stem.empty() || stem.find_first_not_of("0123456789") != std::string::npos) continue;
      if (!has(stem)) later.push_back(entry.path());
    }
    for (const fs::path& file : later) fs::remove(file);
  });
}

}  // namespace gearshift::app
