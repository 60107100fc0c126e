// The rates of deal.II's matrix-free operators on the problems of `gearshift-bench operator`, for comparison.
//
// Debian builds libdeal.ii for one lane. Templates on the number of lanes are instantiated here for the machine's own
// width, with a copy of deal.II's config.h in front (compare.sh makes it).
//
//   dealii <degree> <general|cartesian>
//
// reads the names of products from standard input. For each line it runs once: zeroing of the result, gathering,
// evaluating, integrating and scattering on 2.7 million unknowns, and prints a line "product MDoF/s_wall MDoF/s_cpu".
// Products: elastic; tangent (neo-Hooke; on general cells in the current configuration with the stress and two moduli
// per point, the best variant of Davydov et al., IJNME 121, 2020; on Cartesian cells in the reference configuration
// with F^-T and one modulus, so that the cells stay Cartesian); residual (neo-Hooke, one logarithm per point).
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/evaluation_template_factory.templates.h>
#include <deal.II/matrix_free/evaluation_template_factory_hanging_nodes.templates.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/mapping_info.templates.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/matrix_free/matrix_free.templates.h>
#include <deal.II/matrix_free/shape_info.templates.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <string>

using namespace dealii;
using Lanes = VectorizedArray<double>;
using Field = LinearAlgebra::distributed::Vector<double>;
using Range = std::pair<unsigned int, unsigned int>;
using Tensor2 = Tensor<2, 3, Lanes>;

#if DEAL_II_VECTORIZATION_WIDTH_IN_BITS != 0
// Face terms are never used; this keeps their many instantiations out of the program.
template <>
void internal::FEFaceEvaluationFactory<3, Lanes>::evaluate(const unsigned int, const EvaluationFlags::EvaluationFlags,
                                                           const Lanes*, FEEvaluationData<3, Lanes, true>&) {
  std::abort();
}
#endif

namespace {

constexpr double lambda = 0.6, mu = 0.4;

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct Current {  // Kirchhoff stress over det F at a point; twice mu - lambda ln J and lambda over det F
  SymmetricTensor<2, 3, Lanes> stress;
  Lanes shear, bulk;
};
struct Material {  // of a point: F^-T and mu - lambda ln J
  Tensor2 inverse;
  Lanes modulus;
};

template <int degree>
class Problem {
  using Mesh = MatrixFree<3, double, Lanes>;
  using Cell = FEEvaluation<3, degree, degree + 1, 3, double, Lanes>;

 public:
  Problem(int cells, bool general) : mesh_(MPI_COMM_WORLD), element_(FE_Q<3>(degree), 3), dofs_(mesh_) {
    GridGenerator::subdivided_hyper_cube(mesh_, cells);
    if (general)
      GridTools::transform(
          [](const Point<3>& x) {
            return Point<3>(x[0] + 0.04 * x[1] * x[2] + 0.03 * x[2] * x[2],
                            x[1] + 0.05 * x[0] * x[0] - 0.03 * x[0] * x[2],
                            x[2] + 0.04 * x[0] * x[1] + 0.02 * x[1] * x[1]);
          },
          mesh_);
    dofs_.distribute_dofs(element_);
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(dofs_, relevant);
    held_.reinit(relevant);
    DoFTools::make_zero_boundary_constraints(dofs_, held_);
    held_.close();
    typename Mesh::AdditionalData data;
    data.tasks_parallel_scheme = Mesh::AdditionalData::none;
    data.mapping_update_flags = update_gradients | update_JxW_values;
    free_.reinit(MappingQ<3>(1), dofs_, held_, QGauss<1>(degree + 1), data);
    for (Field* field : {&u_, &x_, &y_}) free_.initialize_dof_vector(*field);
    for (unsigned int i = 0; i < x_.locally_owned_size(); ++i) {
      x_.local_element(i) = std::sin(1 + 0.37 * (i % 1013));
      u_.local_element(i) = 1e-4 / (degree * degree) * x_.local_element(i);
    }
    for (Field* field : {&u_, &x_}) held_.set_zero(*field);
  }

  void serve(bool general) {
    std::map<std::string, std::function<void()>> products;
    const auto product = [&](const char* what, const Field& in, auto&& at_points) {
      const std::function<void(const Mesh&, Field&, const Field&, const Range&)> loop =
          [at_points](const Mesh& mesh, Field& out, const Field& from, const Range& range) {
            Cell cell(mesh);
            for (unsigned int batch = range.first; batch < range.second; ++batch) {
              cell.reinit(batch);
              cell.gather_evaluate(from, EvaluationFlags::gradients);
              at_points(cell, batch * points);
              cell.integrate_scatter(EvaluationFlags::gradients, out);
            }
          };
      products[what] = [this, loop, &in] { free_.template cell_loop<Field, Field>(loop, y_, in, true); };
    };
    product("elastic", x_, [](Cell& cell, unsigned int) {
      for (unsigned int q = 0; q < points; ++q) {
        auto strain = cell.get_symmetric_gradient(q);
        const Lanes pressure = lambda * trace(strain);
        strain *= Lanes(2 * mu);
        for (int i = 0; i < 3; ++i) strain[i][i] += pressure;
        cell.submit_symmetric_gradient(strain, q);
      }
    });
    linearize();
    if (general)
      product("tangent", x_, [this](Cell& cell, unsigned int first) {
        const Current* data = &current_[first];
        for (unsigned int q = 0; q < points; ++q) {
          const Tensor2 g = cell.get_gradient(q);
          const Current& s = data[q];
          const Lanes volume = s.bulk * (g[0][0] + g[1][1] + g[2][2]);
          Tensor2 P = g * Tensor2(s.stress);
          for (int i = 0; i < 3; ++i) {
            P[i][i] += volume + s.shear * g[i][i];
            for (int j = i + 1; j < 3; ++j) {
              const Lanes other = 0.5 * s.shear * (g[i][j] + g[j][i]);
              P[i][j] += other;
              P[j][i] += other;
            }
          }
          cell.submit_gradient(P, q);
        }
      });
    else
      product("tangent", x_, [this](Cell& cell, unsigned int first) {
        const Material* data = &material_[first];
        for (unsigned int q = 0; q < points; ++q) {
          const Material& s = data[q];
          const Tensor2 g = cell.get_gradient(q), pulled = transpose(g) * s.inverse;
          Tensor2 P = s.modulus * (s.inverse * pulled) + mu * g;
          P += (lambda * trace(pulled)) * s.inverse;
          cell.submit_gradient(P, q);
        }
      });
    product("residual", u_, [](Cell& cell, unsigned int) {
      for (unsigned int q = 0; q < points; ++q) {
        Tensor2 F = cell.get_gradient(q);
        for (int i = 0; i < 3; ++i) F[i][i] += 1.;
        const Lanes factor = lambda * std::log(determinant(F)) - mu;
        cell.submit_gradient(Tensor2(mu * F + factor * transpose(invert(F))), q);
      }
    });
    for (std::string what; std::getline(std::cin, what);) {
      const double start = MPI_Wtime(), used = processor_time();
      products.at(what)();
      const double clock = processor_time() - used, wall = MPI_Wtime() - start,
                   unknowns = 1e-6 * double(dofs_.n_dofs());
      std::printf("%s %.2f %.2f\n", what.c_str(), unknowns / wall, unknowns / clock);
      std::fflush(stdout);
    }
  }

 private:
  static constexpr unsigned int points = (degree + 1) * (degree + 1) * (degree + 1);

  void linearize() {
    current_.resize(free_.n_cell_batches() * points);
    material_.resize(free_.n_cell_batches() * points);
    u_.update_ghost_values();
    Cell cell(free_);
    for (unsigned int batch = 0; batch < free_.n_cell_batches(); ++batch) {
      cell.reinit(batch);
      cell.gather_evaluate(u_, EvaluationFlags::gradients);
      for (unsigned int q = 0; q < points; ++q) {
        Tensor2 F = cell.get_gradient(q);
        for (int i = 0; i < 3; ++i) F[i][i] += 1.;
        const Lanes J = determinant(F), logarithm = std::log(J);
        const Tensor2 b = F * transpose(F);
        Current& s = current_[batch * points + q];
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j)
            s.stress[i][j] = (mu * b[i][j] + (i == j ? lambda * logarithm - mu : Lanes(0.))) / J;
        s.shear = 2. * (mu - lambda * logarithm) / J;
        s.bulk = lambda / J;
        material_[batch * points + q] = {transpose(invert(F)), mu - lambda * logarithm};
      }
    }
    u_.zero_out_ghost_values();
  }

  parallel::distributed::Triangulation<3> mesh_;
  FESystem<3> element_;
  DoFHandler<3> dofs_;
  AffineConstraints<double> held_;
  Mesh free_;
  Field u_, x_, y_;
  AlignedVector<Current> current_;
  AlignedVector<Material> material_;
};

}  // namespace

int main(int argc, char** argv) {
  const Utilities::MPI::MPI_InitFinalize session(argc, argv, 1);
  if (argc < 3) return 2;
  const int degree = std::atoi(argv[1]);
  const bool general = std::string(argv[2]) == "general";
  switch (degree) {
    case 1:
      Problem<1>(96, general).serve(general);
      break;
    case 2:
      Problem<2>(48, general).serve(general);
      break;
    case 3:
      Problem<3>(32, general).serve(general);
      break;
    case 4:
      Problem<4>(24, general).serve(general);
      break;
    default:
      return 2;
  }
}
