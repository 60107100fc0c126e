#pragma once

/* The version of gearshift, for C and C++. CMake reads the project's version here.

   Below 1.0 a minor version may change interfaces and the binary interface; a patch version changes neither. */

#define GEARSHIFT_VERSION_MAJOR 0
#define GEARSHIFT_VERSION_MINOR 1
#define GEARSHIFT_VERSION_PATCH 0
#define GEARSHIFT_VERSION "0.1.0"

/* True if the version is this one or newer: #if GEARSHIFT_VERSION_AT_LEAST(0, 1, 0) */
#define GEARSHIFT_VERSION_AT_LEAST(major, minor, patch)                                            \
  (GEARSHIFT_VERSION_MAJOR * 1000000 + GEARSHIFT_VERSION_MINOR * 1000 + GEARSHIFT_VERSION_PATCH >= \
   (major)*1000000 + (minor)*1000 + (patch))
