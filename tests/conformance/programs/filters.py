"""Design filters, clean a signal, find its peaks, and look at its times and frequencies."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import fft, signal

rng = np.random.default_rng(4)
rate = 500.0
times = np.arange(0, 2, 1 / rate)
clean = np.sin(2 * np.pi * 7 * times) + 0.5 * signal.chirp(times, 20, 2, 80)
noisy = clean + 0.4 * rng.standard_normal(times.size)
sections = signal.butter(4, [3, 30], "bandpass", fs=rate, output="sos")
smooth = signal.sosfiltfilt(sections, noisy)
b, a = signal.cheby1(3, 1, 0.2)
response, gains = signal.freqz(b, a, worN=64)
print(
    smooth[:3].round(6),
    np.abs(gains).max().round(6),
    signal.savgol_filter(noisy, 11, 3)[5].round(6),
)
peaks, found = signal.find_peaks(smooth, height=0.5, distance=20)
print(peaks[:5], found["peak_heights"].mean().round(5), signal.peak_widths(smooth, peaks)[0][:2])
frequencies, density = signal.welch(noisy, rate, nperseg=256)
print(frequencies[np.argmax(density)], signal.medfilt(noisy, 5).sum().round(5))
lags = signal.correlation_lags(times.size, times.size)
shifted = np.roll(clean, 25)
print(lags[np.argmax(signal.correlate(shifted, clean))], signal.hilbert(clean)[10].round(5))
spectrum = fft.rfft(noisy)
spectrum[fft.rfftfreq(times.size, 1 / rate) > 30] = 0
print(fft.irfft(spectrum)[100].round(6), signal.resample(clean, 50).std().round(6))
f, t, power = signal.spectrogram(noisy, rate, nperseg=128)
plt.pcolormesh(t, f, 10 * np.log10(power), shading="gouraud")
plt.figure()
plt.plot(times, noisy, alpha=0.4)
plt.plot(times, smooth)
plt.plot(times[peaks], smooth[peaks], "x")
plt.specgram(noisy, NFFT=64, Fs=rate, noverlap=32)
