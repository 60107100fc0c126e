# Tests spend their run time in the fully optimised library; with -O1 the tests themselves compile in three quarters of
# the time.
function(gearshift_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endfunction()

# gearshift_add_test(NAME x SOURCES a.cpp [RANKS 1 2 3 4] [HEAVY_FROM 3] [LIBRARIES ...] [ARGS ...] [LABELS ...]
#                    [TIMEOUT s])
# Adds a GoogleTest program that runs on each of the given numbers of ranks (default 1). If it runs on two ranks, its
# runs on HEAVY_FROM ranks and more are labelled heavy: by default those on three and four, which rarely find faults
# that two ranks do not. HEAVY_FROM 2 is for programs that take twenty seconds or more on two ranks; run ctest -L heavy
# before a release.
function(gearshift_add_test)
  cmake_parse_arguments(T "" "NAME;TIMEOUT;HEAVY_FROM" "SOURCES;RANKS;LIBRARIES;ARGS;LABELS" ${ARGN})
  add_executable(${T_NAME} ${T_SOURCES})
  target_include_directories(${T_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${T_NAME} PRIVATE gearshift_test_main ${T_LIBRARIES})
  gearshift_precompile(gearshift_precompiled_tests ${T_NAME})
  gearshift_compile_quickly(${T_NAME})
  if(NOT T_RANKS)
    set(T_RANKS 1)
  endif()
  if(NOT T_HEAVY_FROM)
    set(T_HEAVY_FROM 3)
  endif()
  foreach(ranks IN LISTS T_RANKS)
    set(labels ${T_LABELS})
    if(ranks GREATER_EQUAL T_HEAVY_FROM AND 2 IN_LIST T_RANKS)
      list(APPEND labels heavy)
    endif()
    gearshift_add_mpi_run(NAME ${T_NAME}.${ranks} RANKS ${ranks} TIMEOUT "${T_TIMEOUT}" LABELS ${labels}
                          COMMAND $<TARGET_FILE:${T_NAME}> ${T_ARGS})
  endforeach()
endfunction()

# The command that starts several ranks. A rank that waits yields its core to the other processes of its session: while
# they compute, a test takes fifteen times as long. Linux divides the cores between sessions first (autogroup),
# therefore the ranks of each test form a session. They end if the program that started them does.
find_program(GEARSHIFT_SETSID setsid)
find_program(GEARSHIFT_SETPRIV setpriv)
mark_as_advanced(GEARSHIFT_SETSID GEARSHIFT_SETPRIV)
set(own_session ${GEARSHIFT_SETSID} --wait ${GEARSHIFT_SETPRIV} --pdeathsig TERM)
execute_process(COMMAND ${own_session} true RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(GEARSHIFT_SETSID AND GEARSHIFT_SETPRIV AND failed EQUAL 0)
  string(JOIN " " own_session ${own_session})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/mpirun CONTENT
       "#!/bin/sh\nexec @own_session@ '@MPIEXEC_EXECUTABLE@' \"$@\"\n" @ONLY)
  file(CHMOD ${CMAKE_CURRENT_BINARY_DIR}/mpirun PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(MPIEXEC_EXECUTABLE ${CMAKE_CURRENT_BINARY_DIR}/mpirun)
endif()

# The environment of every test: Open MPI as root, with more ranks than cores, and ranks that yield when idle; Open
# MPI's own messages between the ranks of one machine (ob1), because the libraries of fast networks sleep for a fifth of
# a second at each start; and no daemon for programs that are started without mpirun.
set(gearshift_test_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_pml=ob1
    OMPI_MCA_ess_singleton_isolated=1 OMP_NUM_THREADS=1)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  # Leaks in Open MPI would make every test fail.
  list(APPEND gearshift_test_environment ASAN_OPTIONS=detect_leaks=0
       UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1)
endif()

# Called at the top of a folder's CMakeLists.txt; sets properties of each of its tests. Programs that are started
# without mpirun are all job 0 to Open MPI: they create and remove the same folder below /tmp, and if two of them start
# and end at the same time, one may fail with "unable to create the desired directory". Therefore each test has its own
# folder for them. Moreover, a test counts as two of CTest's slots, a test on several ranks (its name ends in their
# number) as four, and the few tests that mostly wait for programs to start as one. Run ctest with -j of three times the
# number of cores: with twice the number they are idle half of the time, and the tests take half as long again. A test
# that does not end is stopped after five minutes, because on a loaded machine several ranks may take a hundred times as
# long as on a free one.
function(gearshift_folder_of_tests)
  cmake_language(DEFER CALL gearshift_complete_tests)
endfunction()
function(gearshift_complete_tests)
  get_property(names DIRECTORY PROPERTY TESTS)
  foreach(name IN LISTS names)
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT OMPI_MCA_orte_tmpdir_base=${CMAKE_CURRENT_BINARY_DIR}/sessions/${name})
    get_property(slots TEST ${name} PROPERTY PROCESSORS)
    if(NOT slots AND name MATCHES "[.][2-9]$")
      set_property(TEST ${name} PROPERTY PROCESSORS 4)
    elseif(NOT slots)
      set_property(TEST ${name} PROPERTY PROCESSORS 2)
    endif()
    get_property(limit TEST ${name} PROPERTY TIMEOUT)
    if(NOT limit)
      set_property(TEST ${name} PROPERTY TIMEOUT 300)
    endif()
  endforeach()
endfunction()

# gearshift_need_checkpoints(NAME...): marks tests of programs that write checkpoints or other HDF5 files; without HDF5
# they are listed as disabled.
function(gearshift_need_checkpoints)
  if(NOT GEARSHIFT_HDF5)
    set_tests_properties(${ARGN} PROPERTIES DISABLED ON)
  endif()
endfunction()

# Sets `variable` to the command that starts a program on this number of ranks. One rank needs no mpirun; mpirun takes
# twice as long to start as the program.
function(gearshift_launcher variable ranks)
  set(launch)
  if(ranks GREATER 1)
    set(launch ${MPIEXEC_EXECUTABLE} ${GEARSHIFT_MPIEXEC_FLAGS} ${MPIEXEC_NUMPROC_FLAG} ${ranks})
  endif()
  set(${variable} ${launch} PARENT_SCOPE)
endfunction()

# gearshift_add_mpi_run(NAME x RANKS n COMMAND program args... [LABELS ...] [TIMEOUT s] [PASS regex] [FAIL regex]
#                       [FAILS code regex [count]])
# FAILS: the run must end with that exit code (or "nonzero") and a message that matches the regex (without semicolons,
# which would split the list); see tests/expect_failure.sh.
function(gearshift_add_mpi_run)
  cmake_parse_arguments(T "" "NAME;RANKS;TIMEOUT;PASS;FAIL" "COMMAND;LABELS;FAILS" ${ARGN})
  set(expect)
  set(environment ${gearshift_test_environment})
  if(T_FAILS)
    # Without this setting Open MPI waits a second or two for the other ranks to end after the first rank has failed.
    list(APPEND environment OMPI_MCA_odls_base_sigkill_timeout=0)
    set(expect bash ${PROJECT_SOURCE_DIR}/tests/expect_failure.sh ${T_FAILS} --)
  endif()
  # Several ranks count as two cores: the test machines have few cores, and the ranks yield when idle.
  set(slots 2)
  if(T_RANKS GREATER 1)
    set(slots 4)
  endif()
  gearshift_launcher(launch ${T_RANKS})
  add_test(NAME ${T_NAME} COMMAND ${expect} ${launch} ${T_COMMAND})
  set_tests_properties(${T_NAME} PROPERTIES LABELS "${T_LABELS}" PROCESSORS ${slots}
    ENVIRONMENT "${environment}")
  if(NOT GEARSHIFT_HDF5)
    set_tests_properties(${T_NAME} PROPERTIES SKIP_RETURN_CODE 77)  # of tests/main.cpp if only HDF5 is missing
  endif()
  if(T_TIMEOUT)
    set_tests_properties(${T_NAME} PROPERTIES TIMEOUT ${T_TIMEOUT})
  endif()
  if(T_PASS)
    set_tests_properties(${T_NAME} PROPERTIES PASS_REGULAR_EXPRESSION "${T_PASS}")
  endif()
  if(T_FAIL)
    set_tests_properties(${T_NAME} PROPERTIES FAIL_REGULAR_EXPRESSION "${T_FAIL}")
  endif()
endfunction()
