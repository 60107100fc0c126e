// Reads a checkpoint: every rank reads its share of the Vecs; checkpoint_contents reads the rest.

#include "dynamics/checkpoint/contents.hpp"
#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/natural_order.hpp"
#include "dynamics/checkpoint/parts.hpp"
#include "dynamics/checkpoint/unfit_state.hpp"
#include "petsc/files/durable.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "petsc/text_of.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift {
namespace {

using checkpoint::Part;

class Reader : public NaturalArchive {
 public:
  Reader(const CheckpointLayouts& layouts, std::string name, checkpoint::Contents contents)
      : NaturalArchive(layouts), name_(std::move(name)), contents_(std::move(contents)) {
    auto& integers = contents_.header.integers;
    const PetscInt unknowns = petsc::size_of(layouts.motion);
    if (integers["unknowns"] != unknowns)
      throw IoError(does_not_fit() + "it holds " + std::to_string(integers["unknowns"]) +
                    " unknowns, but this model has " + std::to_string(unknowns) +
                    ": use the mesh and the degree with which it was written");
    if (integers["natural"] != static_cast<std::int64_t>(order_.renumbered()))
      throw IoError(does_not_fit() + "its unknowns are numbered differently");
    same_ranks_ = integers["ranks"] == size_ && integers["numbering"] == order_.fingerprint();
    petsc::throw_together(comm_, petsc::failure_of([&] { file_ = petsc::File(name_, petsc::File::Mode::read); }));
  }

  bool loading() const override { return true; }

  void reals(std::string_view name, std::span<PetscReal> values) override {
    expect(checkpoint::reals, names_.next(path(name)), static_cast<std::int64_t>(values.size()));
    std::copy_n(contents_.reals.begin() + real_, values.size(), values.begin());
    real_ += static_cast<std::ptrdiff_t>(values.size());
  }

  void integers(std::string_view name, std::span<std::int64_t> values) override {
    expect(checkpoint::integers, names_.next(path(name)), static_cast<std::int64_t>(values.size()));
    std::copy_n(contents_.integers.begin() + integer_, values.size(), values.begin());
    integer_ += static_cast<std::ptrdiff_t>(values.size());
  }

  void local(std::string_view name, std::span<PetscReal> values) override {
    std::int64_t total = 0;
    const auto mine = static_cast<std::int64_t>(values.size());
    MPI_Allreduce(&mine, &total, 1, MPI_INT64_T, MPI_SUM, comm_);
    const std::int64_t writers = contents_.header.integers["ranks"];
    if (!same_ranks_)
      throw IoError(does_not_fit() + "its part '" + path(name) + "' is kept per rank and was written on " +
                    petsc::count_of(writers, "rank") + (writers == size_ ? " with another partition" : "") +
                    "; read it with the ranks and the partition that wrote it, or start from the beginning");
    expect(checkpoint::local, names_.next(path(name)), total);
    const std::int64_t offset = next_integer();
    const auto counts = contents_.integers.begin() + integer_;
    integer_ += size_;
    const std::int64_t first = std::accumulate(counts, counts + rank_, std::int64_t{0});
    petsc::throw_together(comm_, counts[rank_] == mine
                                     ? read_share(offset, first, values)
                                     : does_not_fit() + "its part '" + path(name) + "' has " +
                                           std::to_string(counts[rank_]) + " numbers for rank " +
                                           std::to_string(rank_) + ", but this run has " + std::to_string(mine));
  }

  void expect_length(std::string_view name, std::int64_t length) override {
    const std::int64_t found = part_ < contents_.parts.size() ? contents_.parts[part_].count : 0;
    if (found != length)
      throw IoError(does_not_fit() + "its list '" + path(name) + "' has " + std::to_string(found) + " numbers, not " +
                    std::to_string(length));
  }

  void complete() const {
    if (part_ != contents_.parts.size())
      throw IoError(differs() + "its part '" + contents_.parts[part_].name + "' is not used here");
  }

 private:
  std::string does_not_fit() const { return "the checkpoint '" + name_ + "' does not fit: "; }

  /// Describes a file with other parts: usually those of a run with other options.
  std::string differs() const {
    std::string options;
    for (const std::string& change : changes_since(contents_.header)) options += (options.empty() ? "" : "; ") + change;
    return does_not_fit() +
           (options.empty() ? ""
                            : "the run that wrote it had other options (" + options + "); continue with its options: ");
  }

  /// Requires that this is the next part of the file. The result is the same on all ranks.
  void expect(std::string_view kind, const std::string& name, std::int64_t count) {
    if (part_ == contents_.parts.size()) throw IoError(differs() + "it ends before the part '" + name + "'");
    const Part& part = contents_.parts[part_++];
    if (part.name != name || part.kind != kind)
      throw IoError(differs() + "it has the part '" + part.name + "' (" + part.kind + ") where '" + name + "' (" +
                    std::string(kind) + ") is expected");
    if (part.count != count)
      throw IoError(does_not_fit() + "its part '" + name + "' has " + std::to_string(part.count) +
                    " numbers, but this run has " + std::to_string(count));
  }

  void ordered(std::string_view kind, std::string_view name, Vec natural) override {
    expect(kind, names_.next(path(name)), petsc::size_of(natural));
    const PetscInt first = petsc::first_entry_of(natural);
    const petsc::WriteView view(natural);
    petsc::throw_together(comm_, read_share(next_integer(), first, view.span()));
  }

  std::int64_t next_integer() { return contents_.integers.at(static_cast<std::size_t>(integer_++)); }

  std::string read_share(std::int64_t offset, std::int64_t first, std::span<double> mine) const {
    if (mine.empty()) return {};
    return petsc::failure_of([&] { file_.read_at(offset + first * 8, mine.data(), mine.size_bytes()); });
  }

  std::string name_;
  checkpoint::Contents contents_;
  checkpoint::PartNames names_;
  petsc::File file_;
  bool same_ranks_ = false;
  std::size_t part_ = 0;
  std::ptrdiff_t real_ = 0, integer_ = 0;
};

/// Returns the intact file to read; throws if there is none.
std::string sound_file(MPI_Comm comm, const std::string& path) {
  const std::string found = find_checkpoint(comm, path);
  if (found.empty()) throw IoError("there is no checkpoint '" + path + "' and no '" + path + ".previous'");
  const std::string damage = checkpoint_damage(comm, found);
  if (damage.empty()) return found;
  std::string text = "the checkpoint '" + found + "' is damaged: " + damage;
  const std::string previous = path + ".previous";
  if (found != previous) {
    const std::string other = find_checkpoint(comm, previous);
    if (other.empty())
      text += "; '" + previous + "' does not exist: start a new run";
    else if (checkpoint_damage(comm, previous).empty())
      text += "; the previous one, '" + previous + "', is intact: continue from it";
    else
      text += "; '" + previous + "' is damaged, too: start a new run";
  }
  throw IoError(text);
}

checkpoint::Contents read_sound_file(MPI_Comm comm, const std::string& name, bool whole) {
  checkpoint::Contents contents = checkpoint::read_contents(comm, name, whole);
  const auto& header = contents.header;
  const auto format = header.words.find("format");
  const auto version = header.integers.find("version");
  if (format == header.words.end() || format->second != checkpoint::format || version == header.integers.end())
    throw IoError("'" + name + "' is not a gearshift checkpoint");
  if (version->second != checkpoint::version)
    throw IoError("the checkpoint '" + name + "' has version " + std::to_string(version->second) +
                  " of the format, this program reads version " + std::to_string(checkpoint::version) +
                  ": continue with the gearshift version that wrote it" +
                  (version->second > checkpoint::version ? ", or a newer one" : ""));
  return contents;
}

}  // namespace

CheckpointHeader read_checkpoint_header(MPI_Comm comm, const std::string& path) {
  return read_sound_file(comm, sound_file(comm, path), false).header;
}

CheckpointHeader read_checkpoint(const CheckpointLayouts& layouts, const std::string& path,
                                 const std::function<void(Archive&)>& visit) {
  const MPI_Comm comm = petsc::comm_of(layouts.motion);
  const std::string name = sound_file(comm, path);
  checkpoint::Contents contents = read_sound_file(comm, name, true);
  CheckpointHeader header = contents.header;
  Reader reader(layouts, name, std::move(contents));
  try {
    visit(reader);
  } catch (const UnfitState& other) {
    throw IoError("the checkpoint '" + name + "' does not fit: " + other.what());
  }
  reader.complete();
  return header;
}

}  // namespace gearshift
