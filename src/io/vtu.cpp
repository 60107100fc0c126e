#include <gearshift/io/folder.hpp>
#include <gearshift/io/vtu.hpp>

#include "io/vtk_cell.hpp"
#include "petsc/agree.hpp"
#include "petsc/durable.hpp"
#include "petsc/log.hpp"

#include <array>
#include <bit>
#include <cstdio>

namespace gearshift::io {
namespace {

const char* byte_order() { return std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian"; }

std::string opening(const char* type) {
  return std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"") + type + "\" version=\"2.2\" byte_order=\"" +
         byte_order() + "\" header_type=\"UInt64\">\n";
}

/// The XML descriptions and the binary data of arrays, which stand in two parts of the file.
class Appended {
 public:
  template <class T>
  std::string array(const std::string& attributes, const std::vector<T>& data) {
    const std::uint64_t bytes = data.size() * sizeof(T);
    const std::string tag =
        "<DataArray " + attributes + " format=\"appended\" offset=\"" + std::to_string(data_.size()) + "\"/>\n";
    data_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    data_.append(reinterpret_cast<const char*>(data.data()), bytes);
    return tag;
  }
  const std::string& data() const { return data_; }

 private:
  std::string data_;
};

/// VTK's names for the components of a symmetric tensor.
constexpr std::array symmetric_names{"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

std::string attributes(const char* name, int components) {
  std::string text =
      std::string("type=\"Float64\" Name=\"") + name + "\" NumberOfComponents=\"" + std::to_string(components) + "\"";
  if (components == 6)
    for (std::size_t i = 0; i < symmetric_names.size(); ++i)
      text += " ComponentName" + std::to_string(i) + "=\"" + symmetric_names[i] + "\"";
  return text;
}

/// The opening tag of what stands at points: readers take the first vector field for the active one.
std::string point_data(const char* tag, std::span<const VtuWriter::PointField> fields) {
  for (const VtuWriter::PointField& field : fields)
    if (field.components == 3) return std::string("<") + tag + " Vectors=\"" + field.name + "\">\n";
  return std::string("<") + tag + ">\n";
}

std::string cell_attributes(const char* name) { return std::string("type=\"Int32\" Name=\"") + name + "\""; }

}  // namespace

VtuWriter::VtuWriter(const solid::Space& space, solid::NodePlaces places) : space_(space), places_(std::move(places)) {
  points_.resize(3 * places_.size());
  for (const solid::CellBlock& block : space.blocks()) {
    const VtkCell& kind = kinds_.emplace_back(block.element);
    for (PetscInt cell = block.first; cell < block.last; ++cell) add_cell(cell, kind);
  }
}

VtuWriter::~VtuWriter() = default;

void VtuWriter::add_cell(PetscInt cell, const VtkCell& kind) {
  const auto places = places_.cell_places(cell);
  const std::size_t first = connectivity_.size();
  connectivity_.resize(first + places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const solid::Vec3 X = space_.position(cell, kind.equidistant[i]);
    for (std::size_t c = 0; c < 3; ++c) points_[3 * static_cast<std::size_t>(places[i]) + c] = X[c];
    connectivity_[first + static_cast<std::size_t>(kind.order[i])] = places[i];
  }
  offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
  types_.push_back(kind.type);
}

std::vector<double> VtuWriter::at_vtk_nodes(const PointField& field) const {
  const auto components = static_cast<std::size_t>(field.components);
  std::vector<double> at_places(components * places_.size()), moved(at_places.size());
  if (field.values) {
    std::vector<double> nodal(3 * static_cast<std::size_t>(space_.local_nodes()));
    space_.global_to_local_begin(field.values, nodal.data());
    space_.global_to_local_end(field.values, nodal.data());
    for (std::size_t place = 0; place < places_.size(); ++place)
      for (std::size_t c = 0; c < 3; ++c)
        at_places[3 * place + c] = nodal[3 * static_cast<std::size_t>(places_.nodes()[place]) + c];
  }
  const std::span<const double> known = field.values ? std::span<const double>(at_places) : field.at_places;
  std::vector<double> in_cell, work;
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const auto places = places_.cell_places(cell);
    in_cell.resize(components * places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t c = 0; c < components; ++c)
        in_cell[components * i + c] = known[components * static_cast<std::size_t>(places[i]) + c];
    kinds_[space_.block_of(cell)].transform(components, in_cell, work);
    // Cells that share a place find the same value for it: a polynomial on a common face has one continuation.
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t c = 0; c < components; ++c)
        moved[components * static_cast<std::size_t>(places[i]) + c] = in_cell[components * i + c];
  }
  return moved;
}

std::string VtuWriter::piece(const std::vector<std::vector<double>>& values, std::span<const PointField> fields,
                             std::span<const CellField> cell_fields) const {
  Appended appended;
  std::string text = opening("UnstructuredGrid") + "<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
                     std::to_string(points_.size() / 3) + "\" NumberOfCells=\"" + std::to_string(types_.size()) +
                     "\">\n" + point_data("PointData", fields);
  for (std::size_t i = 0; i < fields.size(); ++i)
    text += appended.array(attributes(fields[i].name, fields[i].components), values[i]);
  text += "</PointData>\n";
  if (!cell_fields.empty()) {
    text += "<CellData>\n";
    for (const CellField& field : cell_fields)
      text += appended.array(cell_attributes(field.name),
                             std::vector<std::int32_t>(field.values.begin(), field.values.end()));
    text += "</CellData>\n";
  }
  text += "<Points>\n" + appended.array(attributes("Points", 3), points_);
  text += "</Points>\n<Cells>\n" + appended.array("type=\"Int64\" Name=\"connectivity\"", connectivity_);
  text += appended.array("type=\"Int64\" Name=\"offsets\"", offsets_);
  text += appended.array("type=\"UInt8\" Name=\"types\"", types_);
  text += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  return text + appended.data() + "\n</AppendedData>\n</VTKFile>\n";
}

std::string VtuWriter::write(const std::filesystem::path& folder, const std::string& name,
                             std::span<const PointField> fields, std::span<const CellField> cell_fields) const {
  const petsc::ScopedEvent event(petsc::Event::output);
  std::vector<std::vector<double>> values;
  for (const PointField& field : fields) values.push_back(at_vtk_nodes(field));

  int rank = 0, size = 1;
  MPI_Comm_rank(space_.comm(), &rank);
  MPI_Comm_size(space_.comm(), &size);
  const auto piece_name = [&](int r) {
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "_%04d.vtu", r);
    return size == 1 ? name + ".vtu" : name + number.data();
  };
  const char has_cells = space_.cells() > 0;
  std::vector<char> with_cells(static_cast<std::size_t>(size));
  MPI_Allgather(&has_cells, 1, MPI_CHAR, with_cells.data(), 1, MPI_CHAR, space_.comm());

  const std::string file = size == 1 ? piece_name(0) : name + ".pvtu";
  const std::size_t before = unsynced_.size();
  const auto write = [&](const std::string& to, const std::string& text) {
    write_atomically(folder / to, text);
    unsynced_.push_back(folder / to);
  };
  try {
    throw_together(space_.comm(), petsc::failure_of([&] {
                     if (has_cells || size == 1) write(piece_name(rank), piece(values, fields, cell_fields));
                   }));
    if (size > 1) {
      std::string text =
          opening("PUnstructuredGrid") + "<PUnstructuredGrid GhostLevel=\"0\">\n" + point_data("PPointData", fields);
      for (const PointField& field : fields) text += "<PDataArray " + attributes(field.name, field.components) + "/>\n";
      text += "</PPointData>\n";
      if (!cell_fields.empty()) {
        text += "<PCellData>\n";
        for (const CellField& field : cell_fields) text += "<PDataArray " + cell_attributes(field.name) + "/>\n";
        text += "</PCellData>\n";
      }
      text += "<PPoints>\n<PDataArray " + attributes("Points", 3) + "/>\n</PPoints>\n";
      for (int r = 0; r < size; ++r)
        if (with_cells[static_cast<std::size_t>(r)]) text += "<Piece Source=\"" + piece_name(r) + "\"/>\n";
      petsc::on_first_rank(space_.comm(), [&] { write(file, text + "</PUnstructuredGrid>\n</VTKFile>\n"); });
    }
  } catch (const IoError&) {
    for (; unsynced_.size() > before; unsynced_.pop_back()) {
      std::error_code ignored;
      std::filesystem::remove(unsynced_.back(), ignored);
    }
    throw;
  }
  return file;
}

void VtuWriter::sync() {
  throw_together(space_.comm(), petsc::failure_of([&] {
                   for (const auto& file : unsynced_) petsc::File(file.string(), petsc::File::Mode::read).sync();
                   if (!unsynced_.empty()) petsc::sync_folder_of(unsynced_.back().string());
                 }));
  unsynced_.clear();
}

}  // namespace gearshift::io
