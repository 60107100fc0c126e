/* Random sequences of calls of gearshift.h from C: snapshots, files, other solvers and reading must change neither a bit
   of a run nor the record of its steps. */

#include <gearshift.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6, LONGEST = 14 };

static uint64_t dice;

static PetscReal Uniform(PetscReal low, PetscReal high) {
  dice ^= dice << 13;
  dice ^= dice >> 7;
  dice ^= dice << 17;
  return low + (high - low) * (PetscReal)(dice >> 11) / 9007199254740992.0;
}

static int Integer(int low, int high) { return low + (int)Uniform(0, high - low + 0.999); }

/* n masses, each on a hardening spring, and a load. */
typedef struct {
  int n, first_order;
  PetscReal spring[MOST], damper[MOST], cubic[MOST], u0[MOST], v0[MOST], load, frequency, dt, tolerance;
  const char *family, *adapt, *order;
} Case;

enum { STEPS, DT, TOLERANCE, ROLL_BACK, CHANGING, EXCURSION = CHANGING, TRANSFER, READ, KINDS };
static const char* const kinds[] = {"steps", "dt", "tolerance", "roll back", "excursion", "transfer", "read"};

typedef struct {
  int kind, count, how;
  PetscReal x;
} Call;

typedef struct {
  Case* c;
  TS ts;
  Vec u, v;
  Mat J;
  PetscInt since; /* the solver has recorded the steps after this one */
} Program;

static PetscErrorCode Residual(const Case* c, PetscReal t, Vec U, Vec V, Vec A, Vec F) {
  const PetscScalar *u, *v, *a = NULL;
  PetscScalar* f;
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(U, &first, &last));
  PetscCall(VecGetArrayRead(U, &u));
  PetscCall(VecGetArrayRead(V, &v));
  if (A) PetscCall(VecGetArrayRead(A, &a));
  PetscCall(VecGetArrayWrite(F, &f));
  for (PetscInt i = first; i < last; i++) {
    const PetscScalar x = u[i - first];
    f[i - first] = (a ? a[i - first] : 0) + c->damper[i] * v[i - first] + c->spring[i] * x + c->cubic[i] * x * x * x -
                   c->load * sin(c->frequency * t);
  }
  PetscCall(VecRestoreArrayWrite(F, &f));
  if (A) PetscCall(VecRestoreArrayRead(A, &a));
  PetscCall(VecRestoreArrayRead(V, &v));
  PetscCall(VecRestoreArrayRead(U, &u));
  PetscFunctionReturn(0);
}

static PetscErrorCode Tangent(const Case* c, Vec U, PetscReal shift_v, PetscReal shift_a, Mat P) {
  const PetscScalar* u;
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(U, &first, &last));
  PetscCall(VecGetArrayRead(U, &u));
  for (PetscInt i = first; i < last; i++)
    PetscCall(MatSetValue(
        P, i, i, shift_a + shift_v * c->damper[i] + c->spring[i] + 3 * c->cubic[i] * u[i - first] * u[i - first],
        INSERT_VALUES));
  PetscCall(VecRestoreArrayRead(U, &u));
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode SecondOrder(TS ts, PetscReal t, Vec u, Vec v, Vec a, Vec f, void* ctx) {
  (void)ts;
  return Residual((const Case*)ctx, t, u, v, a, f);
}

static PetscErrorCode SecondOrderTangent(TS ts, PetscReal t, Vec u, Vec v, Vec a, PetscReal shift_v, PetscReal shift_a,
                                         Mat J, Mat P, void* ctx) {
  (void)ts, (void)t, (void)v, (void)a, (void)J;
  return Tangent((const Case*)ctx, u, shift_v, shift_a, P);
}

static PetscErrorCode FirstOrder(TS ts, PetscReal t, Vec u, Vec v, Vec f, void* ctx) {
  (void)ts;
  return Residual((const Case*)ctx, t, u, v, NULL, f);
}

static PetscErrorCode FirstOrderTangent(TS ts, PetscReal t, Vec u, Vec v, PetscReal shift, Mat J, Mat P, void* ctx) {
  (void)ts, (void)t, (void)v, (void)J;
  return Tangent((const Case*)ctx, u, shift, 0, P);
}

static PetscErrorCode Fill(Vec x, const PetscReal* values) {
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(x, &first, &last));
  for (PetscInt i = first; i < last; i++) PetscCall(VecSetValue(x, i, values[i], INSERT_VALUES));
  PetscCall(VecAssemblyBegin(x));
  PetscCall(VecAssemblyEnd(x));
  PetscFunctionReturn(0);
}

static PetscErrorCode Create(Case* c, Program* p) {
  PetscFunctionBeginUser;
  p->c = c;
  p->since = 0;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, c->n, c->n, 1, NULL, 0, NULL, &p->J));
  PetscCall(MatSetUp(p->J));
  PetscCall(MatCreateVecs(p->J, &p->u, &p->v));
  PetscCall(Fill(p->u, c->u0));
  PetscCall(Fill(p->v, c->v0));
  PetscCall(TSCreate(PETSC_COMM_WORLD, &p->ts));
  PetscCall(TSSetType(p->ts, "gear"));
  PetscCall(TSGearSetOption(p->ts, "family", c->family));
  PetscCall(TSGearSetOption(p->ts, "adapt", c->adapt));
  if (c->order) PetscCall(TSGearSetOption(p->ts, "order", c->order));
  PetscCall(TSGearSetRecording(p->ts, PETSC_TRUE));
  if (c->first_order) {
    PetscCall(TSSetIFunction(p->ts, NULL, FirstOrder, c));
    PetscCall(TSSetIJacobian(p->ts, p->J, p->J, FirstOrderTangent, c));
    PetscCall(TSSetSolution(p->ts, p->u));
  } else {
    PetscCall(TSSetI2Function(p->ts, NULL, SecondOrder, c));
    PetscCall(TSSetI2Jacobian(p->ts, p->J, p->J, SecondOrderTangent, c));
    PetscCall(TS2SetSolution(p->ts, p->u, p->v));
  }
  PetscCall(TSSetTimeStep(p->ts, c->dt));
  PetscCall(TSSetMaxTime(p->ts, 1e9));
  PetscCall(TSSetTolerances(p->ts, c->tolerance, NULL, c->tolerance, NULL));
  PetscCall(TSSetErrorIfStepFails(p->ts, PETSC_FALSE));
  PetscCall(TSSetUp(p->ts));
  PetscFunctionReturn(0);
}

static PetscErrorCode Destroy(Program* p) {
  PetscFunctionBeginUser;
  PetscCall(TSDestroy(&p->ts));
  PetscCall(VecDestroy(&p->u));
  PetscCall(VecDestroy(&p->v));
  PetscCall(MatDestroy(&p->J));
  PetscFunctionReturn(0);
}

static PetscErrorCode Steps(Program* p, int count) {
  PetscFunctionBeginUser;
  for (int i = 0; i < count; i++) {
    TSConvergedReason reason;
    PetscCall(TSGetConvergedReason(p->ts, &reason));
    if (reason < 0) break;
    PetscCall(TSStep(p->ts));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode Change(Program* p, const Call* call) {
  PetscReal tolerance = p->c->tolerance * pow(10, 2 * call->x - 1), before, now;

  PetscFunctionBeginUser;
  switch (call->kind) {
    case DT:
      PetscCall(TSSetTimeStep(p->ts, p->c->dt * pow(4, 2 * call->x - 1.3)));
      break;
    case TOLERANCE:
      PetscCall(TSSetTolerances(p->ts, tolerance, NULL, tolerance, NULL));
      break;
    case ROLL_BACK:
      PetscCall(TSGetTime(p->ts, &before));
      PetscCall(Steps(p, 1));
      PetscCall(TSGetTime(p->ts, &now));
      if (now > before) PetscCall(TSRollBack(p->ts));
      break;
    default:
      PetscCall(Steps(p, call->count));
  }
  PetscFunctionReturn(0);
}

/* Saves the state in a snapshot or a file and restores it, in the same solver or in another one. */
static PetscErrorCode GoAway(Program* p, const Call* call) {
  TSGearSnapshot snapshot = NULL;
  PetscReal absolute, relative;
  char file[64];
  int size;

  PetscFunctionBeginUser;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  PetscCall(PetscSNPrintf(file, sizeof(file), "c_sequence_%d.h5", size));
  if (call->how & 1)
    PetscCall(TSGearSave(p->ts, file));
  else
    PetscCall(TSGearSnapshotCreate(p->ts, &snapshot));
  PetscCall(TSGetTolerances(p->ts, &absolute, NULL, &relative, NULL));
  if (call->kind == TRANSFER) {
    Program next;
    PetscCall(Create(p->c, &next));
    if (call->how & 2) PetscCall(Steps(&next, 2));
    PetscCall(TSGetStepNumber(p->ts, &next.since));
    PetscCall(Destroy(p));
    *p = next;
  } else {
    for (int kind = DT; kind < CHANGING; kind++) {
      const Call change = {kind, 1, 0, call->x};
      if (call->how >> kind & 1) PetscCall(Change(p, &change));
    }
    PetscCall(Steps(p, call->count));
  }
  PetscCall(TSSetTolerances(p->ts, absolute, NULL, relative, NULL));
  if (call->how & 1)
    PetscCall(TSGearLoad(p->ts, file));
  else
    PetscCall(TSGearSnapshotRestore(p->ts, snapshot));
  PetscCall(TSGearSnapshotDestroy(&snapshot));
  PetscFunctionReturn(0);
}

static PetscErrorCode Keep(Program* p, const Call* call) {
  TSConvergedReason reason;
  PetscInt steps;
  PetscReal t;
  Vec u;

  PetscFunctionBeginUser;
  PetscCall(TSGetConvergedReason(p->ts, &reason));
  if (reason < 0) PetscFunctionReturn(0); /* a restored state can be continued */
  if (call->kind != READ) {
    PetscCall(GoAway(p, call));
    PetscFunctionReturn(0);
  }
  PetscCall(TSGetStepNumber(p->ts, &steps));
  PetscCall(TSGetTime(p->ts, &t));
  if (steps == 0) PetscFunctionReturn(0);
  PetscCall(VecDuplicate(p->u, &u));
  PetscCall(TSGearInterpolate(p->ts, t - 1e-3 * call->x, u, NULL));
  if (!p->c->first_order) PetscCall(TSGearInterpolate(p->ts, t - 1e-3 * call->x, NULL, u));
  PetscCall(VecDestroy(&u));
  PetscFunctionReturn(0);
}

/* Compares two runs; *why is their first difference, or NULL. */
static PetscErrorCode Compare(Program* plain, Program* full, const char** why) {
  PetscReal t[2];
  PetscInt n[2];
  PetscBool same = PETSC_TRUE;
  const TSGearStep* steps[2];
  Program* both[2] = {plain, full};

  PetscFunctionBeginUser;
  *why = NULL;
  for (int i = 0; i < 2; i++) {
    PetscCall(TSGetTime(both[i]->ts, &t[i]));
    PetscCall(TSGearGetSteps(both[i]->ts, &n[i], &steps[i]));
  }
  if (t[0] != t[1]) *why = "the time differs";
  PetscCall(VecEqual(plain->u, full->u, &same));
  if (!same) *why = "u differs";
  if (!plain->c->first_order) PetscCall(VecEqual(plain->v, full->v, &same));
  if (!same) *why = "v differs";
  while (n[0] > 0 && n[1] > 0 && steps[0][n[0] - 1].step > full->since && !*why)
    if (memcmp(&steps[0][--n[0]], &steps[1][--n[1]], sizeof(TSGearStep)) != 0) *why = "the record of steps differs";
  if (n[0] > 0 && steps[0][n[0] - 1].step > full->since) *why = "steps are missing in the record";
  PetscFunctionReturn(0);
}

static void Draw(Case* c) {
  static const char* const families[] = {"auto", "bdf", "ndf2", "bdf_alpha", "sdirk", "esdirk"};
  static const char* const adapts[] = {"none", "step", "order"};
  static const char* const orders[] = {NULL, "1", "2", "3", "4", "5"};
  memset(c, 0, sizeof(*c));
  c->n = Integer(1, MOST);
  c->first_order = Integer(0, 1);
  for (int i = 0; i < c->n; i++) {
    c->spring[i] = pow(10, Uniform(0, 2));
    c->damper[i] = c->first_order ? Uniform(0.5, 2) : Uniform(0, 1);
    c->cubic[i] = Uniform(0, 1) * c->spring[i];
    c->u0[i] = Uniform(-0.5, 0.5);
    c->v0[i] = Uniform(-2, 2);
  }
  c->load = Uniform(0, 5);
  c->frequency = Uniform(1, 10);
  c->dt = pow(10, Uniform(-3, -1.3));
  c->tolerance = pow(10, Uniform(-6, -3));
  c->adapt = adapts[Integer(0, 2)];
  c->family = families[c->first_order ? Integer(0, 1) : Integer(0, 5)];
  c->order = c->family[0] == 'a' || !strcmp(c->family, "bdf") ? orders[Integer(0, 5)] : NULL;
}

static PetscErrorCode Play(uint64_t seed, const char** why) {
  Case c;
  Call calls[LONGEST];
  Program plain, full;
  int count;

  PetscFunctionBeginUser;
  dice = (seed + 1) * 0x9E3779B97F4A7C15ULL;
  for (int i = 0; i < 8; i++) (void)Uniform(0, 1);
  Draw(&c);
  count = Integer(4, LONGEST);
  for (int i = 0; i < count; i++)
    calls[i] = (Call){Integer(0, 2) ? Integer(0, KINDS - 1) : STEPS, Integer(1, 12), Integer(0, 63), Uniform(0, 1)};
  calls[count - 1] = (Call){STEPS, 20, 0, 0};
  PetscCall(Create(&c, &plain));
  PetscCall(Create(&c, &full));
  *why = NULL;
  for (int i = 0; i < count && !*why; i++) {
    if (calls[i].kind < CHANGING) PetscCall(Change(&plain, &calls[i]));
    PetscCall(calls[i].kind < CHANGING ? Change(&full, &calls[i]) : Keep(&full, &calls[i]));
    PetscCall(Compare(&plain, &full, why));
    if (!*why) continue;
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "sequence %d, order %d, family %s, adapt %s:", (int)seed,
                          c.first_order ? 1 : 2, c.family, c.adapt));
    for (int j = 0; j <= i; j++)
      PetscCall(PetscPrintf(PETSC_COMM_WORLD, " %s {%d, %d, %g}", kinds[calls[j].kind], calls[j].count, calls[j].how,
                            (double)calls[j].x));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, ": %s\n", *why));
  }
  PetscCall(Destroy(&plain));
  PetscCall(Destroy(&full));
  PetscFunctionReturn(0);
}

int main(int argc, char* argv[]) {
  const int first = argc > 1 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : 1;
  int failures = 0, none = 1;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&none, &argv, NULL, NULL));
  PetscCall(GearshiftInitializePackage());
  for (int seed = first; seed < first + count; seed++) {
    const char* why;
    PetscCall(Play((uint64_t)seed, &why));
    failures += why != NULL;
  }
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d sequences, %d of them failed\n", count, failures));
  PetscCall(PetscFinalize());
  return failures > 0;
}
