"""Calls of SciPy, of all its sub-packages, as a program writes them.

Each is evaluated twice: with NumPy and SciPy, and with numpy_shim and its module ``scipy``. The
names are those of ``names``: the sub-packages, ``np``, and arrays of fixed values.
"""

from __future__ import annotations

import importlib
import io
import math
from typing import Any

SUBPACKAGES = (
    "cluster", "constants", "datasets", "differentiate", "fft", "fftpack", "integrate",
    "interpolate", "io", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial", "special",
    "stats",
)  # fmt: skip

CALLS: dict[str, str] = {
    "special": """
        special.erf(x)
        special.erfc(x)
        special.erfinv(x / 10)
        special.gamma(x + 1)
        special.gammaln(x + 1)
        special.digamma(x + 1)
        special.polygamma(1, x + 1)
        special.beta(x + 1, 2.0)
        special.betainc(2.0, 3.0, u)
        special.gammainc(2.0, x)
        special.gammaincinv(2.0, u)
        special.j0(x)
        special.jv(2, x)
        special.yn(1, x + 1)
        special.iv(1, x)
        special.kv(1, x + 1)
        special.airy(x)
        special.ellipk(u)
        special.ellipj(x, 0.5)
        special.expit(x)
        special.logit(u)
        special.logsumexp(m, axis=0)
        special.softmax(m, axis=1)
        special.log_softmax(m, axis=1)
        special.xlogy(x, x + 1)
        special.entr(u)
        special.rel_entr(u, u[::-1])
        special.kl_div(u, u[::-1])
        special.comb(10, k)
        special.perm(10, k)
        special.factorial(k)
        special.binom(10, k)
        special.zeta(x + 2)
        special.exp1(x + 1)
        special.expi(x + 1)
        special.sici(x + 1)
        special.fresnel(x)
        special.hyp2f1(1.0, 2.0, 3.0, u / 2)
        special.hyp1f1(1.0, 2.0, x)
        special.lambertw(x)
        special.wofz(x + 1j * x)
        special.wofz(x)
        special.ndtr(x)
        special.ndtri(u)
        special.log_ndtr(x)
        special.huber(1.0, x)
        special.cbrt(x)
        special.sinc(x)
        special.exprel(x)
        special.eval_legendre(3, u)
        special.eval_chebyt(k, 0.5)
        special.eval_hermite(2, x)
        special.roots_legendre(4)
        special.roots_hermite(5)
        special.legendre(3)(x)
        special.spherical_jn(1, x + 1)
        special.jn_zeros(0, 3)
        special.bernoulli(4)
        special.erf(x, out=np.zeros(24))
        special.multigammaln(x + 5, 2)
        special.jv(k[:, None], x)
        special.diric(x, 5)
        special.stirling2(5, k)
        special.sph_harm_y(1, 0, u, u)
    """,
    "signal": """
        signal.lfilter([1.0, 2.0], [1.0, 0.1], x)
        signal.filtfilt([0.2, 0.3], [1.0, -0.5], long)
        signal.sosfilt(signal.butter(4, 0.2, output="sos"), long)
        signal.sosfiltfilt(signal.butter(2, 0.2, output="sos"), long)
        signal.lfilter_zi([0.2, 0.3], [1.0, -0.5])
        signal.butter(4, 0.2)
        signal.cheby1(3, 1.0, 0.3)
        signal.ellip(3, 1.0, 20.0, [0.2, 0.4], "bandpass")
        signal.firwin(9, 0.3)
        signal.firwin2(15, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0])
        signal.remez(11, [0, 0.1, 0.2, 0.5], [1, 0])
        signal.freqz([1.0, 0.5], [1.0], worN=16)
        signal.sosfreqz(signal.butter(2, 0.2, output="sos"), worN=16)
        signal.convolve(x, y)
        signal.fftconvolve(x, y, mode="same")
        signal.oaconvolve(long, y)
        signal.correlate(x, y)
        signal.correlation_lags(5, 3)
        signal.convolve2d(m, m[:3, :3], mode="same")
        signal.correlate2d(m, m[:3, :3])
        signal.welch(long, nperseg=32)
        signal.periodogram(long)
        signal.csd(long, long[::-1], nperseg=32)
        signal.coherence(long, long**2, nperseg=32)
        signal.spectrogram(long, nperseg=32)
        signal.stft(long, nperseg=32)
        signal.istft(signal.stft(long, nperseg=32)[2])
        signal.lombscargle(x, y2, [1.0, 2.0])
        signal.hilbert(x)
        signal.detrend(x)
        signal.decimate(long, 2)
        signal.resample(x, 12)
        signal.resample_poly(long, 2, 3)
        signal.upfirdn([1.0, 1.0], x, 2)
        signal.savgol_filter(x, 5, 2)
        signal.medfilt(x, 3)
        signal.medfilt2d(m, 3)
        signal.wiener(m, 3)
        signal.order_filter(x, np.ones(3), 1)
        signal.find_peaks(long, height=0.1)
        signal.find_peaks_cwt(long, [2.0, 3.0])
        signal.peak_prominences(long, signal.find_peaks(long)[0])
        signal.peak_widths(long, signal.find_peaks(long)[0])
        signal.argrelextrema(long, np.greater)
        signal.get_window("hann", 8)
        signal.windows.hann(8)
        signal.windows.dpss(16, 2.5, 2)
        signal.windows.kaiser(8, 5.0)
        signal.chirp(x, 1.0, 2.0, 3.0)
        signal.square(x)
        signal.sawtooth(x)
        signal.gausspulse(x)
        signal.unit_impulse(5, 2)
        signal.tf2zpk([1.0, 2.0], [1.0, 0.5])
        signal.tf2sos([1.0, 2.0], [1.0, 0.5])
        signal.zpk2tf([0.5], [0.2], 2.0)
        signal.residue([1.0], [1.0, 3.0, 2.0])
        signal.step(([1.0], [1.0, 1.0]))
        signal.impulse(signal.lti([1.0], [1.0, 1.0]))
        signal.lsim(([1.0], [1.0, 1.0]), x, np.linspace(0, 1, 24))
        signal.dlsim(([1.0], [1.0, 0.5], 1.0), x)
        signal.bode(([1.0], [1.0, 1.0]))
        signal.cont2discrete(([1.0], [1.0, 1.0]), 0.1)
        signal.StateSpace([[0.0, 1.0], [-1.0, -1.0]], [[0.0], [1.0]], [[1.0, 0.0]], [[0.0]]).to_tf().num
        signal.czt(x, 8)
        signal.ShortTimeFFT(np.ones(8), 4, 1.0).stft(long)
        signal.max_len_seq(4)
        signal.vectorstrength(x, 2.0)
        signal.cspline1d(x)
    """,
    "ndimage": """
        ndimage.gaussian_filter(m, 1.0)
        ndimage.gaussian_filter1d(x, 2.0)
        ndimage.gaussian_laplace(m, 1.0)
        ndimage.gaussian_gradient_magnitude(m, 1.0)
        ndimage.uniform_filter(m, 3)
        ndimage.median_filter(m, 3)
        ndimage.maximum_filter(m, 3)
        ndimage.minimum_filter(m, size=3)
        ndimage.percentile_filter(m, 30, 3)
        ndimage.rank_filter(m, 2, 3)
        ndimage.sobel(m)
        ndimage.prewitt(m)
        ndimage.laplace(m)
        ndimage.convolve(m, [[0.0, 1.0], [1.0, 0.0]])
        ndimage.convolve1d(m, [1.0, 2.0, 1.0], axis=0)
        ndimage.correlate(m, np.ones((3, 3)))
        ndimage.generic_filter(m, lambda w: np.max(w) - np.min(w), size=3)
        ndimage.generic_filter(m, np.mean, size=3)
        ndimage.label(m > 20)
        ndimage.find_objects(ndimage.label(m > 20)[0])
        ndimage.sum_labels(m, i8, [0, 1, 2])
        ndimage.mean(m, i8, [0, 1])
        ndimage.standard_deviation(m, i8, [0, 1])
        ndimage.extrema(m, i8, [1, 2])
        ndimage.center_of_mass(m, i8, [1, 2])
        ndimage.maximum_position(m)
        ndimage.labeled_comprehension(m, i8, [1, 2], np.max, float, 0)
        ndimage.histogram(m, 0, 60, 6)
        ndimage.binary_erosion(m > 20)
        ndimage.binary_dilation(m > 40, iterations=2)
        ndimage.binary_opening(m > 20)
        ndimage.binary_fill_holes(m > 20)
        ndimage.grey_erosion(m, 3)
        ndimage.white_tophat(m, 3)
        ndimage.morphological_gradient(m, 3)
        ndimage.generate_binary_structure(2, 1)
        ndimage.distance_transform_edt(m > 20)
        ndimage.distance_transform_edt(m > 20, return_indices=True)
        ndimage.distance_transform_cdt(m > 20)
        ndimage.watershed_ift(m.astype(np.uint8), i8)
        ndimage.zoom(m, 2)
        ndimage.rotate(m, 30.0)
        ndimage.shift(m, (1.0, 0.5))
        ndimage.affine_transform(m, np.eye(2) * 0.5)
        ndimage.map_coordinates(m, np.stack([x[:5] + 1, x[:5] + 2]), order=1)
        ndimage.geometric_transform(m, lambda c: (c[0] - 0.5, c[1] - 0.5))
        ndimage.spline_filter(m)
        ndimage.fourier_gaussian(np.fft.fft2(m), 1.0)
        ndimage.gaussian_filter(m, 1.0, output=np.zeros((8, 8)))
        ndimage.value_indices(i8)[1]
    """,
    "stats": """
        stats.norm.pdf(x)
        stats.norm(loc=x).cdf(0.5)
        stats.norm.ppf(u)
        stats.norm.fit(x)
        stats.t(5).sf(x)
        stats.gamma.logpdf(x + 1, 2.0)
        stats.expon.rvs(size=3, random_state=0)
        stats.norm.rvs(size=3, random_state=np.random.default_rng(0))
        stats.poisson.pmf(k, 2.0)
        stats.binom(10, 0.3).cdf(k)
        stats.multivariate_normal.pdf(np.zeros((2, 2)), [0.0, 0.0], np.eye(2))
        stats.multivariate_normal([0.0, 0.0], np.eye(2)).rvs(3, random_state=1)
        stats.dirichlet.mean([1.0, 2.0, 3.0])
        stats.wishart(3, np.eye(2)).rvs(random_state=0)
        stats.rv_discrete(values=([1, 2], [0.4, 0.6])).pmf(k)
        stats.rv_histogram(np.histogram(x, 5)).pdf(u)
        stats.gaussian_kde(x)(u)
        stats.ecdf(x).cdf.probabilities
        stats.describe(x)
        stats.pearsonr(x, x * x)
        stats.pearsonr(x, [float(v) for v in range(24)])
        stats.spearmanr(x, y2)
        stats.kendalltau(x, y2)
        stats.linregress(x, y2)
        stats.theilslopes(x, y2)
        stats.ttest_ind(x, y2)
        stats.ttest_ind(x, y2).confidence_interval()
        stats.ttest_1samp(x, 0.5)
        stats.ttest_rel(x, y2)
        stats.f_oneway(x, y2, x * 2)
        stats.kruskal(x, y2)
        stats.mannwhitneyu(x, y2)
        stats.wilcoxon(x - 0.7)
        stats.ks_2samp(x, y2)
        stats.kstest(x, "norm")
        stats.kstest(x, stats.norm.cdf)
        stats.shapiro(x)
        stats.normaltest(long)
        stats.anderson(x, "norm", method="interpolate")
        stats.jarque_bera(x)
        stats.levene(x, y2)
        stats.bartlett(x, y2)
        stats.chi2_contingency(np.asarray([[10.0, 20.0], [30.0, 5.0]]))
        stats.chisquare([16.0, 18.0, 16.0, 14.0])
        stats.fisher_exact([[8, 2], [1, 5]])
        stats.zscore(x)
        stats.skew(x)
        stats.kurtosis(m)
        stats.sem(m)
        stats.gmean(x + 1)
        stats.hmean(x + 1)
        stats.mode(i8)
        stats.iqr(x)
        stats.moment(x, 3)
        stats.variation(m + 1)
        stats.entropy(u)
        stats.rankdata(y2)
        stats.trim_mean(x, 0.1)
        stats.percentileofscore(x, 0.5)
        stats.binned_statistic(x, y2, "mean", 4)
        stats.binned_statistic(x, y2, lambda v: np.sum(v), 4)
        stats.boxcox(x + 1)  # 1e-7
        stats.yeojohnson(x)  # 1e-7
        stats.sigmaclip(x)
        stats.cumfreq(x, 4)
        stats.bootstrap((x,), np.mean, rng=np.random.default_rng(0), n_resamples=50).standard_error
        stats.permutation_test((x, y2), lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis), vectorized=True, n_resamples=20, rng=0).null_distribution
        stats.qmc.Sobol(2, scramble=False).random(4)
        stats.qmc.discrepancy(np.stack([u, u[::-1]], axis=1))
        stats.contingency.crosstab(i8[0], i8[1])
        stats.directional_stats(m[:, :3])
        stats.tukey_hsd(x, y2, x * 2).pvalue
        stats.Normal(mu=1.0).pdf(x)
        stats.mstats.gmean(np.arange(1.0, 10.0))
    """,
    "linalg": """
        linalg.solve(m, b)
        linalg.inv(m)
        linalg.det(m)
        linalg.svd(m)
        linalg.svdvals(m)
        (lambda w, v: (w, v / v[0]))(*linalg.eig(m))  # 1e-12
        linalg.eigh(m + m.T)[0]
        linalg.eigvals(m)
        linalg.qr(m)
        linalg.lu(m)
        linalg.lu_factor(m)
        linalg.lu_solve(linalg.lu_factor(m), b)
        linalg.cholesky(m @ m.T + 8 * np.eye(8))
        linalg.cho_solve(linalg.cho_factor(m @ m.T + 8 * np.eye(8)), b)
        (lambda t, z: z @ t @ z.T)(*linalg.schur(m))
        linalg.hessenberg(m)
        linalg.expm(m / 50)
        linalg.logm(m @ m.T + 8 * np.eye(8))
        linalg.sqrtm(m @ m.T + 8 * np.eye(8))
        linalg.funm(m / 50, lambda v: np.exp(v))
        linalg.pinv(m)
        linalg.lstsq(m, b)
        linalg.norm(m)
        linalg.null_space(m[:3])
        linalg.orth(m)
        linalg.toeplitz(b)
        linalg.circulant(b)
        linalg.hilbert(3)
        linalg.block_diag(m[:2, :2], m[:1, :1])
        linalg.solve_triangular(np.triu(m), b)
        linalg.solve_banded((1, 1), np.ones((3, 8)) * [[1.0], [4.0], [1.0]], b)
        linalg.solve_toeplitz(b + [9.0, 0, 0, 0, 0, 0, 0, 0], b)
        linalg.solve_sylvester(m, m.T, m)  # 1e-12
        linalg.polar(m)
        linalg.khatri_rao(m[:2], m[:3])
        linalg.bandwidth(np.triu(m))
        linalg.blas.dgemm(1.0, m, m)
        linalg.get_lapack_funcs("getrf", (m,))(m)
        linalg.interpolative.svd(m, 3, rng=0)
    """,
    "fft": """
        fft.fft(x)
        fft.ifft(x)
        fft.rfft(x)
        fft.irfft(fft.rfft(x))
        fft.fft2(m)
        fft.fftn(m, axes=[0])
        fft.dct(x)
        fft.idct(x, norm="ortho")
        fft.dst(x, 2)
        fft.dctn(m)
        fft.hfft(x)
        fft.fftfreq(8, 0.5)
        fft.rfftfreq(8, 0.5)
        fft.fftshift(x)
        fft.fht(x, 0.1, 0.5)
        fft.next_fast_len(17)
        fftpack.rfft(x)
        fftpack.dct(x)
        fftpack.hilbert(x)
    """,
    "interpolate": """
        interpolate.CubicSpline(t, x)(u)
        interpolate.CubicSpline(t, x).c
        interpolate.CubicSpline(t, x).derivative()(u)
        interpolate.CubicSpline(t, x).integrate(0.0, 3.0)
        interpolate.PchipInterpolator(t, x)(u)
        interpolate.Akima1DInterpolator(t, x)(u)
        interpolate.interp1d(t, x)(u)
        interpolate.interp1d(t, x, kind="nearest")([0.2, 1.7])
        interpolate.make_interp_spline(t, x)(u)
        interpolate.BSpline([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0], 2)(u + 2)
        interpolate.UnivariateSpline(t, x)(u)
        interpolate.splrep(t, x)
        interpolate.splev(u, interpolate.splrep(t, x))
        interpolate.splprep([t, x], s=0)[1]
        interpolate.splint(1.0, 5.0, interpolate.make_interp_spline(t, x))
        interpolate.insert(2.5, interpolate.make_interp_spline(t, x)).t
        interpolate.splantider(interpolate.make_interp_spline(t, x)).c
        interpolate.make_lsq_spline(t, x, np.asarray([0.0] * 4 + [7.5, 15.0] + [23.0] * 4)).c
        interpolate.RegularGridInterpolator((np.arange(8.0), np.arange(8.0)), m)(np.stack([u, u], 1))
        interpolate.interpn((np.arange(8.0), np.arange(8.0)), m, [[1.5, 2.5]])
        interpolate.RectBivariateSpline(np.arange(8.0), np.arange(8.0), m)(u, u)
        interpolate.griddata(points, points[:, 0], [[0.5, 0.5]])
        interpolate.LinearNDInterpolator(points, points[:, 0])(0.5, 0.5)
        interpolate.NearestNDInterpolator(points, points[:, 0])(u, u)
        interpolate.RBFInterpolator(points, points[:, 0])(points[:2] + 0.1)
        interpolate.barycentric_interpolate(t[:5], x[:5], u)
        interpolate.KroghInterpolator(t[:5], x[:5])(u)
        interpolate.PPoly([[1.0, 2.0], [3.0, 4.0]], [0.0, 1.0, 2.0])(u)
        interpolate.lagrange([0.0, 1.0, 2.0], [1.0, 2.0, 5.0])(u)
        interpolate.pade([1.0, 1.0, 0.5, 0.1667], 1)[0](u)
        interpolate.make_smoothing_spline(t, x)(u)
    """,
    "integrate": """
        integrate.quad(lambda v: np.exp(-v), 0, 1)
        integrate.quad(math.sin, 0, 1)
        integrate.quad(lambda v, c: c * v, 0, 1, args=(3.0,))
        integrate.quad_vec(lambda v: np.exp(-v * b), 0, 1)
        integrate.dblquad(lambda v, w: v * w, 0, 1, 0, 1)
        integrate.nquad(lambda v, w: v * w, [[0, 1], [0, 1]])
        integrate.fixed_quad(lambda v: np.exp(v), 0.0, 1.0)
        integrate.trapezoid(x, t)
        integrate.simpson(x, x=t)
        integrate.romb(np.arange(5.0))
        integrate.cumulative_trapezoid(x, t)
        integrate.cumulative_simpson(x, x=t)
        integrate.odeint(lambda v, w: -v * b, np.ones(8), [0.0, 0.5, 1.0])
        integrate.solve_ivp(lambda w, v: -v * b, (0, 1), np.ones(8), t_eval=[0.5, 1.0]).y
        integrate.solve_ivp(lambda w, v: -v, (0, 1), [1.0], dense_output=True).sol(u)
        integrate.solve_ivp(lambda w, v: -2 * v, t_span=(0, 4), y0=[1], t_eval=t / 6).y
        integrate.solve_ivp(lambda w, v: -v, (0, 1), [1.0], method="Radau", jac=lambda w, v: np.asarray([[-1.0]])).y
        integrate.solve_bvp(lambda v, w: np.stack([w[1], -w[0]]), lambda p, q: np.stack([p[0], q[0] - 1]), np.linspace(0, 1, 5), np.zeros((2, 5))).y
        integrate.ode(lambda w, v: -v).set_initial_value([1.0], 0.0).integrate(1.0)
        integrate.RK45(lambda w, v: -v, 0.0, np.ones(2), 1.0).y
        integrate.newton_cotes(4)
        integrate.qmc_quad(lambda v: np.sum(v, axis=0), [0, 0], [1, 1], qrng=stats.qmc.Halton(2, rng=0)).integral
        integrate.tanhsinh(lambda v: np.exp(-v), 0.0, 1.0).integral
    """,
    "optimize": """
        optimize.minimize(lambda p: np.sum((p - b) ** 2), np.zeros(8)).x  # 1e-5
        optimize.minimize(lambda p: np.sum((p - b) ** 2), np.zeros(8), jac=lambda p: 2 * (p - b), method="L-BFGS-B").x
        optimize.minimize(lambda p: (np.sum((p - b) ** 2), 2 * (p - b)), np.zeros(8), jac=True, bounds=[(0, 2)] * 8).x
        optimize.minimize(lambda p, q: np.sum((p - q) ** 2), np.zeros(8), args=(b,), method="Nelder-Mead", options={"maxiter": 20}).x
        optimize.minimize(lambda p: np.sum(p**2), [1.0, 1.0], method="SLSQP", constraints={"type": "eq", "fun": lambda p: p[0] - 0.5}).x
        optimize.minimize(lambda p: np.sum(p**2), [1.0, 1.0], method="trust-constr", constraints=optimize.LinearConstraint([[1.0, 1.0]], 1.0, 1.0)).x
        optimize.minimize(lambda p: np.sum(p**2), np.ones(2), bounds=optimize.Bounds(np.full(2, 0.5), np.full(2, 2.0))).x
        optimize.minimize_scalar(lambda v: (v - 2.0) ** 2).x
        optimize.curve_fit(lambda q, a, c: a * q + c, t, 2 * t + 1 + x)
        optimize.least_squares(lambda p: m @ p - b, np.zeros(8)).x
        optimize.leastsq(lambda p: m @ p - b, np.zeros(8))[0]
        optimize.root(lambda p: m @ p - b, np.zeros(8)).x
        optimize.fsolve(lambda p: p**2 - 2, np.ones(2))
        optimize.brentq(lambda v: v**2 - 2, 0, 2)
        optimize.newton(lambda v: v**2 - 2, np.ones(3))
        optimize.bisect(math.cos, 0, 2)
        optimize.root_scalar(lambda v: v**2 - 2, bracket=[0, 2]).root
        optimize.linprog([-1.0, -2.0], A_ub=[[1.0, 1.0]], b_ub=[4.0]).x
        optimize.linprog(-b[:2], A_ub=np.ones((1, 2)), b_ub=np.asarray([4.0])).x
        optimize.milp([-1.0, -1.0], constraints=optimize.LinearConstraint([[1.0, 2.0]], -np.inf, 3.5), integrality=[1, 1]).x
        optimize.nnls(m, b)
        optimize.lsq_linear(m, b).x
        optimize.linear_sum_assignment(m)
        optimize.differential_evolution(lambda p: np.sum(p**2), [(-1, 1), (-1, 1)], rng=0, maxiter=5, polish=False).x
        optimize.dual_annealing(lambda p: np.sum(p**2), [(-1, 1), (-1, 1)], rng=0, maxiter=5).x
        optimize.basinhopping(lambda p: np.sum(p**2), np.ones(2), niter=2, rng=0).x
        optimize.shgo(lambda p: np.sum(p**2), [(-1, 1), (-1, 1)]).x
        optimize.brute(lambda p: np.sum(p**2), ((-1, 1), (-1, 1)), Ns=5)
        optimize.fmin(lambda p: np.sum((p - 1) ** 2), np.zeros(2), disp=False)
        optimize.fmin_bfgs(lambda p: np.sum((p - 1) ** 2), np.zeros(2), disp=False)
        optimize.approx_fprime(np.ones(2), lambda p: np.sum(p**2))
        optimize.check_grad(lambda p: np.sum(p**2), lambda p: 2 * p, np.ones(2))
        optimize.rosen(b)
        optimize.rosen_der(b)
        optimize.fixed_point(lambda v: np.cos(v), 0.5)
        optimize.isotonic_regression(y2).x
        optimize.elementwise.find_root(lambda v: v**2 - 2, (np.zeros(2), np.ones(2) * 2)).x
    """,
    "spatial": """
        spatial.KDTree(points).query(points[:3] + 0.1, k=2)
        spatial.KDTree(points).query_ball_point(points[0], 0.5)
        spatial.KDTree(points).query_pairs(0.4, output_type="ndarray")
        spatial.KDTree(points).count_neighbors(spatial.KDTree(points), 0.5)
        spatial.cKDTree(points).query(points[:3])
        spatial.KDTree(points).data
        spatial.ConvexHull(points).vertices
        spatial.ConvexHull(points).volume
        spatial.Delaunay(points).simplices
        spatial.Delaunay(points).find_simplex(points[:2] * 0.9 + 0.05)
        spatial.Voronoi(points).vertices
        spatial.distance.cdist(points, points)
        spatial.distance.pdist(points, "cityblock")
        spatial.distance.squareform(spatial.distance.pdist(points))
        spatial.distance.cdist(points, points, lambda p, q: np.sum(np.abs(p - q)))
        spatial.distance.euclidean(points[0], points[1])
        spatial.distance.cosine(points[1], points[2])
        spatial.distance_matrix(points, points)
        spatial.procrustes(points, points * 2)
        spatial.geometric_slerp([1.0, 0.0], [0.0, 1.0], u)
        spatial.transform.Rotation.from_euler("z", 90, degrees=True).apply(np.eye(3))
        spatial.transform.Rotation.from_rotvec(np.ones((2, 3))).as_matrix()
        (spatial.transform.Rotation.from_quat([0.0, 0.0, 1.0, 1.0]) * spatial.transform.Rotation.identity()).as_quat()
        spatial.transform.Slerp([0, 1], spatial.transform.Rotation.from_euler("z", [[0.0], [1.0]]))([0.5]).as_euler("zyx")
        spatial.distance.directed_hausdorff(points, points + 0.5)
    """,
    "cluster": """
        cluster.vq.whiten(points)
        cluster.vq.kmeans(points, points[:2])
        cluster.vq.kmeans2(points, points[:2], minit="matrix")
        cluster.vq.vq(points, points[:2])
        cluster.hierarchy.linkage(points)
        cluster.hierarchy.fcluster(cluster.hierarchy.linkage(points), 2, "maxclust")
        cluster.hierarchy.cophenet(cluster.hierarchy.linkage(points))
        cluster.hierarchy.dendrogram(cluster.hierarchy.linkage(points), no_plot=True)["leaves"]
        cluster.hierarchy.leaves_list(cluster.hierarchy.ward(points))
        cluster.hierarchy.to_tree(cluster.hierarchy.ward(points)).pre_order()
    """,
    "sparse": """
        sparse.csr_array(m) @ b
        b @ sparse.csr_array(m)
        (sparse.csr_array(m) + sparse.csr_array(m)).toarray()
        sparse.csr_array(m).data
        sparse.csr_array(m).T.tocsc().indices
        sparse.csr_matrix((x[:3], ([0, 1, 2], [0, 1, 2])), shape=(3, 3)).toarray()
        sparse.coo_array((b, (np.arange(8), np.arange(8)))).toarray()
        sparse.csr_array(m).sum(axis=0)
        sparse.csr_array(m)[1:3].toarray()
        sparse.csr_array(m)[2, 3]
        sparse.csr_array(m).multiply(m).toarray()
        (sparse.csr_array(m) * 2.0).toarray()
        (2.0 * sparse.csr_array(m)).toarray()
        sparse.csr_array(m).diagonal()
        sparse.csr_array(m).nonzero()
        sparse.csr_array(m).power(2).toarray()
        sparse.eye_array(3).toarray()
        sparse.diags_array([1.0, 2.0, 3.0]).toarray()
        sparse.kron(sparse.eye_array(2), m[:2, :2]).toarray()
        sparse.vstack([sparse.csr_array(m), sparse.csr_array(m)]).toarray()
        sparse.hstack([sparse.csr_array(m), sparse.csr_array(m)]).toarray()
        sparse.find(sparse.csr_array(m))
        sparse.lil_array((3, 3)).toarray()
        sparse.random_array((4, 4), rng=0).toarray()
        sparse.tril(sparse.csr_array(m)).toarray()
        sparse.linalg.spsolve(sparse.csc_array(m + np.eye(8)), b)
        sparse.linalg.cg(sparse.csr_array(m @ m.T + 8 * np.eye(8)), b)
        sparse.linalg.gmres(m, b)[0]
        sparse.linalg.cg(sparse.linalg.LinearOperator((8, 8), matvec=lambda v: (m @ m.T + 8 * np.eye(8)) @ v), b)  # 1e-5
        sparse.linalg.splu(sparse.csc_array(m + np.eye(8))).solve(b)
        sparse.linalg.factorized(sparse.csc_array(m + np.eye(8)))(b)
        sparse.linalg.norm(sparse.csr_array(m))
        sparse.linalg.expm_multiply(sparse.csr_array(m / 50), b)
        sparse.linalg.aslinearoperator(m).matvec(b)
        sparse.linalg.lsqr(sparse.csr_array(m), b)[0]
        sparse.csgraph.connected_components(sparse.csr_array(m > 60))
        sparse.csgraph.shortest_path(m)
        sparse.csgraph.dijkstra(sparse.csr_array(m), indices=0)
        sparse.csgraph.minimum_spanning_tree(sparse.csr_array(m)).toarray()
        sparse.csgraph.laplacian(m + m.T)
    """,
    "the others": """
        constants.convert_temperature(x, "Celsius", "Kelvin")
        constants.lambda2nu(x + 1)
        constants.c
        constants.value("electron mass")
        differentiate.derivative(lambda v: np.exp(v), x).df
        differentiate.jacobian(lambda v: v**2, b).df
        io.wavfile.read(wave())
        io.loadmat(mat())["x"]
        io.mmread(market()).toarray()
        io.arff.loadarff(arff())[1].names()
        datasets.face is not None
    """,
}

ALL = [line.strip() for text in CALLS.values() for line in text.strip().split("\n")]
"""A call that ends with ``# 1e-5`` goes on until it is so near: it may add in another order."""


def names(np: Any, scipy: str) -> dict[str, Any]:
    """What a call refers to: arrays of ``np``, and the sub-packages of the package ``scipy``."""
    found = {name: importlib.import_module(f"{scipy}.{name}") for name in SUBPACKAGES}
    for inner in (
        "signal.windows", "stats.qmc", "stats.contingency", "stats.mstats", "linalg.blas",
        "linalg.interpolative", "spatial.distance", "spatial.transform", "cluster.vq", "io.wavfile",
        "cluster.hierarchy", "sparse.linalg", "sparse.csgraph", "optimize.elementwise", "io.arff",
    ):  # fmt: skip
        importlib.import_module(f"{scipy}.{inner}")

    def wave() -> io.BytesIO:
        file = io.BytesIO()
        found["io"].wavfile.write(file, 8000, np.arange(16, dtype=np.int16))
        return file

    def mat() -> io.BytesIO:
        file = io.BytesIO()
        found["io"].savemat(file, {"x": np.arange(6.0)})
        return file

    def market() -> io.BytesIO:
        file = io.BytesIO()
        found["io"].mmwrite(file, found["sparse"].csr_array(np.eye(3)))
        file.seek(0)
        return file

    def arff() -> io.StringIO:
        return io.StringIO("@relation r\n@attribute a numeric\n@data\n1.0\n2.0\n")

    x = np.asarray([0.1 * ((7 * i) % 24) for i in range(24)])
    i = np.arange(64)
    return {
        **found, "np": np, "math": math, "wave": wave, "mat": mat, "market": market, "arff": arff,
        "x": x, "t": np.arange(24.0), "b": np.arange(8.0), "k": np.arange(4), "y": np.arange(5.0),
        "y2": np.asarray([0.1 * ((5 * i) % 24) + 0.01 * i for i in range(24)]),
        "u": np.linspace(0.05, 0.95, 7),
        "long": np.sin(np.arange(128.0) / 5) + np.cos(np.arange(128.0) / 2),
        "m": np.reshape(((i * 37) % 64) * 1.0, (8, 8)) + 8 * np.eye(8),
        "i8": np.reshape((i // 11) % 3, (8, 8)).astype(np.int32),
        "points": np.stack([((np.arange(12) * 7) % 12) / 12, ((np.arange(12) * 5 + 1) % 11) / 11], 1),
    }  # fmt: skip
