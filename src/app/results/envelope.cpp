#include "app/results/envelope.hpp"

#include "app/results/greatest.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gearshift::app {
namespace {

using petsc::check;

const std::span<const char* const> possible = field_names(FieldUse::envelope);
constexpr double nothing_yet = std::numeric_limits<double>::lowest();

std::string list_of(std::int64_t set) {
  std::string list;
  for (std::size_t i = 0; i < possible.size(); ++i)
    if (set >> i & 1) list += (list.empty() ? "" : ",") + std::string(possible[i]);
  return list;
}

}  // namespace

Envelope::Envelope(const ResultSettings& given, const solid::Body& body, Fields& fields)
    : body_(body), fields_(fields), format_(given.frame_format), names_(given.envelope) {
  for (const char* name : possible)  // in the order of Fields::of_points()
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) records_.push_back({name, new_record()});
}

petsc::Handle<Vec> Envelope::new_record() const {
  petsc::Handle<Vec> record = petsc::duplicate(body_.space().layout());
  check(VecSet(record.get(), nothing_yet));
  return record;
}

/// Returns the magnitudes of vectors; for fields that may jump between cells, the largest value at the node over all
/// ranks.
std::vector<double> Envelope::at_owned_nodes(const io::FrameWriter::PointField& field) const {
  const solid::Space& space = body_.space();
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  std::vector<double> values;
  if (field.values) {
    const petsc::ReadView view(field.values);
    for (std::size_t i = 0; i < owned; ++i) values.push_back(std::hypot(view[3 * i], view[3 * i + 1], view[3 * i + 2]));
    return values;
  }
  values.assign(static_cast<std::size_t>(space.local_nodes()), nothing_yet);
  const auto nodes = fields_.places().nodes();
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    double& value = values[static_cast<std::size_t>(nodes[place])];
    value = std::max(value, field.at_places[place * static_cast<std::size_t>(field.components)]);
  }
  check(PetscSFReduceBegin(space.node_sf(), MPIU_REAL, values.data() + owned, values.data(), MPI_MAX));
  check(PetscSFReduceEnd(space.node_sf(), MPIU_REAL, values.data() + owned, values.data(), MPI_MAX));
  values.resize(owned);
  return values;
}

void Envelope::keep() {
  for (Record& record : records_) {
    if (!record.kept) record.kept = new_record();
    check(VecCopy(record.most.get(), record.kept.get()));
  }
  kept_last_ = last_;
}

void Envelope::go_back() {
  for (const Record& record : records_) check(VecCopy(record.kept.get(), record.most.get()));
  last_ = kept_last_;
}

void Envelope::update(PetscReal t, const State& x, bool moving) {
  if (empty() || t == last_) return;
  last_ = t;
  begun_ = true;
  fields_.update(x, moving);
  const auto fields = fields_.of_points(names_);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const auto values = at_owned_nodes(fields[i]);
    const petsc::WriteView most(records_[i].most.get());
    for (std::size_t node = 0; node < values.size(); ++node)
      if (values[node] > most[3 * node]) {
        most[3 * node] = values[node];
        most[3 * node + 1] = t;
      }
  }
}

void Envelope::archive(Archive& state) {
  const Archive::Group group(state, "envelope");
  std::int64_t own = 0;
  for (std::size_t i = 0; i < possible.size(); ++i)
    for (const Record& record : records_)
      if (std::string_view(record.name) == possible[i]) own |= std::int64_t{1} << i;
  std::int64_t kept = own;
  state("fields", kept);
  state("begun", begun_);
  if (own & ~kept)
    throw OptionError("option -envelope: the run so far has recorded " + (kept ? list_of(kept) : "nothing") +
                      ", so the values of " + list_of(own & ~kept) +
                      " before the checkpoint are not known; leave it out, or start again without the checkpoint");
  petsc::Handle<Vec> dropped;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    if (!(kept >> i & 1)) continue;
    const auto record = std::find_if(records_.begin(), records_.end(),
                                     [&](const Record& r) { return std::string_view(r.name) == possible[i]; });
    if (record == records_.end() && !dropped) dropped = new_record();
    state.vec(possible[i], record == records_.end() ? dropped.get() : record->most.get());
  }
}

void Envelope::write(const std::filesystem::path& folder) const {
  if (empty() || !begun_) return;
  const solid::Space& space = body_.space();
  const auto nodes = static_cast<std::size_t>(space.local_nodes());
  std::vector<std::string> titles;
  std::vector<std::vector<double>> values;
  std::vector<double> local(3 * nodes);
  for (const Record& record : records_) {
    space.node_exchange().global_to_local_begin(record.most.get(), local.data());
    space.node_exchange().global_to_local_end(record.most.get(), local.data());
    for (std::size_t c = 0; c < 2; ++c) {
      titles.push_back(std::string(record.name) + (c == 0 ? "_max" : "_time"));
      auto& own = values.emplace_back(nodes);
      for (std::size_t node = 0; node < nodes; ++node) own[node] = local[3 * node + c];
    }
  }
  std::vector<io::FrameWriter::PointField> fields;
  for (std::size_t i = 0; i < titles.size(); ++i)
    fields.push_back({.name = titles[i].c_str(), .at_places = values[i], .components = 1, .as_it_is = true});
  const auto writer = io::FrameWriter::make(format_, space, solid::NodePlaces(space));
  (void)writer->write(folder, "envelope", fields);
}

std::vector<Extreme> Envelope::extremes() const {
  std::vector<Extreme> found;
  if (!begun_) return found;
  const MPI_Comm comm = body_.space().comm();
  for (const Record& record : records_) {
    const petsc::ReadView most(record.most.get());
    std::vector<double> values;
    for (std::size_t i = 0; i < most.size(); i += 3) values.push_back(most[i]);
    const auto peak = greatest(comm, values);
    std::array<PetscReal, 4> when_and_where{};
    if (petsc::rank_of(comm) == peak->rank) {
      const solid::Vec3& X = body_.space().coordinates()[peak->at];
      when_and_where = {most[3 * peak->at + 1], X[0], X[1], X[2]};
    }
    MPI_Bcast(when_and_where.data(), 4, MPIU_REAL, peak->rank, comm);
    const auto& [t, x, y, z] = when_and_where;
    found.push_back({.name = record.name, .value = peak->value, .t = t, .X = {x, y, z}});
  }
  return found;
}

}  // namespace gearshift::app
