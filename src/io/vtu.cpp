#include <gearshift/io/folder.hpp>
#include <gearshift/io/vtu.hpp>

#include "io/vtk_grid.hpp"
#include "petsc/ranks/agree.hpp"

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

/// The XML descriptions of arrays and their binary data, in two separate parts of the file.
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

/// Returns the opening tag of point data. Readers use the first vector field as the active one.
std::string point_data(const char* tag, std::span<const VtuWriter::PointField> fields) {
  for (const VtuWriter::PointField& field : fields)
    if (field.components == 3) return std::string("<") + tag + " Vectors=\"" + field.name + "\">\n";
  return std::string("<") + tag + ">\n";
}

std::string cell_attributes(const VtuWriter::CellField& field) {
  const char* const type = field.values.index() == 0 ? "Int32" : "Float64";
  return std::string("type=\"") + type + "\" Name=\"" + field.name + "\"";
}

}  // namespace

std::string VtuWriter::piece(const std::vector<std::vector<double>>& values, std::span<const PointField> fields,
                             std::span<const CellField> cell_fields) const {
  Appended appended;
  std::string text = opening("UnstructuredGrid") + "<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
                     std::to_string(grid().points.size() / 3) + "\" NumberOfCells=\"" +
                     std::to_string(grid().types.size()) + "\">\n" + point_data("PointData", fields);
  for (std::size_t i = 0; i < fields.size(); ++i)
    text += appended.array(attributes(fields[i].name, fields[i].components), values[i]);
  text += "</PointData>\n";
  if (!cell_fields.empty()) {
    text += "<CellData>\n";
    for (const CellField& field : cell_fields)
      std::visit(
          [&]<class T>(std::span<const T> mine) {
            using Written = std::conditional_t<std::is_same_v<T, int>, std::int32_t, T>;
            text += appended.array(cell_attributes(field), std::vector<Written>(mine.begin(), mine.end()));
          },
          field.values);
    text += "</CellData>\n";
  }
  text += "<Points>\n" + appended.array(attributes("Points", 3), grid().points);
  text += "</Points>\n<Cells>\n" + appended.array("type=\"Int64\" Name=\"connectivity\"", grid().connectivity);
  text += appended.array("type=\"Int64\" Name=\"offsets\"", grid().offsets);
  text += appended.array("type=\"UInt8\" Name=\"types\"", grid().types);
  text += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  return text + appended.data() + "\n</AppendedData>\n</VTKFile>\n";
}

std::string VtuWriter::write_files(const std::filesystem::path& folder, const std::string& name,
                                   std::span<const PointField> fields, std::span<const CellField> cell_fields,
                                   std::vector<std::filesystem::path>& written) const {
  std::vector<std::vector<double>> values;
  for (const PointField& field : fields) values.push_back(grid().at_points(field));

  const solid::Space& space = grid().space;
  const int rank = petsc::rank_of(space.comm());
  const int size = petsc::ranks_of(space.comm());
  const auto piece_name = [&](int r) {
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "_%04d.vtu", r);
    return size == 1 ? name + ".vtu" : name + number.data();
  };
  const char has_cells = space.cells() > 0;
  std::vector<char> with_cells(static_cast<std::size_t>(size));
  MPI_Allgather(&has_cells, 1, MPI_CHAR, with_cells.data(), 1, MPI_CHAR, space.comm());

  const std::string file = size == 1 ? piece_name(0) : name + ".pvtu";
  const auto write = [&](const std::string& to, const std::string& text) {
    write_atomically(folder / to, text);
    written.push_back(folder / to);
  };
  throw_together(space.comm(), petsc::failure_of([&] {
                   if (has_cells || size == 1) write(piece_name(rank), piece(values, fields, cell_fields));
                 }));
  if (size == 1) return file;
  std::string text =
      opening("PUnstructuredGrid") + "<PUnstructuredGrid GhostLevel=\"0\">\n" + point_data("PPointData", fields);
  for (const PointField& field : fields) text += "<PDataArray " + attributes(field.name, field.components) + "/>\n";
  text += "</PPointData>\n";
  if (!cell_fields.empty()) {
    text += "<PCellData>\n";
    for (const CellField& field : cell_fields) text += "<PDataArray " + cell_attributes(field) + "/>\n";
    text += "</PCellData>\n";
  }
  text += "<PPoints>\n<PDataArray " + attributes("Points", 3) + "/>\n</PPoints>\n";
  for (int r = 0; r < size; ++r)
    if (with_cells[static_cast<std::size_t>(r)]) text += "<Piece Source=\"" + piece_name(r) + "\"/>\n";
  petsc::on_first_rank(space.comm(), [&] { write(file, text + "</PUnstructuredGrid>\n</VTKFile>\n"); });
  return file;
}

}  // namespace gearshift::io
