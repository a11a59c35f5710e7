#pragma once
/// Two-dimensional Fourier transform of a real field, in place and in single precision storage, so that a
/// field of 10,000 x 10,000 is transformed in the 400 MB that it fills anyway.
#include <complex>
#include <cstddef>
#include <vector>

namespace scree {

/// Rows of nx reals, or of nx/2 + 1 complex coefficients (the other half is their conjugate), in one buffer.
/// Lines are transformed in double by Eigen's FFT.
class RealSpectrum {
 public:
  /// `nx`, `ny` should have small prime factors (is_good_length); others work, slowly. `spare_rows` are rows
  /// of storage kept behind the last, for a caller that takes the storage over.
  RealSpectrum(int nx, int ny, int spare_rows = 0);

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  /// Distance from row to row [floats]; a row may hold up to stride() samples.
  std::size_t stride() const { return stride_; }

  float* row(int j) { return data_.data() + static_cast<std::size_t>(j) * stride_; }
  const float* row(int j) const { return data_.data() + static_cast<std::size_t>(j) * stride_; }
  /// Coefficient of wave numbers kx in [0, nx/2], ky in [0, ny) (ky > ny/2 stands for ky - ny).
  std::complex<double> coefficient(int kx, int ky) const {
    const float* at = row(ky) + 2 * kx;
    return {at[0], at[1]};
  }
  void set_coefficient(int kx, int ky, std::complex<double> z) {
    float* at = row(ky) + 2 * kx;
    at[0] = static_cast<float>(z.real()), at[1] = static_cast<float>(z.imag());
  }

  /// Samples -> coefficients: z[kx, ky] = sum over samples of Z exp(-2 pi i (...)) (no factor).
  void forward(int threads = 1);
  /// Coefficients -> samples: Z = 1/(nx ny) sum of z exp(+2 pi i (...)) (Yokokohji 2002, Eq. 5).
  void inverse(int threads = 1);

  std::vector<float> take() && { return std::move(data_); }

 private:
  void transform_columns(bool forward, int threads);

  int nx_, ny_;
  std::size_t stride_;
  std::vector<float> data_;
};

/// Whether n factors into 2, 3, 5, 7, 11, 13.
bool is_good_length(int n);
/// The next good even length at or above n, and the last good length at or below n.
int good_length_above(int n);
int good_length_below(int n);

}  // namespace scree
