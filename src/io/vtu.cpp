#include <gearshift/io/folder.hpp>
#include <gearshift/io/vtu.hpp>

#include "petsc/agree.hpp"
#include "petsc/durable.hpp"
#include "petsc/log.hpp"

#include <array>
#include <bit>
#include <cstdio>

namespace gearshift::io {
namespace {

constexpr std::uint8_t lagrange_tetrahedron = 71, lagrange_hexahedron = 72;

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

std::string vector_attributes(const char* name) {
  return std::string("type=\"Float64\" Name=\"") + name + "\" NumberOfComponents=\"3\"";
}

/// out = (A x A x A) in for vectors of 3 components on n^3 nodes, one direction after the other.
void transform(const std::vector<double>& A, int n, std::vector<double>& values, std::vector<double>& work) {
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t stride = 1, direction = 0; direction < 3; ++direction, stride *= size) {
    work.assign(values.size(), 0.0);
    for (std::size_t node = 0; node < size * size * size; ++node) {
      const std::size_t row = node / stride % size, base = node - row * stride;
      for (std::size_t m = 0; m < size; ++m)
        for (std::size_t c = 0; c < 3; ++c)
          work[3 * node + c] += A[row * size + m] * values[3 * (base + m * stride) + c];
    }
    values.swap(work);
  }
}

/// out = A in for vectors of 3 components on the nodes of a cell.
void transform_whole(const std::vector<double>& A, std::vector<double>& values, std::vector<double>& work) {
  const std::size_t size = values.size() / 3;
  work.assign(values.size(), 0.0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t c = 0; c < 3; ++c) work[3 * i + c] += A[i * size + j] * values[3 * j + c];
  values.swap(work);
}

}  // namespace

int vtk_hexahedron_index(int i, int j, int k, int p) {
  const bool on_i = i == 0 || i == p, on_j = j == 0 || j == p, on_k = k == 0 || k == p;
  const int borders = on_i + on_j + on_k;
  const int m = p - 1;  // nodes inside an edge
  // Around the square 0-1-2-3 of VTK's linear hexahedron.
  const int corner = i != 0 ? (j != 0 ? 2 : 1) : (j != 0 ? 3 : 0);
  if (borders == 3) return corner + (k != 0 ? 4 : 0);
  int offset = 8;
  if (borders == 2) {
    if (!on_i) return offset + (i - 1) + (j != 0 ? 2 * m : 0) + (k != 0 ? 4 * m : 0);
    if (!on_j) return offset + (j - 1) + (i != 0 ? m : 3 * m) + (k != 0 ? 4 * m : 0);
    return offset + 8 * m + (k - 1) + m * corner;
  }
  offset += 12 * m;
  const int face = m * m;
  if (borders == 1) {
    if (on_i) return offset + (j - 1) + m * (k - 1) + (i != 0 ? face : 0);
    if (on_j) return offset + 2 * face + (i - 1) + m * (k - 1) + (j != 0 ? face : 0);
    return offset + 4 * face + (i - 1) + m * (j - 1) + (k != 0 ? face : 0);
  }
  return offset + 6 * face + (i - 1) + m * ((j - 1) + m * (k - 1));
}

int vtk_tetrahedron_index(int node, int p) {
  // Of Element's edges 01 02 03 12 13 23 and faces 023 013 012 123.
  static constexpr std::array<int, 6> edges{0, 2, 3, 1, 4, 5};
  static constexpr std::array<int, 4> faces{2, 0, 3, 1};
  if (node < 4) return node;
  const int inside = p - 1, edge = inside > 0 ? (node - 4) / inside : 0;
  if (edge >= 6) return 4 + 6 * inside + faces[static_cast<std::size_t>(node - 4 - 6 * inside)];
  const int i = (node - 4) % inside;
  const bool backwards = edge == 1;
  return 4 + inside * edges[static_cast<std::size_t>(edge)] + (backwards ? inside - 1 - i : i);
}

VtuWriter::VtuWriter(const solid::Space& space) : space_(space) {
  points_.resize(3 * static_cast<std::size_t>(space.local_nodes()));
  connectivity_.reserve(static_cast<std::size_t>(space.cells()) * space.element().nodes().size());
  space.element().kind() == solid::CellKind::hexahedron ? fill_hexahedra() : fill_tetrahedra();
}

void VtuWriter::fill_hexahedra() {
  const int p = space_.degree(), n = p + 1;
  const auto size = static_cast<std::size_t>(n);
  const auto position = [p](int i) { return 2.0 * i / p - 1.0; };
  to_equidistant_.resize(size * size);
  for (int i = 0; i < n; ++i)
    solid::lagrange(space_.basis().nodes, position(i), std::span(to_equidistant_).subspan(i * size, size));
  std::vector<solid::Vec3> equidistant;
  std::vector<int> order;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        equidistant.push_back({position(i), position(j), position(k)});
        order.push_back(vtk_hexahedron_index(i, j, k, p));
      }
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) add_cell(cell, equidistant, order);
  types_.assign(static_cast<std::size_t>(space_.cells()), lagrange_hexahedron);
}

void VtuWriter::fill_tetrahedra() {
  const auto& nodes = space_.element().nodes();
  const int p = space_.degree();
  std::vector<int> order;
  to_equidistant_.resize(nodes.size() * nodes.size());
  std::vector<solid::Vec3> equidistant = nodes;
  std::size_t node = 4;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b)
      for (int i = 1; i < p; ++i, ++node)
        for (std::size_t d = 0; d < 3; ++d) equidistant[node][d] = ((p - i) * nodes[a][d] + i * nodes[b][d]) / p;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    space_.shape_values(equidistant[i], std::span(to_equidistant_).subspan(i * nodes.size(), nodes.size()));
    order.push_back(vtk_tetrahedron_index(static_cast<int>(i), p));
  }
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) add_cell(cell, equidistant, order);
  types_.assign(static_cast<std::size_t>(space_.cells()), lagrange_tetrahedron);
}

void VtuWriter::add_cell(PetscInt cell, std::span<const solid::Vec3> equidistant, std::span<const int> order) {
  const auto nodes = space_.cell_nodes(cell);
  const std::size_t first = connectivity_.size();
  connectivity_.resize(first + nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const solid::Vec3 X = space_.position(cell, equidistant[i]);
    for (std::size_t c = 0; c < 3; ++c) points_[3 * static_cast<std::size_t>(nodes[i]) + c] = X[c];
    connectivity_[first + static_cast<std::size_t>(order[i])] = nodes[i];
  }
  offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
}

std::vector<double> VtuWriter::at_vtk_nodes(Vec values) const {
  std::vector<double> nodal(3 * static_cast<std::size_t>(space_.local_nodes())), moved(nodal.size());
  space_.global_to_local_begin(values, nodal.data());
  space_.global_to_local_end(values, nodal.data());
  std::vector<double> in_cell(3 * static_cast<std::size_t>(space_.nodes_per_cell())), work;
  for (PetscInt cell = 0; cell < space_.cells(); ++cell) {
    const auto nodes = space_.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) in_cell[3 * i + c] = nodal[3 * static_cast<std::size_t>(nodes[i]) + c];
    if (space_.element().kind() == solid::CellKind::hexahedron)
      transform(to_equidistant_, space_.basis().n, in_cell, work);
    else
      transform_whole(to_equidistant_, in_cell, work);
    // Cells that share a node find the same value for it: a polynomial on a common face has one continuation.
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) moved[3 * static_cast<std::size_t>(nodes[i]) + c] = in_cell[3 * i + c];
  }
  return moved;
}

std::string VtuWriter::piece(const std::vector<std::vector<double>>& values, std::span<const PointField> fields) const {
  Appended appended;
  std::string text = opening("UnstructuredGrid") + "<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
                     std::to_string(points_.size() / 3) + "\" NumberOfCells=\"" + std::to_string(types_.size()) +
                     "\">\n<PointData Vectors=\"" + (fields.empty() ? "" : fields[0].name) + "\">\n";
  for (std::size_t i = 0; i < fields.size(); ++i) text += appended.array(vector_attributes(fields[i].name), values[i]);
  text += "</PointData>\n<Points>\n" + appended.array(vector_attributes("Points"), points_);
  text += "</Points>\n<Cells>\n" + appended.array("type=\"Int64\" Name=\"connectivity\"", connectivity_);
  text += appended.array("type=\"Int64\" Name=\"offsets\"", offsets_);
  text += appended.array("type=\"UInt8\" Name=\"types\"", types_);
  text += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  return text + appended.data() + "\n</AppendedData>\n</VTKFile>\n";
}

std::string VtuWriter::write(const std::filesystem::path& folder, const std::string& name,
                             std::span<const PointField> fields) const {
  const petsc::ScopedEvent event(petsc::Event::output);
  std::vector<std::vector<double>> values;
  for (const PointField& field : fields) values.push_back(at_vtk_nodes(field.values));

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
                     if (has_cells || size == 1) write(piece_name(rank), piece(values, fields));
                   }));
    if (size > 1) {
      std::string text = opening("PUnstructuredGrid") + "<PUnstructuredGrid GhostLevel=\"0\">\n<PPointData Vectors=\"" +
                         (fields.empty() ? "" : fields[0].name) + "\">\n";
      for (const PointField& field : fields) text += "<PDataArray " + vector_attributes(field.name) + "/>\n";
      text += "</PPointData>\n<PPoints>\n<PDataArray " + vector_attributes("Points") + "/>\n</PPoints>\n";
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
