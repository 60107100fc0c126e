# Finds Debian's python3, the only one with the modules of Debian's packages, and those modules that the tests need.
#
# gearshift_python_modules: the modules found; gearshift_python_lacks_<module>: the reason why a module cannot be used.
find_program(GEARSHIFT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "Python with petsc4py; others may not find it")
find_program(GEARSHIFT_PYTHON python3)

set(gearshift_python_modules)
set(found)
if(GEARSHIFT_PYTHON AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(modules petsc4py dolfinx matplotlib vtk)
  list(JOIN modules "', '" quoted)
  execute_process(COMMAND ${GEARSHIFT_PYTHON} -c "import importlib.util as util
print('modules:' + ';'.join(m for m in ('${quoted}') if util.find_spec(m)))
try:
    import petsc4py
    print('folder:' + petsc4py.get_config()['PETSC_DIR'])
    import importlib.metadata as metadata
    print('dolfinx:' + metadata.version('fenics-dolfinx'))
except ImportError:
    pass" OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX MATCH "modules:([^\n]*)" ignored "${output}")
  set(found ${CMAKE_MATCH_1})
  string(REGEX MATCH "folder:([^\n]*)" ignored "${output}")
  set(folder "${CMAKE_MATCH_1}")
  string(REGEX MATCH "dolfinx:([0-9.]*)" ignored "${output}")
  set(dolfinx_version "${CMAKE_MATCH_1}")
endif()
foreach(module petsc4py dolfinx matplotlib vtk)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    set(gearshift_python_lacks_${module} "Python itself is built without sanitizers")
  elseif(NOT module IN_LIST found)
    set(gearshift_python_lacks_${module}
        "'${GEARSHIFT_PYTHON}' has no module ${module} (see Debian's packages in cmake/packages.txt)")
  else()
    list(APPEND gearshift_python_modules ${module})
  endif()
endforeach()
# Since 0.8 spaces and elements of vectors are made by other functions than those of examples/10_fenicsx.
if(dolfinx IN_LIST gearshift_python_modules AND dolfinx_version VERSION_GREATER_EQUAL 0.8)
  list(REMOVE_ITEM gearshift_python_modules dolfinx)
  set(gearshift_python_lacks_dolfinx "the example is written for dolfinx 0.5 to 0.7, this is ${dolfinx_version}")
endif()
if(petsc4py IN_LIST gearshift_python_modules)
  pkg_get_variable(petsc_folder PETSc prefix)
  file(REAL_PATH "${petsc_folder}" petsc_folder)
  file(REAL_PATH "${folder}" folder)
  if(NOT petsc_folder STREQUAL folder)
    list(REMOVE_ITEM gearshift_python_modules petsc4py dolfinx)
    set(gearshift_python_lacks_petsc4py "petsc4py runs with the PETSc in ${folder}, gearshift with that in ${petsc_folder}")
    set(gearshift_python_lacks_dolfinx "${gearshift_python_lacks_petsc4py}")
  endif()
endif()

# gearshift_add_python_test(NAME x RANKS n COMMAND script args... [MODULES ...], and other arguments of
# gearshift_add_mpi_run()): runs a script with the module gearshift of the build folder, or skips it if petsc4py or one
# of MODULES is missing.
function(gearshift_add_python_test)
  cmake_parse_arguments(T "" "NAME" "MODULES;COMMAND" ${ARGN})
  foreach(module petsc4py ${T_MODULES})
    if(NOT module IN_LIST gearshift_python_modules)
      add_test(NAME ${T_NAME} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${gearshift_python_lacks_${module}}")
      set_tests_properties(${T_NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
      return()
    endif()
  endforeach()
  gearshift_add_mpi_run(NAME ${T_NAME} COMMAND ${GEARSHIFT_PYTHON} ${T_COMMAND} ${T_UNPARSED_ARGUMENTS})
  # dolfinx stores compiled code in the cache; matplotlib needs a folder for its settings.
  set_property(TEST ${T_NAME} APPEND PROPERTY ENVIRONMENT PYTHONPATH=${PROJECT_BINARY_DIR}/src/python
    PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/python_cache MPLCONFIGDIR=${PROJECT_BINARY_DIR}/python_cache)
endfunction()
