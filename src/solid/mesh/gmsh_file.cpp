#include "solid/mesh/gmsh_file.hpp"

#include "solid/mesh/gmsh/check.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <new>

namespace gearshift::solid {
namespace {

std::string remark_on_bodies(const GmshVerdict& verdict) {
  constexpr std::size_t shown = 5;
  std::string cells;
  for (std::size_t i = 0; i < verdict.bodies.size() && i < shown; ++i)
    cells += (i > 0 ? ", " : "") + std::to_string(verdict.bodies[i]);
  if (verdict.bodies.size() > shown) cells += ", ...";
  std::string text =
      "the mesh has " + std::to_string(verdict.bodies.size()) + " bodies without a common node (" + cells + " cells)";
  if (verdict.coincident > 0)
    return text + ", and " + std::to_string(verdict.coincident) +
           " of their nodes coincide but are not connected; if the bodies should be joined, merge them into one mesh "
           "(gmsh: BooleanFragments before meshing, or Coherence Mesh)";
  return text + ": each needs separate supports, unless it should move freely";
}

/// Creates a temporary file of these bytes; returns null if it cannot be written.
std::shared_ptr<const std::string> temporary_file(const std::string& bytes) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "gearshift-XXXXXX.msh").string();
  const int descriptor = error ? -1 : mkstemps(path.data(), 4);
  if (descriptor < 0) return nullptr;
  close(descriptor);
  const std::shared_ptr<const std::string> file(new std::string(path), [](const std::string* name) {
    unlink(name->c_str());
    delete name;
  });
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  return out ? file : nullptr;
}

}  // namespace

bool is_gmsh_file(const std::string& path) {
  return path.ends_with(".msh") || path.ends_with(".msh2") || path.ends_with(".msh4");
}

FileReport check_file(const std::string& path, std::int64_t max_index) {
  FileReport report;
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  const bool regular = std::filesystem::is_regular_file(path, error);
  const std::uintmax_t size = regular ? std::filesystem::file_size(path, error) : 0;
  if (!file || error || !regular) {
    report.refusal = "mesh file '" + path + "' cannot be opened; check -dm_plex_filename and the working directory";
  } else if (size == 0) {
    report.refusal = "mesh file '" + path + "' is empty; check -dm_plex_filename";
  }
  if (!report.refusal.empty() || !is_gmsh_file(path)) return report;
  const std::unique_ptr<char[]> bytes(new (std::nothrow) char[size]);
  if (!bytes) {
    report.refusal =
        "mesh file '" + path + "' has " + std::to_string(size) +
        " bytes, more than the memory of the first rank; use a machine with more memory, or a coarser mesh";
    return report;
  }
  file.read(bytes.get(), static_cast<std::streamsize>(size));
  const GmshVerdict verdict = check_gmsh({bytes.get(), static_cast<std::size_t>(file.gcount())}, max_index);
  if (!verdict.refusal.empty()) report.refusal = "mesh file '" + path + "' cannot be read: " + verdict.refusal;
  report.periodic = verdict.periodic;
  report.remarks = verdict.remarks;
  report.wedges = verdict.wedges;
  report.second_order = verdict.second_order;
  report.content = verdict.content;
  if (!verdict.rewritten.empty() && !(report.instead = temporary_file(verdict.rewritten)))
    report.refusal = "mesh file '" + path +
                     "' has to be rewritten for PETSc's reader, and the copy cannot be written; set TMPDIR to a folder "
                     "with free space";
  if (verdict.bodies.size() > 1) report.remarks.push_back(remark_on_bodies(verdict));
  return report;
}

}  // namespace gearshift::solid
