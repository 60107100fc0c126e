// Files continued after an interrupted run, full disks, folders in use by another program.
#include <gearshift/io/folder.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/io/series.hpp>
#include <gearshift/io/summary.hpp>
#include <gearshift/io/table.hpp>
#include <gearshift/petsc/handle.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace fs = std::filesystem;
using namespace gearshift;

namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

/// Creates an empty folder.
fs::path folder_of(const std::string& name) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  const fs::path folder = fs::path("io_faults." + std::to_string(size)) / name;
  if (rank_of_world() == 0) {
    fs::remove_all(folder);
    fs::remove_all(folder.string() + ".previous");
    fs::create_directories(folder);
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  return folder;
}

std::string read(const fs::path& file) {
  MPI_Barrier(PETSC_COMM_WORLD);
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  MPI_Barrier(PETSC_COMM_WORLD);
  return text;
}

void write(const fs::path& file, const std::string& text) {
  if (rank_of_world() == 0) std::ofstream(file, std::ios::binary) << text;
  MPI_Barrier(PETSC_COMM_WORLD);
}

/// Returns the text of the IoError that body() must throw on every rank.
template <class Body>
std::string io_error(Body&& body) {
  try {
    body();
  } catch (const IoError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no IoError";
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// During its lifetime, files of the first rank cannot grow beyond this size.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    if (rank_of_world() == 0) setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// Stores the visited data by name.
class Memory : public Archive {
 public:
  bool loading() const override { return loading_; }
  void reals(std::string_view name, std::span<PetscReal> values) override { pass(reals_[path(name)], values); }
  void integers(std::string_view name, std::span<std::int64_t> values) override { pass(integers_[path(name)], values); }
  void vec(std::string_view, Vec) override { ADD_FAILURE(); }
  void local(std::string_view, std::span<PetscReal>) override { ADD_FAILURE(); }
  void load() { loading_ = true; }

 private:
  template <class T>
  void pass(std::vector<T>& kept, std::span<T> values) {
    if (!loading_) kept.assign(values.begin(), values.end());
    ASSERT_EQ(kept.size(), values.size());
    std::copy(kept.begin(), kept.end(), values.begin());
  }
  bool loading_ = false;
  std::map<std::string, std::vector<PetscReal>> reals_;
  std::map<std::string, std::vector<std::int64_t>> integers_;
};

}  // namespace

TEST(TableFaults, ATornRowIsTakenBack) {
  const fs::path file = folder_of("torn") / "t.csv";
  io::Table table(PETSC_COMM_WORLD, file, "a,b");
  table.row(std::array{1.0, 2.0});
  const std::string before = read(file);
  EXPECT_EQ(before, "a,b\n1,2\n");
  {
    const FileLimit limit(before.size() + 5);
    const std::string text = io_error([&] { table.row(std::array{1.0 / 3, 2.0 / 3}); });
    EXPECT_TRUE(has(text, file.string()) && has(text, "ulimit -f") && has(text, "the rows written so far are complete"))
        << text;
    EXPECT_EQ(read(file), before);
  }
  table.row(std::array{3.0, 4.0});
  EXPECT_EQ(read(file), before + "3,4\n");
  table.close();
}

TEST(TableFaults, ItsMessageIsTrue) {
  // A file with a partial row that cannot be truncated is reported: here a full device.
  const std::string text = io_error([&] { io::Table(PETSC_COMM_WORLD, "/dev/full", "a,b"); });
  EXPECT_TRUE(has(text, "the disk is full")) << text;
}

TEST(TableFaults, GoesOnWhereItWas) {
  const fs::path folder = folder_of("resume"), file = folder / "t.csv";
  using Begin = io::Table::Begin;
  Memory state;
  {
    io::Table table(PETSC_COMM_WORLD, file, "a");
    table.row(std::array{1.0});
    table.archive(state);
    table.row(std::array{2.0});
    EXPECT_EQ(table.sync(), 6);
  }
  state.load();
  {
    io::Table table(PETSC_COMM_WORLD, file, "a", Begin::resume);
    EXPECT_EQ(read(file), "a\n1\n2\n");
    table.archive(state);
    EXPECT_EQ(read(file), "a\n1\n");
    table.row(std::array{5.0});
    EXPECT_EQ(read(file), "a\n1\n5\n");
    EXPECT_EQ(table.sync(), 6);
    table.close();
  }
  {
    io::Table other(PETSC_COMM_WORLD, file, "b", Begin::resume);
    EXPECT_TRUE(has(io_error([&] { other.archive(state); }), "other columns"));
  }
  write(file, "a\n");
  {
    io::Table shorter(PETSC_COMM_WORLD, file, "a", Begin::resume);
    const std::string text = io_error([&] { shorter.archive(state); });
    EXPECT_TRUE(has(text, "has 2 bytes and cannot be continued at 4")) << text;
    EXPECT_EQ(read(file), "a\n");
  }
  const std::string text = io_error([&] { io::Table(PETSC_COMM_WORLD, folder / "none.csv", "a", Begin::resume); });
  EXPECT_TRUE(has(text, "none.csv is missing and cannot be continued")) << text;
  EXPECT_FALSE(fs::exists(folder / "none.csv"));
}

TEST(SeriesFaults, GoesOnWhereItWas) {
  const fs::path folder = folder_of("series");
  Memory state;
  std::string before;
  {
    io::Series series(PETSC_COMM_WORLD, folder / "s.pvd");
    for (int i = 0; i < 3; ++i) series.add(0.1 * i, "s/frame_" + std::to_string(i) + ".vtu");
    series.archive(state);
    before = read(folder / "s.pvd");
    series.add(0.7, "s/late.vtu");
  }
  state.load();
  io::Series series(PETSC_COMM_WORLD, folder / "s.pvd");
  series.archive(state);
  EXPECT_EQ(read(folder / "s.pvd"), before);
  EXPECT_TRUE(series.has("s/frame_2.vtu"));
  EXPECT_FALSE(series.has("s/late.vtu"));
  series.add(0.3, "s/next.vtu");
  EXPECT_TRUE(has(read(folder / "s.pvd"), "frame_2.vtu\"/>\n    <DataSet timestep=\"0.29999999999999999\""));
  // A series without steps has no file, before the restart or after it.
  Memory nothing;
  io::Series empty(PETSC_COMM_WORLD, folder / "e.pvd");
  empty.archive(nothing);
  nothing.load();
  empty.archive(nothing);
  EXPECT_FALSE(fs::exists(folder / "e.pvd"));
}

TEST(WholeFiles, LeaveNothingBehindWhenTheyFail) {
  const fs::path folder = folder_of("whole");
  io::Summary summary;
  summary.add("text", std::string(1000, 'x'));
  summary.write(PETSC_COMM_WORLD, folder / "s.json");
  const std::string before = read(folder / "s.json");
  {
    const FileLimit limit(500);
    summary.add("more", 1);
    EXPECT_TRUE(has(io_error([&] { summary.write(PETSC_COMM_WORLD, folder / "s.json"); }), "s.json"));
  }
  EXPECT_EQ(read(folder / "s.json"), before);
  EXPECT_FALSE(fs::exists(folder / "s.json.part"));
  EXPECT_TRUE(has(io_error([&] { summary.write(PETSC_COMM_WORLD, folder / "no" / "s.json"); }), "s.json"));

  petsc::check(PetscOptionsSetValue(nullptr, "-test_dm_plex_box_faces", "4,3,3"));
  const auto mesh = solid::Mesh::from_options(PETSC_COMM_WORLD, "test_");
  const solid::Space space(mesh, 2);
  petsc::Handle<Vec> zero;
  petsc::check(VecDuplicate(space.layout(), zero.out()));
  const std::array fields{io::FrameWriter::PointField{"displacement", zero.get()}};
  const auto files = [&] {
    MPI_Barrier(PETSC_COMM_WORLD);
    const auto count = std::distance(fs::directory_iterator(folder), {});
    MPI_Barrier(PETSC_COMM_WORLD);
    return count;
  };
  for (const auto format : {io::FrameFormat::vtu, io::FrameFormat::vtkhdf}) {
    if (!io::has_format(format)) continue;
    const auto writer = io::FrameWriter::make(format, space, solid::NodePlaces(space));
    writer->write(folder, "first", fields);
    const auto count = files();
    {
      const FileLimit limit(800);
      EXPECT_TRUE(has(io_error([&] { writer->write(folder, "second", fields); }), "ulimit -f"));
    }
    EXPECT_EQ(files(), count);
    writer->write(folder, "second", fields);
    writer->sync();
    EXPECT_TRUE(has(io_error([&] { writer->write(folder / "none", "third", fields); }), "none"));
  }
  MPI_Barrier(PETSC_COMM_WORLD);
}

TEST(Folder, IsOfOneRun) {
  const fs::path folder = folder_of("lock");
  const auto result = [](const std::string& name) { return name == "a.csv"; };
  {
    const io::OutputFolder mine(PETSC_COMM_WORLD, folder, io::Earlier::move, result);
    const std::string text = io_error([&] { io::OutputFolder(PETSC_COMM_WORLD, folder, io::Earlier::keep, result); });
    EXPECT_TRUE(has(text, "another run writes into the folder " + folder.string() + " (process ")) << text;
    EXPECT_TRUE(fs::exists(folder / ".gearshift-lock"));
    MPI_Barrier(PETSC_COMM_WORLD);
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  EXPECT_FALSE(fs::exists(folder / ".gearshift-lock"));
  MPI_Barrier(PETSC_COMM_WORLD);
  // A crashed process leaves a file but no lock.
  write(folder / ".gearshift-lock", "process 1 on nowhere");
  const io::OutputFolder again(PETSC_COMM_WORLD, folder, io::Earlier::move, result);
  EXPECT_TRUE(again.moved_to().empty());
}

TEST(Folder, EarlierResultsGoAside) {
  const fs::path folder = folder_of("earlier"), previous = folder.string() + ".previous";
  const auto result = [](const std::string& name) { return name == "a.csv" || name == "frames"; };
  const auto fill = [&](const std::string& text) {
    if (rank_of_world() == 0) fs::create_directories(folder / "frames");
    write(folder / "a.csv", text);
    write(folder / "frames" / text, text);
    write(folder / "case.yaml", "the user's own");
  };
  fill("one");
  {
    const io::OutputFolder out(PETSC_COMM_WORLD, folder / "", io::Earlier::move, result);
    EXPECT_EQ(out.moved_to().filename(), "earlier.previous");
    EXPECT_FALSE(fs::exists(folder / "a.csv"));
    EXPECT_TRUE(fs::exists(folder / "case.yaml"));
    EXPECT_EQ(read(previous / "a.csv"), "one");
    EXPECT_TRUE(fs::exists(previous / "frames" / "one"));
    MPI_Barrier(PETSC_COMM_WORLD);
  }
  fill("two");
  {
    const io::OutputFolder kept(PETSC_COMM_WORLD, folder, io::Earlier::keep, result);
    EXPECT_TRUE(kept.moved_to().empty());
    EXPECT_EQ(read(folder / "a.csv"), "two");
  }
  {
    const io::OutputFolder out(PETSC_COMM_WORLD, folder, io::Earlier::move, result);
    EXPECT_EQ(read(previous / "a.csv"), "two");
    EXPECT_FALSE(fs::exists(previous / "frames" / "one"));
    EXPECT_TRUE(fs::exists(previous / "frames" / "two"));
    MPI_Barrier(PETSC_COMM_WORLD);
  }
  fill("three");
  {
    const io::OutputFolder out(PETSC_COMM_WORLD, folder, io::Earlier::replace, result);
    EXPECT_FALSE(fs::exists(folder / "a.csv"));
    EXPECT_FALSE(fs::exists(folder / "frames"));
    EXPECT_EQ(read(previous / "a.csv"), "two");
    MPI_Barrier(PETSC_COMM_WORLD);
  }
}
