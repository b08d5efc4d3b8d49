"""Planets around a sun: leapfrog steps, forces by loops over pairs."""

import numpy as np

G = 6.67430e-11


def accelerations(positions, masses):
    n = len(masses)
    result = np.zeros_like(positions)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = positions[j] - positions[i]
            distance = np.sqrt((r**2).sum())
            result[i] += G * masses[j] * r / distance**3
    return result


def energy(positions, velocities, masses):
    kinetic = 0.5 * (masses * (velocities**2).sum(axis=1)).sum()
    potential = 0.0
    for i in range(len(masses)):
        for j in range(i):
            potential -= G * masses[i] * masses[j] / np.linalg.norm(positions[i] - positions[j])
    return kinetic + potential


def simulate(positions, velocities, masses, dt, steps):
    a = accelerations(positions, masses)
    track = np.empty((steps, len(masses), 2))
    for step in range(steps):
        velocities = velocities + 0.5 * dt * a
        positions = positions + dt * velocities
        a = accelerations(positions, masses)
        velocities = velocities + 0.5 * dt * a
        track[step] = positions
    return track, positions, velocities


masses = np.array([1.989e30, 3.285e23, 4.867e24, 5.972e24, 6.39e23, 1.898e27])
radii = np.array([0.0, 5.79e10, 1.082e11, 1.496e11, 2.279e11, 7.785e11])
speeds = np.array([0.0, 4.74e4, 3.502e4, 2.978e4, 2.407e4, 1.307e4])
positions = np.stack([radii, np.zeros(6)], axis=1)
velocities = np.stack([np.zeros(6), speeds], axis=1)
before = energy(positions, velocities, masses)
track, positions, velocities = simulate(positions, velocities, masses, 86400.0, 30000)
after = energy(positions, velocities, masses)
print("drift of the energy", abs((after - before) / before) < 1e-3)
print(np.round(positions[3] / 1.496e11, 3), track.shape)
