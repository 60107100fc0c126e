static char help[] = "A string with internal friction between two walls, as a second-order TS program.\n";

/*
     u_tt = c^2 u_xx + e u_txx   on 0 < x < 1,   u = 0 at both ends,

   is discretised by central differences on n interior points. If it starts in its first mode, the discrete string has
   the solution

     u_i(t) = exp(-d t) cos(w t) sin(pi x_i),   h = 1 / (n + 1),

     k = (2 / h sin(pi h / 2))^2,   d = e k / 2,   w^2 = c^2 k - d^2,

   so that the error printed at the end is the error of the time integrator only.
*/

#include <petscdmda.h>
#include <petscts.h>

typedef struct {
  DM dm;
  PetscReal c, e, h;
} String;

static PetscErrorCode Residual(TS ts, PetscReal t, Vec U, Vec V, Vec A, Vec R, void* ctx) {
  String* s = (String*)ctx;
  PetscReal k = s->c * s->c / (s->h * s->h), e = s->e / (s->h * s->h);
  Vec local, rate;
  const PetscScalar *u, *v, *a;
  PetscScalar* r;
  PetscInt first, n, total;

  PetscFunctionBeginUser;
  (void)ts;
  (void)t;
  PetscCall(DMDAGetCorners(s->dm, &first, NULL, NULL, &n, NULL, NULL));
  PetscCall(DMDAGetInfo(s->dm, NULL, &total, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  PetscCall(DMGetLocalVector(s->dm, &local));
  PetscCall(DMGlobalToLocal(s->dm, U, INSERT_VALUES, local));
  PetscCall(DMGetLocalVector(s->dm, &rate));
  PetscCall(DMGlobalToLocal(s->dm, V, INSERT_VALUES, rate));
  PetscCall(DMDAVecGetArrayRead(s->dm, local, (void*)&u));
  PetscCall(DMDAVecGetArrayRead(s->dm, rate, (void*)&v));
  PetscCall(DMDAVecGetArrayRead(s->dm, A, (void*)&a));
  PetscCall(DMDAVecGetArray(s->dm, R, (void*)&r));
  for (PetscInt i = first; i < first + n; i++) {
    PetscScalar left = i > 0 ? u[i - 1] : 0, right = i < total - 1 ? u[i + 1] : 0;
    PetscScalar left_rate = i > 0 ? v[i - 1] : 0, right_rate = i < total - 1 ? v[i + 1] : 0;
    r[i] = a[i] + e * (2 * v[i] - left_rate - right_rate) + k * (2 * u[i] - left - right);
  }
  PetscCall(DMDAVecRestoreArray(s->dm, R, (void*)&r));
  PetscCall(DMDAVecRestoreArrayRead(s->dm, A, (void*)&a));
  PetscCall(DMDAVecRestoreArrayRead(s->dm, rate, (void*)&v));
  PetscCall(DMDAVecRestoreArrayRead(s->dm, local, (void*)&u));
  PetscCall(DMRestoreLocalVector(s->dm, &rate));
  PetscCall(DMRestoreLocalVector(s->dm, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode Tangent(TS ts, PetscReal t, Vec U, Vec V, Vec A, PetscReal shiftV, PetscReal shiftA, Mat J, Mat P,
                              void* ctx) {
  String* s = (String*)ctx;
  PetscReal k = (s->c * s->c + shiftV * s->e) / (s->h * s->h);
  PetscInt first, last, total;
  PetscScalar diagonal = shiftA + 2 * k;

  PetscFunctionBeginUser;
  (void)ts;
  (void)t;
  (void)U;
  (void)V;
  (void)A;
  PetscCall(MatGetOwnershipRange(P, &first, &last));
  PetscCall(MatGetSize(P, &total, NULL));
  for (PetscInt i = first; i < last; i++) {
    PetscCall(MatSetValue(P, i, i, diagonal, INSERT_VALUES));
    if (i > 0) PetscCall(MatSetValue(P, i, i - 1, -k, INSERT_VALUES));
    if (i < total - 1) PetscCall(MatSetValue(P, i, i + 1, -k, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  if (J != P) {
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(0);
}

/* Computes u and v of the exact solution at time t. */
static PetscErrorCode Exact(const String* s, PetscReal t, Vec U, Vec V) {
  PetscReal wave = 2 / s->h * PetscSinReal(PETSC_PI * s->h / 2), k = wave * wave, d = s->e * k / 2;
  PetscReal w = PetscSqrtReal(s->c * s->c * k - d * d), decay = PetscExpReal(-d * t), g = decay * PetscCosReal(w * t);
  PetscReal dg = -d * g - w * decay * PetscSinReal(w * t);
  PetscInt first, last;
  PetscScalar *u, *v;

  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(U, &first, &last));
  PetscCall(VecGetArrayWrite(U, &u));
  PetscCall(VecGetArrayWrite(V, &v));
  for (PetscInt i = first; i < last; i++) {
    PetscReal shape = PetscSinReal(PETSC_PI * (PetscReal)(i + 1) * s->h);
    u[i - first] = g * shape;
    v[i - first] = dg * shape;
  }
  PetscCall(VecRestoreArrayWrite(V, &v));
  PetscCall(VecRestoreArrayWrite(U, &u));
  PetscFunctionReturn(0);
}

int main(int argc, char* argv[]) {
  TS ts;
  Vec U, V, R, exact_u, exact_v;
  Mat J;
  PetscInt n = 199, steps;
  PetscReal t, error_u, error_v;
  String s = {NULL, 1, 0.1, 0};
  TSType type;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, help));
  PetscOptionsBegin(PETSC_COMM_WORLD, NULL, "String", NULL);
  PetscCall(PetscOptionsInt("-n", "interior points", NULL, n, &n, NULL));
  PetscCall(PetscOptionsReal("-wave_speed", "c", NULL, s.c, &s.c, NULL));
  PetscCall(PetscOptionsReal("-friction", "e", NULL, s.e, &s.e, NULL));
  PetscOptionsEnd();
  s.h = 1 / (PetscReal)(n + 1);

  PetscCall(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, n, 1, 1, NULL, &s.dm));
  PetscCall(DMSetFromOptions(s.dm));
  PetscCall(DMSetUp(s.dm));
  PetscCall(DMCreateMatrix(s.dm, &J));
  PetscCall(DMCreateGlobalVector(s.dm, &U));
  PetscCall(VecDuplicate(U, &V));
  PetscCall(VecDuplicate(U, &R));
  PetscCall(VecDuplicate(U, &exact_u));
  PetscCall(VecDuplicate(U, &exact_v));

  PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
  PetscCall(TSSetType(ts, TSALPHA2));
  PetscCall(TSSetTimeStep(ts, 0.01));
  PetscCall(TSSetMaxTime(ts, 1.9));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  PetscCall(TSSetI2Function(ts, R, Residual, &s));
  PetscCall(TSSetI2Jacobian(ts, J, J, Tangent, &s));
  PetscCall(Exact(&s, 0, U, V));
  PetscCall(TS2SetSolution(ts, U, V));
  PetscCall(TSSetFromOptions(ts));
  PetscCall(TSSolve(ts, NULL));

  PetscCall(TSGetTime(ts, &t));
  PetscCall(TSGetStepNumber(ts, &steps));
  PetscCall(TSGetType(ts, &type));
  PetscCall(Exact(&s, t, exact_u, exact_v));
  PetscCall(VecAXPY(exact_u, -1, U));
  PetscCall(VecAXPY(exact_v, -1, V));
  PetscCall(VecNorm(exact_u, NORM_INFINITY, &error_u));
  PetscCall(VecNorm(exact_v, NORM_INFINITY, &error_v));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: t %g, %" PetscInt_FMT " steps, error of u %.3e, of u' %.3e\n", type,
                        (double)t, steps, (double)error_u, (double)error_v));

  PetscCall(VecDestroy(&exact_v));
  PetscCall(VecDestroy(&exact_u));
  PetscCall(VecDestroy(&R));
  PetscCall(VecDestroy(&V));
  PetscCall(VecDestroy(&U));
  PetscCall(MatDestroy(&J));
  PetscCall(TSDestroy(&ts));
  PetscCall(DMDestroy(&s.dm));
  PetscCall(PetscFinalize());
  return 0;
}
