"""Calls of ``scipy.signal``: a function's name, its arguments, and its options."""

from __future__ import annotations

from typing import Any

import numpy
import scipy.signal

RNG = numpy.random.default_rng(0)
X = RNG.normal(size=200)
M = RNG.normal(size=(3, 90))
C = RNG.normal(size=(2, 60)) + 1j * RNG.normal(size=(2, 60))
F = RNG.normal(size=(4, 50)).astype("float32")
I = RNG.integers(-9, 9, 40)  # noqa: E741
IMAGE = RNG.normal(size=(9, 8))
B, A = numpy.array([0.2, 0.3, 0.1]), numpy.array([1.0, -0.8, 0.3])
SOS = numpy.array([[0.2, 0.3, 0.1, 1.0, -0.8, 0.3], [1.0, 0.5, 0.2, 1.0, 0.1, 0.2]])
Z, P, K = numpy.array([-1.0, 0.5]), numpy.array([0.3 + 0.4j, 0.3 - 0.4j]), 0.7
T = numpy.linspace(0, 2, 101)
SS = (
    numpy.array([[0.0, 1.0], [-2.0, -3.0]]), numpy.array([[0.0], [1.0]]),
    numpy.array([[1.0, 0.0]]), numpy.array([[0.0]]),
)  # fmt: skip

FILTERS: list[tuple[Any, ...]] = [
    ("lfilter", B, A, X), ("lfilter", B, A, M), ("lfilter", B, A, M, {"axis": 0}),
    ("lfilter", B, [1.0], M), ("lfilter", B, [2.0], X, {"zi": X[:2]}), ("lfilter", B, A, C),
    ("lfilter", B * (1 + 1j), A, X), ("lfilter", B, A * (1 + 0j), C), ("lfilter", B, A, I),
    ("lfilter", B.astype("f4"), A.astype("f4"), F), ("lfilter", B, A, X, {"zi": X[:2]}),
    ("lfilter", B, A, M, {"zi": M[:, :2]}), ("lfilter", B, A, M, {"zi": M[:1, :2]}),
    ("lfilter", B, A, M, {"axis": 0, "zi": M[:2]}), ("lfilter", B, A, M, {"zi": M[:, :3]}),
    ("lfilter", B, A, M, {"zi": X[:2]}), ("lfilter", [1.0], [1.0, -1.0], X),
    ("lfilter", B, A, X[:0]), ("lfilter", B, A, M[:0]), ("lfilter", B, A, 1.0),
    ("lfilter", B, A, M[:, ::-2]), ("lfilter", B, [], X), ("lfilter", B, [0.0, 1.0], X),
    ("lfilter", I[:3], I[:3] + 20, I), ("lfilter", B, A, X, {"axis": 1}),
    ("lfilter", [1.0], [1.0, -0.5, 0.0, 0.1], X), ("lfilter", X[:9], [1.0, 0.5], M),
    ("lfilter", [1.0], numpy.r_[1.0, numpy.zeros(39), -0.9], M, {"zi": RNG.normal(size=(3, 40))}),
    ("lfilter", X[:80], A, M), ("lfilter", X[:80] * 1j, A, C, {"zi": RNG.normal(size=(2, 79))}),
    ("lfiltic", B, A, X[:2], X[:2]), ("lfiltic", B, A, X[:1]), ("lfilter_zi", B, A),
    ("lfilter_zi", B, 2 * A), ("lfilter_zi", X[:5], [0.0, 1.0, 0.5]), ("sosfilt_zi", SOS),
    ("sosfilt", SOS, X), ("sosfilt", SOS, M, {"axis": 0}), ("sosfilt", SOS, C),
    ("sosfilt", SOS.astype("f4"), F), ("sosfilt", SOS, M, {"zi": RNG.normal(size=(2, 3, 2))}),
    ("sosfilt", SOS, X, {"zi": X[:4]}), ("sosfilt", SOS, I), ("sosfilt", SOS[:, :5], X),
    ("sosfilt", SOS * (1 + 0j), C), ("sosfilt", numpy.tile(SOS, (4, 1)), M),
    ("sosfilt", numpy.tile(SOS, (3, 1)), C, {"zi": RNG.normal(size=(6, 2)) * 1j}),
    ("filtfilt", B, A, X), ("filtfilt", B, A, M, {"axis": 0, "padlen": 1}),
    ("filtfilt", B, A, M, {"padtype": "even"}), ("filtfilt", B, A, M, {"padtype": "constant"}),
    ("filtfilt", B, A, M, {"padtype": None}), ("filtfilt", B, A, X, {"method": "gust"}),
    ("filtfilt", B, A, M, {"method": "gust", "irlen": 20}), ("filtfilt", B, A, X[:5]),
    ("filtfilt", B, A, X, {"padtype": "bad"}), ("filtfilt", B, A, C),
    ("sosfiltfilt", SOS, X), ("sosfiltfilt", SOS, M, {"padtype": "constant", "padlen": 10}),
    ("deconvolve", X, B), ("deconvolve", X[:3], X[:9]), ("savgol_filter", X, 7, 3),
    ("savgol_filter", M, 7, 2, {"deriv": 1, "mode": "mirror", "axis": 1}),
    ("savgol_filter", M, 7, 2, {"mode": "constant", "cval": 2.0}), ("savgol_filter", M, 7, 7),
    ("savgol_filter", F, 5, 2, {"mode": "nearest"}), ("savgol_filter", I, 5, 2, {"mode": "wrap"}),
    ("savgol_coeffs", 7, 3), ("savgol_coeffs", 6, 2, {"deriv": 1, "use": "dot"}),
    ("medfilt", X, 5), ("medfilt", IMAGE, 3), ("medfilt", I, 3), ("medfilt", IMAGE, (3, 5)),
    ("medfilt", X, 4), ("medfilt2d", IMAGE), ("medfilt2d", IMAGE.astype("f4"), 5),
    ("medfilt2d", numpy.abs(IMAGE * 9).astype("u1"), (3, 5)), ("medfilt2d", IMAGE, 2),
    ("order_filter", IMAGE, numpy.ones((3, 3)), 2), ("order_filter", X, [1, 0, 1], 0),
    ("order_filter", IMAGE, numpy.ones((3, 2)), 2),
    ("wiener", X), ("wiener", IMAGE, 3), ("wiener", IMAGE, (3, 5), 0.5), ("wiener", F, 3),
    ("hilbert", X), ("hilbert", M, {"axis": 0}), ("hilbert", M, 100), ("hilbert", C),
    ("hilbert", F), ("hilbert2", IMAGE), ("hilbert2", IMAGE, 12), ("hilbert2", C),
    ("envelope", X), ("envelope", M, (1, 30), {"residual": "all"}),
    ("envelope", X, {"residual": None, "squared": True}), ("envelope", C, (-5, 5)),
    ("detrend", X), ("detrend", M, {"axis": 0, "type": "constant"}),
    ("detrend", X, -1, "linear", [50, 90]),
    ("detrend", X, {"type": "bad"}), ("detrend", F), ("detrend", C),
    ("cspline1d", X), ("qspline1d", X), ("cspline1d", X, 3.0), ("qspline1d", X, 1.0),
    ("cspline2d", IMAGE), ("cspline2d", IMAGE, 0.2), ("qspline2d", IMAGE), ("spline_filter", IMAGE),
    ("spline_filter", IMAGE.astype("f4"), 0.5), ("spline_filter", I.reshape(8, 5)),
    ("cspline1d_eval", X, X[:9] * 4), ("qspline1d_eval", X, X[:9] * 4),
    ("cspline1d_eval", X, X[:9] * 4, 0.5, 0.3), ("gauss_spline", X, 3),
    ("symiirorder1", X, 0.5, 0.4), ("symiirorder1", M, 0.5, -0.3), ("symiirorder2", M, 0.5, 1.2),
    ("symiirorder2", X, 0.6, 0.0), ("symiirorder1", X, 0.5, 1.5), ("symiirorder1", X[:3], 0.5, 0.9),
    ("sepfir2d", IMAGE, [1.0, 2.0, 1.0], [0.5, 1.0, 0.25]), ("sepfir2d", IMAGE, [1.0, 2.0], [1.0]),
]  # fmt: skip

CONVOLUTIONS: list[tuple[Any, ...]] = [
    (name, x, k, {"mode": mode, **more})
    for name, more in (("convolve", {"method": "direct"}), ("convolve", {"method": "fft"}),
                       ("convolve", {}), ("correlate", {"method": "direct"}),
                       ("correlate", {"method": "fft"}), ("fftconvolve", {}), ("oaconvolve", {}))
    for mode in ("full", "same", "valid", "bad")
    for x, k in ((X, B), (IMAGE, IMAGE[:3, :2]), (IMAGE[:2], IMAGE[:4, :3]), (C, C[:1, :5]),
    (I, I[:4]))
] + [
    ("convolve", I, B), ("convolve", X, B, "same", "bad"), ("convolve", IMAGE, B),
    ("convolve", F, F[:2, :3]), ("convolve", IMAGE.astype(int), IMAGE[:3, :3].astype(int)),
    ("correlate", IMAGE[:3, :3], IMAGE), ("correlate", IMAGE[:3, :3], IMAGE, "same", "direct"),
    ("correlate", IMAGE > 0, IMAGE[:2, :2] > 0, "full", "direct"), ("correlate", 2.0, 3j),
    ("correlate", F, F[:, :4], "valid", "direct"), ("correlate", C, C, "same", "direct"),
    ("convolve", RNG.normal(size=(4, 5, 6)), RNG.normal(size=(2, 3, 2)), "same", "direct"),
    ("fftconvolve", M, X[None, :9], {"axes": 1}), ("oaconvolve", M, X[None, :9], {"axes": 1}),
    ("fftconvolve", X[:0], B), ("fftconvolve", F, F[:2]), ("oaconvolve", X, X[:7]),
    ("correlation_lags", 5, 3, "full"), ("choose_conv_method", X, B),
    ("upfirdn", B, X), ("upfirdn", B, X, 3, 2), ("upfirdn", X[:30], M, 5, 7), ("upfirdn", B, C, 2),
    ("upfirdn", B, M, 2, 3, 0), ("upfirdn", B.astype("f4"), F, 1, 2), ("upfirdn", B, I, 3),
    ("upfirdn", B, X, 0), ("upfirdn", B, X[:0]), ("upfirdn", [], X),
    ("resample", X, 77), ("resample", X, 400), ("resample", M, 50, {"axis": 1, "window": "hann"}),
    ("resample", C, 90, {"axis": 1}), ("resample", X, 77, T[:1]),
    ("resample", X, 50, numpy.arange(200.0)),
    ("resample", F, 31, {"axis": 1}), ("resample", X, 60, {"domain": "freq"}),
    ("resample", X, 4, {"axis": 3}),
    ("resample_poly", X, 3, 2), ("resample_poly", M, 2, 5, {"axis": 1}),
    ("resample_poly", C, 3, 4, 1),
    ("resample_poly", X, 3, 2, {"padtype": "line"}),
    ("resample_poly", X, 3, 2, {"padtype": "median"}),
    ("resample_poly", X, 5, 4, {"window": X[:11]}), ("resample_poly", X, 3, 3),
    ("resample_poly", I, 3, 2),
    ("resample_poly", F, 3, 2, {"axis": 1, "padtype": "mean"}), ("resample_poly", X, 0, 1),
    ("decimate", X, 4), ("decimate", M, 3, {"ftype": "fir", "axis": 1}),
    ("decimate", X, 4, {"zero_phase": False}),
    ("decimate", F, 2), ("decimate", X, 3, 4, "fir", {"zero_phase": False}), ("decimate", X, 2.5),
] + [
    ("convolve2d", IMAGE, IMAGE[:3, :4], mode, boundary, value)
    for mode in ("full", "same", "valid") for boundary in ("fill", "wrap", "symm")
    for value in (0, 1.5)
] + [
    ("correlate2d", IMAGE, k, mode, boundary)
    for mode in ("full", "same", "valid") for boundary in ("fill", "wrap", "symm")
    for k in (IMAGE[:2, :3], IMAGE[:3, :4])
] + [
    ("correlate2d", C, C[:2, :3], "same"),
    ("convolve2d", IMAGE.astype(int), IMAGE[:3, :3].astype(int)),
    ("convolve2d", F, IMAGE[:2, :2]), ("convolve2d", X, X),
    ("convolve2d", IMAGE, IMAGE, "full", "bad"),
    ("convolve2d", IMAGE > 0, IMAGE > 0), ("convolve2d", IMAGE, IMAGE[:2], "full", "fill", [1, 2]),
    ("convolve2d", IMAGE[:3, :3], IMAGE, "full", "wrap"),
    ("convolve2d", IMAGE, IMAGE[:2], "full", "fill", 1j),
    ("convolve2d", IMAGE[:3, :3], IMAGE, "same", "symm"),
    ("correlate2d", IMAGE[:3, :3], IMAGE, "valid"),
] + [
    ("upfirdn", X[:13], x, 2, 3, {"mode": mode, "cval": 2.0})
    for x in (X[:20], X[:3], X[:2], C[:, :4]) for mode in (
        "constant", "wrap", "edge", "smooth", "symmetric", "reflect", "antisymmetric",
      "antireflect",
        "line", "bad")
]  # fmt: skip

SPECTRA: list[tuple[Any, ...]] = [
    ("periodogram", X), ("periodogram", M, 10.0, "hann", {"axis": 0, "scaling": "spectrum"}),
    ("periodogram", C), ("periodogram", X[:0]), ("welch", X, {"nperseg": 64}),
    ("welch", M, 2.0, "hamming", 30),
    ("welch", X, {"nperseg": 64, "average": "median"}), ("welch", X, {"nperseg": 500}),
    ("welch", F, {"nperseg": 16}),
    ("welch", C, {"nperseg": 20, "return_onesided": False}),
    ("welch", X, {"nperseg": 64, "noverlap": 64}),
    ("welch", X, {"window": X[:50], "nfft": 64}),
    ("welch", X, {"nperseg": 64, "detrend": "linear"}),
    ("welch", M, {"nperseg": 7, "noverlap": 5, "axis": 0}), ("welch", M, {"nperseg": 3, "axis": 0}),
    ("welch", M, {"nperseg": 20, "detrend": False}), ("welch", X, {"detrend": "bad"}),
    ("welch", M, {"nperseg": 20, "nfft": 32, "detrend": lambda x: x - x.mean()}),
    ("welch", I, {"nperseg": 8}), ("csd", X, X[::-1], {"nperseg": 50}),
    ("csd", M, X[:90], {"nperseg": 30}),
    ("coherence", X, X[::-1], {"nperseg": 40}), ("spectrogram", X, {"nperseg": 32}),
    ("spectrogram", X, 2.0, {"nperseg": 32, "mode": "magnitude"}),
    ("spectrogram", X, {"nperseg": 32, "mode": "phase"}),
    ("spectrogram", X, {"nperseg": 32, "mode": "complex"}), ("stft", X, {"nperseg": 32}),
    ("stft", M, {"nperseg": 20, "padded": False, "boundary": None}), ("stft", C, {"nperseg": 20}),
    ("istft", RNG.normal(size=(17, 9)) + 1j * RNG.normal(size=(17, 9))),
    ("istft", RNG.normal(size=(17, 9)) + 0j, {"nperseg": 32, "noverlap": 24}),
    ("lombscargle", T, X[:101], numpy.linspace(0.1, 9, 20)),
    ("lombscargle", T, X[:101], numpy.linspace(5, 9, 20), {"normalize": True,
      "floating_mean": True}),
    ("lombscargle", T, X[:101], [1.0, 2.0], {"weights": numpy.abs(X[:101]),
      "normalize": "amplitude"}),
    ("check_COLA", "hann", 32, 16), ("check_NOLA", "hann", 32, 16), ("check_COLA", X[:32], 32, 8),
    ("vectorstrength", X, 0.7), ("vectorstrength", X, numpy.array([0.5, 0.7])),
    ("czt", X), ("czt", M, 20, numpy.exp(-0.1j), 1.1), ("czt", F, 9, {"axis": 0}), ("czt", X, 0),
    ("zoom_fft", X, [0.2, 0.4], 30), ("zoom_fft", M, 0.3, {"axis": 1, "fs": 3.0}),
    ("czt_points", 5),
    ("czt_points", 5, numpy.exp(-0.1j), 1.1),
    ("closest_STFT_dual_window", numpy.hanning(12), 4),
    ("closest_STFT_dual_window", numpy.hanning(12), 4, X[:12], {"scaled": False}),
    ("get_window", "hann", 9), ("get_window", ("kaiser", 4.0), 8, False), ("get_window", 3.0, 8),
    ("get_window", "bad", 8), ("get_window", ("general_cosine", [0.5, 0.3, 0.2]), 8),
]  # fmt: skip

PEAKS: list[tuple[Any, ...]] = [
    ("find_peaks", X), ("find_peaks", numpy.round(X)), ("find_peaks", X, {"height": 0.2}),
    ("find_peaks", X, {"height": (0.1, 1.0), "threshold": 0.1}), ("find_peaks", X, {"distance": 5}),
    ("find_peaks", numpy.cumsum(X), {"distance": 12.5}),
    ("find_peaks", X, {"prominence": 0.5, "wlen": 9}),
    ("find_peaks", X, {"prominence": 0.5}), ("find_peaks", X, {"width": 1.0, "rel_height": 0.3}),
    ("find_peaks", numpy.round(X), {"plateau_size": (1, 3), "width": (0, None)}), ("find_peaks", M),
    ("find_peaks", X[:0]), ("find_peaks", X[:2]), ("find_peaks", X, {"distance": 0.5}),
    ("find_peaks", numpy.where(X > 1.5, numpy.nan, X), {"prominence": 0}),
    ("find_peaks", X, {"height": numpy.linspace(0, 1, 200)}), ("find_peaks", I),
    ("find_peaks", F[0], {"width": 0}),
    ("peak_prominences", X, numpy.array([3, 50, 120])), ("peak_prominences", X, [3, 300]),
    ("peak_prominences", numpy.round(X), numpy.arange(200)), ("peak_prominences", X, [3, 50], 11),
    ("peak_prominences", X, [1.5]), ("peak_prominences", numpy.arange(9.0), [0, 8, 4]),
    ("peak_widths", X, numpy.array([3, 50, 120])), ("peak_widths", X, [3, 50], 0.8, {"wlen": 20}),
    ("peak_widths", numpy.round(X), numpy.arange(200), 0.4), ("peak_widths", X, [3], -1.0),
    ("argrelmax", X), ("argrelmin", M, {"axis": 1, "order": 2}), ("argrelmax", M, 0, 1, "wrap"),
    ("argrelextrema", X, numpy.greater_equal, 0, 3),
]  # fmt: skip

BANDS = ([0.2], [0.2, 0.5])
DESIGNS: list[tuple[Any, ...]] = [
    (name, *args, band if len(band) > 1 else band[0], kind, {"output": output})
    for name, *args in (("butter", 4), ("cheby1", 3, 1.0), ("cheby2", 4, 30.0),
    ("ellip", 3, 1.0, 30.0),
                        ("bessel", 3))
    for band, kinds in ((BANDS[0], ("low", "high", "bad")), (BANDS[1], ("bandpass", "bandstop")))
    for kind in kinds for output in ("ba", "zpk", "sos")
] + [
    ("butter", 4, 3.0, "low", True), ("butter", 2, 30, {"fs": 100}), ("butter", 2, 1.5),
    ("bessel", 4, 2.0, "low", True, {"norm": "mag"}),
    ("bessel", 4, 2.0, "low", True, {"norm": "delay"}), ("iirfilter", 5, [0.1, 0.4]),
    ("iirfilter", 5, [0.1, 0.4], 1, 20, {"ftype": "ellip"}),
    ("iirdesign", 0.2, 0.3, 1, 40),
    ("iirdesign", [0.2, 0.5], [0.1, 0.6], 1, 40, {"output": "sos"}), ("buttord", 0.2, 0.3, 3, 40),
    ("buttord", [0.2, 0.5], [0.1, 0.6], 3, 40), ("cheb1ord", 0.2, 0.3, 3, 40),
    ("cheb2ord", 0.2, 0.3, 3, 40), ("ellipord", 0.2, 0.3, 3, 40),
    ("ellipord", [0.1, 0.6], [0.2, 0.5], 3, 40), ("buttap", 4), ("cheb1ap", 3, 1),
    ("cheb2ap", 3, 30), ("ellipap", 3, 1, 30), ("besselap", 5),
    ("iirnotch", 0.3, 20.0), ("iirpeak", 0.3, 20.0), ("iircomb", 0.25, 20.0),
    ("gammatone", 440, "fir", {"fs": 16000}),
    ("gammatone", 440, "iir", {"fs": 16000}), ("firwin", 11, 0.3),
    ("firwin", 12, [0.2, 0.5], {"pass_zero": False, "window": ("kaiser", 3.0)}),
    ("firwin", 12, 0.5, {"pass_zero": False}), ("firwin2", 15, [0.0, 0.5, 1.0], [1.0, 0.5, 0.0]),
    ("firls", 11, [0, 0.2, 0.4, 1], [1, 1, 0, 0]),
    ("firwin_2d", (5, 7), ("hamming", "hamming"), {"fc": 0.4}),
    ("minimum_phase", numpy.hanning(15)), ("minimum_phase", numpy.hanning(15), "hilbert"),
    ("kaiserord", 60, 0.1), ("kaiser_beta", 60.0), ("kaiser_atten", 11, 0.1),
    ("freqz", B, A), ("freqz", B, A, 64, True), ("freqz", B, A, T),
    ("freqz", M[:, :4].T[:, :, None]), ("freqz", B, 1, 33, {"fs": 10.0}),
    ("freqz_zpk", Z, P, K, 32), ("freqz_sos", SOS, 32), ("sosfreqz", SOS, 32),
    ("freqs", B, A, T), ("freqs", B, A), ("freqs_zpk", Z, P, K, 32),
    ("group_delay", (B, A)), ("group_delay", (B, A), 9, True), ("findfreqs", B, A, 20),
    ("tf2zpk", B, A), ("zpk2tf", Z, P, K), ("tf2sos", B, A),
    ("sos2tf", SOS), ("sos2zpk", SOS), ("zpk2sos", Z, P, K),
    ("zpk2sos", Z, P, K, {"pairing": "minimal", "analog": True}),
    ("normalize", B, 2 * A), ("normalize", [0.0, 1.0], [2.0, 1.0]), ("lp2lp", B, A, 2.0),
    ("lp2hp", B, A, 2.0), ("lp2bp", B, A, 2.0, 0.5), ("lp2bs", B, A, 2.0, 0.5),
    ("lp2lp_zpk", Z, P, K, 2.0), ("lp2hp_zpk", Z, P, K, 2.0), ("lp2bp_zpk", Z, P, K, 2.0, 0.5),
    ("lp2bs_zpk", Z, P, K, 2.0, 0.5),
    ("bilinear", B, A, 2.0), ("bilinear_zpk", Z, P, K, 2.0),
    ("invres", [1.0, 2.0], [0.5, 0.2], [1.0]), ("invresz", [1.0, 2.0], [0.5, 0.2], []),
    ("tf2ss", B, A), ("ss2tf", *SS), ("ss2zpk", *SS), ("zpk2ss", Z, P, K),
    ("abcd_normalize", *SS), ("cont2discrete", SS, 0.1),
    ("cont2discrete", SS, 0.1, "bilinear"), ("cont2discrete", (B, A), 0.1, "foh"),
    ("cont2discrete", SS, 0.1, "gbt", 0.3), ("cont2discrete", SS, 0.1, "impulse"),
    ("lsim", SS, X[:101], T), ("lsim", (B, A), numpy.ones(101), T, [0.1, 0.2]), ("impulse", SS),
    ("impulse", SS, [0.1, 0.2], T), ("step", (B, A)), ("step", SS, {"T": T}),
    ("bode", (B, A)), ("bode", SS, T[1:]), ("freqresp", (B, A), T), ("freqresp", (Z, P, K)),
    ("dlsim", (*SS, 0.1), X[:30]), ("dlsim", (B, A, 0.1), X[:30], T[:30]),
    ("dimpulse", (B, A, 0.1), {"n": 20}), ("dstep", (*SS, 0.1), {"n": 20}),
    ("dbode", (B, A, 0.1)), ("dfreqresp", (B, A, 0.1), T), ("dfreqresp", (Z, P, K, 0.1)),
    ("band_stop_obj", 0.2, 0, numpy.array([0.1, 0.6]), numpy.array([0.2, 0.5]), 1, 40, "butter"),
    ("place_poles", SS[0], SS[1], [-4.0, -5.0]),
    ("chirp", T, 1.0, 2.0, 5.0), ("chirp", T, 1.0, 2.0, 5.0, "logarithmic", 30),
    ("chirp", T, 1.0, 2.0, 5.0, "hyperbolic"),
    ("chirp", T, 1.0, 2.0, 5.0, "quadratic", {"vertex_zero": False}),
    ("chirp", T, 1.0, 2.0, 5.0, "bad"), ("chirp", T, 1.0, 2.0, 5.0, {"complex": True}),
    ("gausspulse", T, 5), ("gausspulse", T, 5, {"retquad": True, "retenv": True}),
    ("gausspulse", "cutoff", 5),
    ("sawtooth", T * 7), ("sawtooth", T * 7, 0.3), ("square", T * 7), ("square", T * 7, 0.3),
    ("square", X, numpy.abs(X) / 4), ("sweep_poly", T, [1.0, 2.0, 3.0]), ("unit_impulse", 7),
    ("unit_impulse", (3, 4), "mid"), ("unit_impulse", (3, 4), (1, 2), int),
    ("savgol_coeffs", 5, 2, {"deriv": 3}),
]  # fmt: skip

GAPS = numpy.ones(60)
GAPS[[7, 30, 31]] = 0
SMOOTHED = numpy.cumsum(RNG.normal(size=60)) + numpy.sin(numpy.arange(60) / 3)
LOST = numpy.where(GAPS == 0, numpy.nan, SMOOTHED)

SMOOTHING: list[tuple[Any, ...]] = [
    *(
        ("whittaker_henderson", x, {"order": order, "lamb": lamb, "weights": weights})
        for x in (SMOOTHED, SMOOTHED.astype("f4"), SMOOTHED.astype(int), SMOOTHED[::-3][:4])
        for order, lamb in ((1, 2.5), (2, 3.0), (3, 5), (2, 0.0), (2, 1e20))
        for weights in (None, GAPS[: len(x)])
    ),
    ("whittaker_henderson", LOST, {"lamb": 2.0, "weights": GAPS}),
    ("whittaker_henderson", LOST, {"lamb": 2.0}), ("whittaker_henderson", SMOOTHED, {"lamb": -1}),
    ("whittaker_henderson", SMOOTHED, {"lamb": "x"}), ("whittaker_henderson", SMOOTHED[:2]),
    ("whittaker_henderson", SMOOTHED, {"order": 0}), ("whittaker_henderson", M),
    ("whittaker_henderson", SMOOTHED, {"weights": GAPS[:5]}),
]  # fmt: skip
"""Of SciPy 1.18."""

ALL = FILTERS + CONVOLUTIONS + SPECTRA + PEAKS + DESIGNS
if hasattr(scipy.signal, "whittaker_henderson"):
    ALL += SMOOTHING
