#include "dynamics/checkpoint/contents.hpp"

#include "petsc/files/hdf5_file.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <sstream>

namespace gearshift::checkpoint {
namespace {

template <class T>
void broadcast(MPI_Comm comm, std::vector<T>& values) {
  std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  petsc::broadcast(comm, bytes);
  values.resize(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
}

std::vector<Part> parts_in(const std::string& text) {
  std::vector<Part> parts;
  std::istringstream lines(text);
  for (Part part; lines >> part.kind >> part.count && lines.get() == ' ' && std::getline(lines, part.name);)
    parts.push_back(part);
  return parts;
}

/// Returns true if the counts of the ranks add up to the part.
bool add_up(const std::vector<std::int64_t>& counts, std::int64_t ranks, std::int64_t whole) {
  for (const std::int64_t count : counts) {
    if (count < 0 || count > whole) return false;
    whole -= count;
  }
  return whole == 0 && std::ssize(counts) == ranks;
}

/// Reads the parts on the first rank. A seal proves that the file is as it was written, but not that gearshift wrote
/// it; data that are used without further checks are therefore compared with /parts.
Contents read_parts(const petsc::Hdf5File& file, const std::string& parts) {
  Contents found;
  found.partition = file.integers("/partition");
  const std::int64_t ranks = file.integers("/header/integers/ranks").at(0);
  for (const Part& part : parts_in(parts)) {
    const std::string name = "/state/" + part.name;
    const auto require = [&](bool good) {
      if (!good)
        throw IoError("the part '" + part.name +
                      "' does not match its entry in /parts: the file was not written by gearshift");
    };
    if (part.kind == reals) {
      const auto values = file.doubles(name);
      require(std::ssize(values) == part.count);
      found.reals.insert(found.reals.end(), values.begin(), values.end());
    } else if (part.kind == integers) {
      const auto values = file.integers(name);
      require(std::ssize(values) == part.count);
      found.integers.insert(found.integers.end(), values.begin(), values.end());
    } else {
      const auto [offset, count] = file.place(name);
      require(count == part.count);
      found.integers.push_back(offset);
      if (part.kind != local) continue;
      const auto counts = file.integers("/local/" + part.name);
      require(add_up(counts, ranks, part.count));
      found.integers.insert(found.integers.end(), counts.begin(), counts.end());
    }
  }
  return found;
}

}  // namespace

Contents read_contents(MPI_Comm comm, const std::string& path, bool whole) {
  Contents found;
  std::string parts, words;
  std::vector<std::int64_t> integer_values;
  std::vector<double> real_values;
  petsc::on_first_rank(comm, [&] {
    const petsc::Hdf5File file = petsc::Hdf5File::open(path);
    for (const std::string& key : file.names("/header/words"))
      words += "=" + key + '\0' + file.text("/header/words/" + key) + '\0';
    for (const std::string& key : file.names("/header/integers")) {
      words += "#" + key + '\0';
      integer_values.push_back(file.integers("/header/integers/" + key).at(0));
    }
    for (const std::string& key : file.names("/header/reals")) {
      words += "." + key + '\0';
      real_values.push_back(file.doubles("/header/reals/" + key).at(0));
    }
    if (!whole) return;
    parts = file.text("/parts");
    found = read_parts(file, parts);
  });
  petsc::broadcast(comm, words);
  petsc::broadcast(comm, parts);
  broadcast(comm, integer_values);
  broadcast(comm, real_values);
  broadcast(comm, found.partition);
  broadcast(comm, found.reals);
  broadcast(comm, found.integers);
  found.parts = parts_in(parts);
  std::size_t whole_numbers = 0, numbers = 0;
  std::istringstream list(words);
  for (std::string key; std::getline(list, key, '\0');) {
    if (key.starts_with('#'))
      found.header.integers[key.substr(1)] = integer_values.at(whole_numbers++);
    else if (key.starts_with('.'))
      found.header.reals[key.substr(1)] = real_values.at(numbers++);
    else
      std::getline(list, found.header.words[key.substr(1)], '\0');
  }
  return found;
}

}  // namespace gearshift::checkpoint
