static char help[] = "Two masses, each with its own TS, that exchange their motion in windows of time.\n";

/*
     u_i'' + 2 d u_i' + k u_i + kc (u_i - u_j) = 0,   i = 1, 2,   u = (1, 0), u' = -d u at t = 0.

   Each solver receives the motion of the other mass as its values at the nodes of the window and interpolates between
   them by a polynomial. The solvers take turns until these values no longer change; each turn starts from a snapshot of
   the state at the beginning of the window. The exact solution is exp(-d t) (cos(w_1 t) +- cos(w_2 t)) / 2 with
   w^2 = k - d^2 and k + 2 kc - d^2.
*/

#include <gearshift.h>
#include <math.h>

enum { NODES = 6, MASSES = 2 };

typedef struct {
  TS ts;
  Vec u, v;
  Mat J;
  PetscReal start, window; /* [s] */
  PetscReal mine[NODES];   /* values of u at the nodes of the window */
  const PetscReal* others; /* the same values of the other mass */
  PetscReal d, k, kc;      /* [1/s], [1/s^2], [1/s^2] */
  TSGearSnapshot before;
} Mass;

static PetscReal Node(const Mass* m, int i) { return m->start + m->window * i / (NODES - 1); }

/* The polynomial through the values of the other mass. */
static PetscReal Other(const Mass* m, PetscReal t) {
  PetscReal sum = 0;
  for (int i = 0; i < NODES; i++) {
    PetscReal term = m->others[i];
    for (int j = 0; j < NODES; j++)
      if (j != i) term *= (t - Node(m, j)) / (Node(m, i) - Node(m, j));
    sum += term;
  }
  return sum;
}

static PetscErrorCode Residual(TS ts, PetscReal t, Vec u, Vec v, Vec a, Vec f, void* ctx) {
  const Mass* m = (const Mass*)ctx;

  PetscFunctionBeginUser;
  (void)ts;
  PetscCall(VecCopy(a, f));
  PetscCall(VecAXPBYPCZ(f, 2 * m->d, m->k + m->kc, 1, v, u));
  PetscCall(VecShift(f, -m->kc * Other(m, t)));
  PetscFunctionReturn(0);
}

static PetscErrorCode Tangent(TS ts, PetscReal t, Vec u, Vec v, Vec a, PetscReal shift_v, PetscReal shift_a, Mat J,
                              Mat P, void* ctx) {
  const Mass* m = (const Mass*)ctx;

  PetscFunctionBeginUser;
  (void)ts;
  (void)t;
  (void)u;
  (void)v;
  (void)a;
  (void)J;
  PetscCall(MatZeroEntries(P));
  PetscCall(MatShift(P, m->k + m->kc + 2 * m->d * shift_v + shift_a));
  PetscFunctionReturn(0);
}

static PetscErrorCode Create(Mass* m, PetscReal u, const char order[]) {
  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 1, 1, 1, NULL, 0, NULL, &m->J));
  PetscCall(MatAssemblyBegin(m->J, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(m->J, MAT_FINAL_ASSEMBLY));
  PetscCall(MatShift(m->J, 1));
  PetscCall(MatCreateVecs(m->J, &m->u, &m->v));
  PetscCall(VecSet(m->u, u));
  PetscCall(VecSet(m->v, -m->d * u));
  /* [create] */
  PetscCall(TSCreate(PETSC_COMM_WORLD, &m->ts));
  PetscCall(TSSetType(m->ts, "gear"));
  PetscCall(TSGearSetOption(m->ts, "order", order));
  PetscCall(TSGearSetRecording(m->ts, PETSC_TRUE));
  PetscCall(TSSetI2Function(m->ts, NULL, Residual, m));
  PetscCall(TSSetI2Jacobian(m->ts, m->J, m->J, Tangent, m));
  PetscCall(TS2SetSolution(m->ts, m->u, m->v));
  PetscCall(TSSetMaxTime(m->ts, 1e9));
  PetscCall(TSSetExactFinalTime(m->ts, TS_EXACTFINALTIME_STEPOVER));
  PetscCall(TSSetFromOptions(m->ts));
  /* [create] */
  PetscFunctionReturn(0);
}

/* Steps through the window and stores u at its nodes, most of which lie inside a step. */
static PetscErrorCode Advance(Mass* m, PetscInt steps) {
  Vec between;
  int node = 1;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(m->u, &between));
  PetscCall(TSSetTimeStep(m->ts, m->window / steps));
  for (PetscInt i = 1; i <= steps; i++) {
    PetscCall(TSStep(m->ts));
    for (; node < NODES && node * steps <= i * (NODES - 1); node++) {
      PetscCall(TSGearInterpolate(m->ts, Node(m, node), between, NULL));
      PetscCall(VecSum(between, &m->mine[node]));
    }
  }
  PetscCall(VecDestroy(&between));
  PetscFunctionReturn(0);
}

int main(int argc, char* argv[]) {
  Mass masses[MASSES];
  PetscReal end = 4, d = 0.05, k = 4, kc = 2, error = 0;
  PetscInt windows = 40, substeps[MASSES] = {4, 6}, turns = 0, n, both = MASSES;
  char order[8] = "3";
  const TSGearStep* steps;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, help));
  PetscCall(GearshiftInitializePackage());
  PetscOptionsBegin(PETSC_COMM_WORLD, NULL, "Two masses", NULL);
  PetscCall(PetscOptionsInt("-windows", "windows in 4 s", NULL, windows, &windows, NULL));
  PetscCall(PetscOptionsIntArray("-substeps", "steps of each mass in a window", NULL, substeps, &both, NULL));
  PetscCall(PetscOptionsString("-order", "of BDF", NULL, order, order, sizeof(order), NULL));
  PetscOptionsEnd();

  for (int i = 0; i < MASSES; i++) {
    masses[i] = (Mass){.window = end / windows, .others = masses[1 - i].mine, .d = d, .k = k, .kc = kc};
    PetscCall(Create(&masses[i], i == 0, order));
    for (int j = 0; j < NODES; j++) masses[i].mine[j] = i == 0;
  }
  /* [windows] */
  for (PetscInt window = 0; window < windows; window++) {
    PetscReal change = 1;
    for (int i = 0; i < MASSES; i++) {
      Mass* m = &masses[i];
      m->start = end * window / windows;
      for (int j = 0; j < NODES; j++) m->mine[j] = m->mine[NODES - 1]; /* first guess: no motion */
      PetscCall(TSGearSnapshotCreate(m->ts, &m->before));
    }
    for (int turn = 0; change > 1e-13 && turn < 50; turn++, turns++) {
      change = 0;
      for (int i = 0; i < MASSES; i++) {
        const PetscReal last = masses[i].mine[NODES - 1];
        if (turn > 0) PetscCall(TSGearSnapshotRestore(masses[i].ts, masses[i].before));
        PetscCall(Advance(&masses[i], substeps[i]));
        change = PetscMax(change, PetscAbsReal(masses[i].mine[NODES - 1] - last));
      }
    }
    /* [windows] */
    for (int i = 0; i < MASSES; i++) {
      const PetscReal t = end * (window + 1) / windows, sign = i == 0 ? 1 : -1;
      const PetscReal exact = exp(-d * t) * (cos(sqrt(k - d * d) * t) + sign * cos(sqrt(k + 2 * kc - d * d) * t)) / 2;
      error = PetscMax(error, PetscAbsReal(masses[i].mine[NODES - 1] - exact));
      PetscCall(TSGearSnapshotDestroy(&masses[i].before));
    }
  }
  PetscCall(TSGearGetSteps(masses[1].ts, &n, &steps));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "t %g, %" PetscInt_FMT " windows, %.1f turns each, %" PetscInt_FMT
                        " steps of order %" PetscInt_FMT ", error %.3e\n",
                        (double)steps[n - 1].t, windows, (double)turns / (double)windows, n, steps[n - 1].order,
                        (double)error));
  for (int i = 0; i < MASSES; i++) {
    PetscCall(TSDestroy(&masses[i].ts));
    PetscCall(MatDestroy(&masses[i].J));
    PetscCall(VecDestroy(&masses[i].u));
    PetscCall(VecDestroy(&masses[i].v));
  }
  PetscCall(PetscFinalize());
  return 0;
}
