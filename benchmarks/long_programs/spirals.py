"""A network of two layers that learns a spiral, gradients by hand."""

import numpy as np

rng = np.random.default_rng(0)
n_points, classes, hidden_units = 200, 3, 128
x = np.zeros((n_points * classes, 2))
y = np.zeros(n_points * classes, dtype=int)
for j in range(classes):
    r = np.linspace(0.0, 1, n_points)
    t = np.linspace(j * 4, (j + 1) * 4, n_points) + rng.normal(size=n_points) * 0.2
    x[j * n_points : (j + 1) * n_points] = np.c_[r * np.sin(t), r * np.cos(t)]
    y[j * n_points : (j + 1) * n_points] = j
w = 0.01 * rng.normal(size=(2, hidden_units))
b = np.zeros((1, hidden_units))
w2 = 0.01 * rng.normal(size=(hidden_units, classes))
b2 = np.zeros((1, classes))


def loss_and_gradients(x, y, w, b, w2, b2, reg=1e-3):
    hidden = np.maximum(0, np.dot(x, w) + b)
    scores = np.dot(hidden, w2) + b2
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    probs = e / np.sum(e, axis=1, keepdims=True)
    n = x.shape[0]
    loss = np.sum(-np.log(probs[range(n), y])) / n
    loss += 0.5 * reg * np.sum(w * w) + 0.5 * reg * np.sum(w2 * w2)
    d = probs
    d[range(n), y] -= 1
    d /= n
    dw2 = np.dot(hidden.T, d) + reg * w2
    db2 = np.sum(d, axis=0, keepdims=True)
    dh = np.dot(d, w2.T)
    dh[hidden <= 0] = 0
    dw = np.dot(x.T, dh) + reg * w
    db = np.sum(dh, axis=0, keepdims=True)
    return loss, dw, db, dw2, db2


for i in range(16000):
    loss, dw, db, dw2, db2 = loss_and_gradients(x, y, w, b, w2, b2)
    w -= 0.5 * dw
    b -= 0.5 * db
    w2 -= 0.5 * dw2
    b2 -= 0.5 * db2
    if i % 4000 == 0:
        print(i, round(float(loss), 3))
predicted = np.argmax(np.dot(np.maximum(0, np.dot(x, w) + b), w2) + b2, axis=1)
print("accuracy", round(float(np.mean(predicted == y)), 2))
