// Writes a checkpoint: the first rank creates the HDF5 file, and every rank writes its share of the Vecs into it.

#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/natural_order.hpp"
#include "dynamics/checkpoint/parts.hpp"
#include "dynamics/checkpoint/seal.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/files/durable.hpp"
#include "petsc/files/shared_hdf5.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"

#include <unistd.h>

#include <numeric>

namespace gearshift {
namespace {

using petsc::check;
using petsc::Hdf5File;

class Writer : public NaturalArchive {
 public:
  Writer(const CheckpointLayouts& layouts, const std::string& part) : NaturalArchive(layouts), shared_(comm_, part) {}

  bool loading() const override { return false; }

  void reals(std::string_view name, std::span<PetscReal> values) override {
    const std::string part = add(checkpoint::reals, name, static_cast<std::int64_t>(values.size()));
    shared_.define([&](Hdf5File& file) { file.write("/state/" + part, std::span<const double>(values)); });
  }

  void integers(std::string_view name, std::span<std::int64_t> values) override {
    const std::string part = add(checkpoint::integers, name, static_cast<std::int64_t>(values.size()));
    shared_.define([&](Hdf5File& file) { file.write("/state/" + part, std::span<const std::int64_t>(values)); });
  }

  void local(std::string_view name, std::span<PetscReal> values) override {
    const auto counts = petsc::gathered(comm_, std::vector{static_cast<std::int64_t>(values.size())});
    const std::int64_t first = std::accumulate(counts.begin(), counts.begin() + rank_, std::int64_t{0});
    const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const std::string part = add(checkpoint::local, name, total);
    shared_.define([&](Hdf5File& file) { file.write("/local/" + part, counts); });
    share(part, total, first, values);
  }

  /// Writes the header and the tables of the file, closes it and seals it. Throws IoError on all ranks if anything
  /// failed on any rank.
  void complete(Vec layout, CheckpointHeader header) {
    const PetscInt* ranges = nullptr;
    check(VecGetOwnershipRanges(layout, &ranges));
    header.words["format"] = checkpoint::format;
    header.words["instruction_set"] = checkpoint::instruction_set();
    header.words["options"] = checkpoint::given_options();
    header.integers["version"] = checkpoint::version;
    header.integers["ranks"] = size_;
    header.integers["unknowns"] = ranges[size_];
    header.integers["natural"] = order_.renumbered();
    header.integers["numbering"] = order_.fingerprint();
    std::int64_t length = 0;
    shared_.define([&](Hdf5File& file) {
      for (const auto& [key, value] : header.words) file.write("/header/words/" + key, value);
      for (const auto& [key, value] : header.integers) file.write("/header/integers/" + key, std::span(&value, 1));
      for (const auto& [key, value] : header.reals) file.write("/header/reals/" + key, std::span(&value, 1));
      file.write("/partition", std::vector<std::int64_t>(ranges, ranges + size_ + 1));
      file.write("/parts", parts_);
      length = file.complete([&](std::int64_t offset, std::span<const char> bytes) {
        shared_.file().write_at(offset, bytes.data(), bytes.size());
        add_piece(offset, bytes);
      });
    });
    if (rank_ != 0) shared_.attempt([&] { shared_.file().sync(); });
    shared_.require_success();
    petsc::broadcast(comm_, length);
    const std::uint64_t sum = petsc::reduced(comm_, MPI_BXOR, sum_of(pieces_, length));
    shared_.define([&](Hdf5File&) { append_seal(shared_.file(), length, sum); });
    shared_.attempt([&] { shared_.file().close(); });
    shared_.require_success();
  }

 private:
  /// Records the next part and returns its name in the file.
  std::string add(std::string_view kind, std::string_view name, std::int64_t count) {
    std::string part = names_.next(path(name));
    parts_ += std::string(kind) + " " + std::to_string(count) + " " + part + "\n";
    return part;
  }

  void ordered(std::string_view kind, std::string_view name, Vec natural) override {
    const PetscInt size = petsc::size_of(natural);
    const std::string part = add(kind, name, size);
    const PetscInt first = petsc::first_entry_of(natural);
    const petsc::ReadView view(natural);
    share(part, size, first, view.span());
  }

  /// Each rank writes its numbers, beginning at `first` of `total`.
  void share(const std::string& name, std::int64_t total, std::int64_t first, std::span<const double> mine) {
    const auto at = shared_.add(first, mine, [&](Hdf5File& file) { return file.reserve("/state/" + name, total); });
    if (at) add_piece(*at, {reinterpret_cast<const char*>(mine.data()), mine.size_bytes()});
  }

  /// Records a piece written by this rank.
  void add_piece(std::int64_t offset, std::span<const char> bytes) {
    pieces_.push_back({.offset = offset,
                       .length = static_cast<std::int64_t>(bytes.size()),
                       .sum = petsc::checksum(bytes.data(), bytes.size())});
  }

  petsc::SharedHdf5 shared_;
  checkpoint::PartNames names_;
  std::string parts_;
  std::vector<SealedPiece> pieces_;  // written by this rank
};

}  // namespace

void write_checkpoint(const CheckpointLayouts& layouts, const std::string& path,
                      const std::function<void(Archive&)>& visit, const CheckpointHeader& header) {
  const MPI_Comm comm = petsc::comm_of(layouts.motion);
  const std::string part = path + ".part";
  const int rank = petsc::rank_of(comm);
  try {
    Writer writer(layouts, part);
    visit(writer);
    writer.complete(layouts.motion, header);
    petsc::on_first_rank(comm, [&] { petsc::replace_keeping_previous(part, path); });
  } catch (const IoError& error) {
    if (rank == 0) (void)::unlink(part.c_str());
    throw IoError("the checkpoint '" + path + "' cannot be written: " + error.what());
  } catch (...) {
    if (rank == 0) (void)::unlink(part.c_str());
    throw;
  }
}

}  // namespace gearshift
