#include "scree/terrain/spectrum.hpp"

#include <unsupported/Eigen/FFT>

#include "scree/core/maths.hpp"
#include "scree/terrain/height_field.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {
using Complex = std::complex<double>;

/// e^(2 pi i k / n), 0 <= k < n, from an angle of at most pi/4.
Complex turn(std::int64_t k, std::int64_t n) {
  const std::int64_t quarter = 4 * k / n, rest = 4 * k - quarter * n;  // angle = (quarter + rest / n) pi/2
  const bool beyond = 2 * rest > n;
  const auto share = static_cast<double>(beyond ? n - rest : rest) / static_cast<double>(n);
  const maths::SineCosine a = maths::sine_cosine(0.5 * kPi * share);
  const double c = beyond ? a.sine : a.cosine, s = beyond ? a.cosine : a.sine;
  return quarter == 0   ? Complex(c, s)
         : quarter == 1 ? Complex(-s, c)
         : quarter == 2 ? Complex(-c, -s)
                        : Complex(s, -c);
}

/// Eigen's transform with sines that are the same on every machine: its own come from the C library.
struct PortableFft : Eigen::internal::kissfft_impl<double> {
  void prepare(int n, bool real) {
    for (const bool inverse : {false, true}) {
      auto& twiddles = get_plan(n, inverse).m_twiddles;
      for (int k = 0; k < n; ++k) twiddles[k] = inverse ? turn(k, n) : std::conj(turn(k, n));
    }
    if (!real || n % 4 != 0) return;
    prepare(n / 2, false);
    Complex* twiddles = real_twiddles(n / 4);
    for (int k = 1; k <= n / 4; ++k)
      twiddles[k - 1] = std::conj(turn(4 * std::int64_t{k} + n, 4 * std::int64_t{n}));
  }
};
using Fft = Eigen::FFT<double, PortableFft>;

/// Columns fetched side by side: one cache line of single-precision coefficients.
constexpr int kColumns = 8;
}  // namespace

RealSpectrum::RealSpectrum(int nx, int ny, int spare_rows)
    : nx_(nx), ny_(ny), stride_(2 * (static_cast<std::size_t>(nx) / 2 + 1)) {
  const std::size_t size = stride_ * static_cast<std::size_t>(ny + spare_rows) + kHeightSlack;
  check_memory(size * sizeof(float), "spectrum");
  data_.resize(size);
}

void RealSpectrum::transform_columns(bool forward, int threads) {
  if (ny_ == 1) return;  // the transform of one value is that value, and Eigen's cannot take it
  const int columns = nx_ / 2 + 1;
  in_parallel(threads, (columns + kColumns - 1) / kColumns, [&](int begin, int end) {
    Fft fft;
    fft.impl().prepare(ny_, false);
    if (forward) fft.SetFlag(Fft::Unscaled);
    std::vector<Complex> in(static_cast<std::size_t>(ny_) * kColumns), out(ny_);
    for (int block = begin; block < end; ++block) {
      const int k0 = block * kColumns, width = std::min(kColumns, columns - k0);
      for (int j = 0; j < ny_; ++j) {
        for (int s = 0; s < width; ++s) in[static_cast<std::size_t>(s) * ny_ + j] = coefficient(k0 + s, j);
      }
      for (int s = 0; s < width; ++s) {
        Complex* line = in.data() + static_cast<std::size_t>(s) * ny_;
        forward ? fft.fwd(out.data(), line, ny_) : fft.inv(out.data(), line, ny_);
        std::copy(out.begin(), out.end(), line);
      }
      for (int j = 0; j < ny_; ++j) {
        for (int s = 0; s < width; ++s) set_coefficient(k0 + s, j, in[static_cast<std::size_t>(s) * ny_ + j]);
      }
    }
  });
}

void RealSpectrum::forward(int threads) {
  in_parallel(threads, ny_, [&](int begin, int end) {
    if (nx_ == 1) {
      for (int j = begin; j < end; ++j) set_coefficient(0, j, row(j)[0]);
      return;
    }
    Fft fft;
    fft.impl().prepare(nx_, true);
    fft.SetFlag(Fft::HalfSpectrum);
    std::vector<double> line(nx_);
    std::vector<Complex> out(nx_ / 2 + 1);
    for (int j = begin; j < end; ++j) {
      std::copy_n(row(j), nx_, line.begin());
      fft.fwd(out.data(), line.data(), nx_);
      for (int k = 0; k <= nx_ / 2; ++k) set_coefficient(k, j, out[k]);
    }
  });
  transform_columns(true, threads);
}

void RealSpectrum::inverse(int threads) {
  transform_columns(false, threads);
  if (nx_ == 1) return;  // a row is its coefficient's real part already
  in_parallel(threads, ny_, [&](int begin, int end) {
    Fft fft;
    fft.impl().prepare(nx_, true);
    fft.SetFlag(Fft::HalfSpectrum);
    std::vector<double> line(nx_);
    std::vector<Complex> in(nx_ / 2 + 1);
    for (int j = begin; j < end; ++j) {
      for (int k = 0; k <= nx_ / 2; ++k) in[k] = coefficient(k, j);
      fft.inv(line.data(), in.data(), nx_);
      std::transform(line.begin(), line.end(), row(j), [](double z) { return static_cast<float>(z); });
    }
  });
}

bool is_good_length(int n) {
  if (n < 1) return false;
  for (const int p : {2, 3, 5, 7, 11, 13}) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

int good_length_above(int n) {
  n += n % 2;
  while (!is_good_length(n)) n += 2;
  return n;
}

int good_length_below(int n) {
  while (n > 1 && !is_good_length(n)) --n;
  return n;
}

}  // namespace scree
