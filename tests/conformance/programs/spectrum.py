"""Filter a noisy signal and find its peaks and its spectrum."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import signal
from scipy.fft import rfft, rfftfreq

rng = np.random.default_rng(1)
t = np.linspace(-1, 1, 201)
clean = np.sin(2 * np.pi * 0.75 * t * (1 - t) + 2.1) + 0.18 * np.cos(2 * np.pi * 3.85 * t)
noisy = clean + rng.standard_normal(len(t)) * 0.08
b, a = signal.butter(3, 0.05)
smooth = signal.filtfilt(b, a, noisy)
peaks, found = signal.find_peaks(clean, height=0, distance=20)
frequencies, power = signal.welch(noisy, 100.0, nperseg=64)
print(smooth[:4].round(6), peaks, found["peak_heights"].round(4), frequencies[np.argmax(power)])
plt.plot(t, noisy, "b", t, smooth, "k")
plt.plot(t[peaks], clean[peaks], "x")
plt.vlines(x=t[peaks], ymin=clean[peaks] - 0.5, ymax=clean[peaks], color="C1")
plt.figure()
plt.semilogy(rfftfreq(t.size, 0.01), np.abs(rfft(noisy)) + 1e-3)
