#include "petsc/files/hdf5_file.hpp"

#include <gearshift/petsc/error.hpp>

#if defined(GEARSHIFT_HAVE_HDF5)
#include <hdf5.h>
#endif

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <tuple>

namespace gearshift::petsc {

#if defined(GEARSHIFT_HAVE_HDF5)

namespace {

/// Suppresses HDF5's error output during its lifetime.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence& operator=(Silence&&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// An HDF5 identifier and the function that releases it.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Id() {
    if (id_ >= 0) (void)close_(id_);
  }
  Id& operator=(Id&&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: converts to the identifier on purpose

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Creates a file in memory (if the machine has such a folder). Only the written parts take up space. Returns the file
/// and its temporary path.
std::pair<File, std::string> file_in_memory(const std::string& name) {
  int descriptor = -1;
  std::string path;
  for (const std::string& folder : {std::string("/dev/shm"), std::filesystem::temp_directory_path().string()}) {
    if (descriptor >= 0) break;
    path = folder + "/gearshift-hdf5-XXXXXX";
    descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  }
  return {File::adopt(name, descriptor), path};
}

/// Returns the access properties of files: without HDF5's own locks, because not every file system supports them.
hid_t file_access() {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
  H5Pset_file_locking(access, false, true);
#endif
  return access;
}

hid_t type_of(Hdf5File::Number kind) {
  switch (kind) {
    case Hdf5File::Number::int64:
      return H5T_NATIVE_INT64;
    case Hdf5File::Number::int32:
      return H5T_NATIVE_INT32;
    case Hdf5File::Number::uint8:
      return H5T_NATIVE_UINT8;
    default:
      return H5T_NATIVE_DOUBLE;
  }
}

}  // namespace

struct Hdf5File::Impl {
  std::string name;
  File image;  // of a file under construction
  hid_t file = -1;
  std::vector<std::pair<std::int64_t, std::int64_t>> reserved;  // offset and length

  void require(bool good, const std::string& action) const {
    if (good) return;
    const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
    throw IoError(action + " in '" + name + "' failed" + reason);
  }

  /// Throws before HDF5 allocates anything beyond the writable part of the file: the size limit of the process applies
  /// to files in memory as well.
  void check_limit(std::size_t bytes) const {
    constexpr rlim_t margin = 1 << 16;
    rlimit limit{};
    hsize_t size = 0;
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    if (file >= 0) (void)H5Fget_filesize(file, &size);
    if (size + bytes + margin > limit.rlim_cur)
      throw IoError("file " + name + " would exceed the size limit for files (ulimit -f)");
  }

  Id dataset(const std::string& path, hid_t type, hid_t space, bool early) const {
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), made(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_obj_track_times(made, false);  // equal states give equal files
    if (early) {
      H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY);
      H5Pset_fill_time(made, H5D_FILL_TIME_NEVER);
    }
    errno = 0;
    return {H5Dcreate2(file, path.c_str(), type, space, links, made, H5P_DEFAULT), H5Dclose};
  }

  void write(const std::string& path, hid_t type, std::size_t count, const void* values) const {
    const Silence silence;
    check_limit(count * H5Tget_size(type));
    const hsize_t size = count;
    const Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Id set = dataset(path, type, space, false);
    require(set >= 0 && (count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0),
            "writing '" + path + "'");
  }

  void attribute(const std::string& object, const std::string& key, hid_t type, hid_t space, const void* value) const {
    errno = 0;
    const Id set(
        H5Acreate_by_name(file, object.c_str(), key.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    require(set >= 0 && H5Awrite(set, type, value) >= 0, "writing the attribute '" + key + "' of '" + object + "'");
  }

  template <class T>
  std::vector<T> read(const std::string& path, hid_t type) const {
    const Silence silence;
    errno = 0;
    const Id set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
    require(set >= 0, "opening '" + path + "'");
    const Id stored(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    require(H5Tequal(stored, type) > 0, "reading the numbers of '" + path + "' (written on another machine?)");
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    require(values.empty() || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
            "reading '" + path + "'");
    return values;
  }
};

Hdf5File::Hdf5File() : impl_(std::make_unique<Impl>()) {}

Hdf5File::~Hdf5File() {
  const Silence silence;
  if (impl_ && impl_->file >= 0) (void)H5Fclose(impl_->file);
}

Hdf5File Hdf5File::create(const std::string& file) {
  const Silence silence;
  Hdf5File made;
  made.impl_->name = file;
  made.impl_->check_limit(0);
  std::string path;
  std::tie(made.impl_->image, path) = file_in_memory(file);
  const Id access(file_access(), H5Pclose), properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(properties, false);  // HDF5 2 stores times of the root group by default
  errno = 0;
  made.impl_->file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, access);
  const int error = errno;
  (void)::unlink(path.c_str());
  errno = error;
  made.impl_->require(made.impl_->file >= 0, "creating the HDF5 file");
  return made;
}

Hdf5File Hdf5File::open(const std::string& file) {
  const Silence silence;
  Hdf5File opened;
  opened.impl_->name = file;
  const Id access(file_access(), H5Pclose);
  errno = 0;
  opened.impl_->file = H5Fopen(file.c_str(), H5F_ACC_RDONLY, access);
  opened.impl_->require(opened.impl_->file >= 0, "opening the HDF5 file");
  return opened;
}

void Hdf5File::write(const std::string& name, std::span<const double> values) {
  impl_->write(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void Hdf5File::write(const std::string& name, std::span<const std::int64_t> values) {
  impl_->write(name, H5T_NATIVE_INT64, values.size(), values.data());
}

void Hdf5File::write(const std::string& name, const std::string& text) {
  const Silence silence;
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(1, text.size()));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  impl_->write(name, type, 1, text.c_str());
}

void Hdf5File::attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values) {
  const Silence silence;
  const hsize_t size = values.size();
  const Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  impl_->attribute(object, name, H5T_NATIVE_INT64, space, values.data());
}

void Hdf5File::attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Silence silence;
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, std::max<std::size_t>(1, text.size()));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  impl_->attribute(object, name, type, space, text.c_str());
}

std::int64_t Hdf5File::reserve(const std::string& name, Number kind, std::span<const std::int64_t> shape) {
  const Silence silence;
  const hid_t type = type_of(kind);
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  const std::int64_t count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  const std::int64_t bytes = count * static_cast<std::int64_t>(H5Tget_size(type));
  impl_->check_limit(static_cast<std::size_t>(bytes));
  const Id space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
  const Id set = impl_->dataset(name, type, space, true);
  impl_->require(set >= 0, "reserving space for '" + name + "'");
  if (count == 0) return 0;
  const haddr_t offset = H5Dget_offset(set);
  impl_->require(offset != HADDR_UNDEF, "reserving space for '" + name + "'");
  impl_->reserved.emplace_back(static_cast<std::int64_t>(offset), bytes);
  return static_cast<std::int64_t>(offset);
}

std::vector<double> Hdf5File::doubles(const std::string& name) const {
  return impl_->read<double>(name, H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> Hdf5File::integers(const std::string& name) const {
  return impl_->read<std::int64_t>(name, H5T_NATIVE_INT64);
}

std::string Hdf5File::text(const std::string& name) const {
  const Silence silence;
  errno = 0;
  const Id set(H5Dopen2(impl_->file, name.c_str(), H5P_DEFAULT), H5Dclose);
  impl_->require(set >= 0, "opening '" + name + "'");
  const Id type(H5Dget_type(set), H5Tclose);
  impl_->require(H5Tget_class(type) == H5T_STRING, "reading the text of '" + name + "'");
  std::string text(H5Tget_size(type), '\0');
  impl_->require(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0, "reading '" + name + "'");
  text.resize(std::strlen(text.c_str()));
  return text;
}

std::pair<std::int64_t, std::int64_t> Hdf5File::place(const std::string& name) const {
  const Silence silence;
  errno = 0;
  const Id set(H5Dopen2(impl_->file, name.c_str(), H5P_DEFAULT), H5Dclose);
  impl_->require(set >= 0, "opening '" + name + "'");
  const Id type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  impl_->require(H5Tequal(type, H5T_NATIVE_DOUBLE) > 0,
                 "reading the numbers of '" + name + "' (written on another machine?)");
  const auto count = static_cast<std::int64_t>(H5Sget_simple_extent_npoints(space));
  return {count == 0 ? 0 : static_cast<std::int64_t>(H5Dget_offset(set)), count};
}

std::vector<std::string> Hdf5File::names(const std::string& group) const {
  const Silence silence;
  std::vector<std::string> found;
  if (H5Lexists(impl_->file, group.c_str(), H5P_DEFAULT) <= 0) return found;
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t index = 0;
  impl_->require(H5Literate_by_name(impl_->file, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, &index, keep, &found,
                                    H5P_DEFAULT) >= 0,
                 "listing '" + group + "'");
  return found;
}

std::int64_t Hdf5File::complete(const std::function<void(std::int64_t, std::span<const char>)>& visit) {
  const Silence silence;
  errno = 0;
  impl_->require(H5Fclose(std::exchange(impl_->file, -1)) >= 0, "completing the HDF5 file");
  const File image = std::move(impl_->image);
  const std::int64_t length = image.size();
  std::vector<char> block(1 << 20);
  auto holes = impl_->reserved;
  holes.emplace_back(length, 0);
  std::sort(holes.begin(), holes.end());
  std::int64_t at = 0;
  for (const auto& [hole, size] : holes) {
    while (at < hole) {
      const auto count = static_cast<std::size_t>(std::min<std::int64_t>(hole - at, std::ssize(block)));
      image.read_at(at, block.data(), count);
      visit(at, {block.data(), count});
      at += static_cast<std::int64_t>(count);
    }
    at = hole + size;
  }
  return length;
}

bool Hdf5File::available() { return true; }

#else

namespace {
[[noreturn]] void missing() {
  throw IoError("this needs HDF5, and gearshift was built without it (use a PETSc with HDF5, and its headers)");
}
}  // namespace

struct Hdf5File::Impl {};
Hdf5File::Hdf5File() = default;
Hdf5File::~Hdf5File() = default;
Hdf5File Hdf5File::create(const std::string&) { missing(); }
Hdf5File Hdf5File::open(const std::string&) { missing(); }
void Hdf5File::write(const std::string&, std::span<const double>) { missing(); }
void Hdf5File::write(const std::string&, std::span<const std::int64_t>) { missing(); }
void Hdf5File::write(const std::string&, const std::string&) { missing(); }
void Hdf5File::attribute(const std::string&, const std::string&, std::span<const std::int64_t>) { missing(); }
void Hdf5File::attribute(const std::string&, const std::string&, const std::string&) { missing(); }
std::int64_t Hdf5File::reserve(const std::string&, Number, std::span<const std::int64_t>) { missing(); }
std::vector<double> Hdf5File::doubles(const std::string&) const { missing(); }
std::vector<std::int64_t> Hdf5File::integers(const std::string&) const { missing(); }
std::string Hdf5File::text(const std::string&) const { missing(); }
std::pair<std::int64_t, std::int64_t> Hdf5File::place(const std::string&) const { missing(); }
std::vector<std::string> Hdf5File::names(const std::string&) const { missing(); }
std::int64_t Hdf5File::complete(const std::function<void(std::int64_t, std::span<const char>)>&) { missing(); }
bool Hdf5File::available() { return false; }

#endif

Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;

}  // namespace gearshift::petsc
