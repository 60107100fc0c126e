/* version PROJECT_VERSION SONAME...: checks that all of them agree with version.h. */
#include <gearshift/version.h>

#include <stdio.h>
#include <string.h>

#if !GEARSHIFT_VERSION_AT_LEAST(GEARSHIFT_VERSION_MAJOR, GEARSHIFT_VERSION_MINOR, GEARSHIFT_VERSION_PATCH) || \
    !GEARSHIFT_VERSION_AT_LEAST(0, 0, 99) ||                                                                  \
    GEARSHIFT_VERSION_AT_LEAST(GEARSHIFT_VERSION_MAJOR, GEARSHIFT_VERSION_MINOR + 1, 0) ||                    \
    GEARSHIFT_VERSION_AT_LEAST(GEARSHIFT_VERSION_MAJOR + 1, 0, 0)
#error "GEARSHIFT_VERSION_AT_LEAST does not compare versions"
#endif

static int differs(const char* what, const char* found, const char* expected) {
  if (strcmp(found, expected) == 0) return 0;
  printf("error: %s is %s, and not %s\n", what, found, expected);
  return 1;
}

int main(int argc, char** argv) {
  char numbers[64], abi[64];
  int failed = argc < 3;
  snprintf(numbers, sizeof numbers, "%d.%d.%d", GEARSHIFT_VERSION_MAJOR, GEARSHIFT_VERSION_MINOR,
           GEARSHIFT_VERSION_PATCH);
  if (GEARSHIFT_VERSION_MAJOR == 0)
    snprintf(abi, sizeof abi, "%d.%d", GEARSHIFT_VERSION_MAJOR, GEARSHIFT_VERSION_MINOR);
  else
    snprintf(abi, sizeof abi, "%d", GEARSHIFT_VERSION_MAJOR);
  failed += differs("GEARSHIFT_VERSION", GEARSHIFT_VERSION, numbers);
  if (argc > 1) failed += differs("the project's version", argv[1], numbers);
  for (int i = 2; i < argc; ++i) {
    const char* suffix = strstr(argv[i], ".so.");
    failed += differs(argv[i], suffix ? suffix + 4 : "without a version", abi);
  }
  return failed != 0;
}
