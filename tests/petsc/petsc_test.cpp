#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/views.hpp>

#include "petsc/call_stack.hpp"

#include <gtest/gtest.h>
#include <petscvec.h>

#include <string>

namespace {

using namespace gearshift;
using namespace gearshift::petsc;

PetscInt references(Vec v) {
  PetscInt count = 0;
  check(PetscObjectGetReference(reinterpret_cast<PetscObject>(v), &count));
  return count;
}

Handle<Vec> make_vec() {
  Handle<Vec> v;
  check(VecCreateMPI(PETSC_COMM_WORLD, 3, PETSC_DETERMINE, v.out()));
  return v;
}

/// Continues after a PETSc error, when its functions are still on PETSc's call stack.
PetscErrorCode survives_an_error(bool* failed) {
  PetscFunctionBegin;
  {
    const CallStack restored;
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
    *failed = VecSetType(make_vec().get(), "no type") != 0;
    PetscCall(PetscPopErrorHandler());
  }
  PetscFunctionReturn(success);
}

TEST(CallStack, is_restored_after_an_error) {
  bool failed = false;
  check(survives_an_error(&failed));
  EXPECT_TRUE(failed);
}

#if !defined(__SANITIZE_ADDRESS__)  // AddressSanitizer ends the program at such a request
TEST(Failure, says_that_memory_is_short) {
  ErrorCapture quiet;
  try {
    void* memory = nullptr;
    check(PetscMalloc(std::size_t{1} << 60, &memory));
    FAIL() << "more memory than addresses";
  } catch (const PetscFailure& error) {
    EXPECT_EQ(error.code, PETSC_ERR_MEM);
    EXPECT_NE(std::string(error.what()).find("not enough memory"), std::string::npos) << error.what();
  }
}
#endif

TEST(Handle, moves_shares_and_releases) {
  Handle<Vec> a = make_vec();
  Vec raw = a.get();
  EXPECT_EQ(references(raw), 1);
  {
    const Handle<Vec> b = Handle<Vec>::share(raw);
    EXPECT_EQ(references(raw), 2);
  }
  EXPECT_EQ(references(raw), 1);
  Handle<Vec> c = std::move(a);
  EXPECT_EQ(c.get(), raw);
  EXPECT_EQ(references(raw), 1);
  Handle<Vec> d = Handle<Vec>::adopt(c.release());
  EXPECT_FALSE(c);
  EXPECT_EQ(references(d.get()), 1);
}

TEST(Views, write_then_read_the_owned_entries) {
  const Handle<Vec> v = make_vec();
  {
    const WriteView w(v.get());
    ASSERT_EQ(w.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) w[i] = static_cast<double>(i) + 1;
  }
  PetscReal norm = 0;
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  check(VecNorm(v.get(), NORM_1, &norm));
  EXPECT_EQ(norm, 6.0 * size);
  EXPECT_EQ(ReadView(v.get())[2], 3);
}

/// Returns the text of the OptionError thrown when `key` is read as a number with this value, or "".
std::string real_error(const char* value) {
  check(PetscOptionsSetValue(nullptr, "-test_x", value));
  PetscReal x = 1;
  std::string text;
  try {
    read_options(PETSC_COMM_WORLD, "test_", "test", [&](Options& o) { o.real("-x", "a number [1]", x); });
  } catch (const OptionError& error) {
    text = error.what();
  }
  check(PetscOptionsClearValue(nullptr, "-test_x"));
  return text;
}

TEST(Options, refuse_malformed_and_empty_numbers) {
  EXPECT_EQ(real_error("2.5"), "");
  EXPECT_NE(real_error("abc").find("-test_x: 'abc' is not a number"), std::string::npos);
  EXPECT_NE(real_error("").find("-test_x has no value"), std::string::npos);
}

TEST(Options, split_top_level_keeps_commas_in_parentheses) {
  EXPECT_EQ(split_top_level("sin(t), max(0,t)"), (std::vector<std::string>{"sin(t)", "max(0,t)"}));
  EXPECT_EQ(split_top_level("a"), std::vector<std::string>{"a"});
}

}  // namespace
