"""A two-layer network that learns scikit-learn's handwritten digits, gradients written by hand.

    python docs/examples/network.py [--epochs 15] [--hidden 64]
    python -m numpy_shim docs/examples/network.py
"""

import argparse

import numpy as np
from sklearn.datasets import load_digits


class Network:
    """Pixels -> ReLU layer -> softmax over the ten digits, trained by momentum."""

    def __init__(self, inputs, hidden, outputs, rng):
        self.w1 = rng.normal(scale=np.sqrt(2 / inputs), size=(inputs, hidden))
        self.b1 = np.zeros(hidden)
        self.w2 = rng.normal(scale=np.sqrt(2 / hidden), size=(hidden, outputs))
        self.b2 = np.zeros(outputs)
        self.momenta = [np.zeros_like(p) for p in self.parameters()]

    def parameters(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def forward(self, x):
        """The hidden layer and the probabilities of the digits."""
        hidden = np.maximum(x @ self.w1 + self.b1, 0)
        scores = hidden @ self.w2 + self.b2
        scores -= scores.max(axis=1, keepdims=True)  # so that exp cannot overflow
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return hidden, scores

    def gradients(self, x, labels):
        """The loss and its gradient with respect to each parameter."""
        hidden, probability = self.forward(x)
        rows = np.arange(len(x))
        loss = -np.log(probability[rows, labels]).mean()
        error = probability
        error[rows, labels] -= 1
        error /= len(x)
        back = error @ self.w2.T
        back[hidden <= 0] = 0
        return loss, [x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]

    def step(self, x, labels, rate, momentum=0.9):
        """Learn from a batch, and return the loss on it before."""
        loss, gradients = self.gradients(x, labels)
        for parameter, gradient, velocity in zip(self.parameters(), gradients, self.momenta):
            velocity *= momentum
            velocity -= rate * gradient
            parameter += velocity
        return loss

    def predict(self, x):
        return self.forward(x)[1].argmax(axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.05)
    options = parser.parse_args()

    data, target = load_digits(return_X_y=True)
    x, y = np.asarray(data) / 16, np.asarray(target)
    rng = np.random.default_rng(0)
    order = rng.permutation(len(x))
    held_out, training = np.split(order, [len(x) // 4])

    network = Network(x.shape[1], options.hidden, 10, rng)
    for epoch in range(options.epochs):
        shuffled = rng.permutation(training)
        losses = [
            network.step(x[batch], y[batch], options.rate)
            for batch in np.array_split(shuffled, len(shuffled) // options.batch)
        ]
        if epoch % 5 == 0 or epoch == options.epochs - 1:
            right = network.predict(x[held_out]) == y[held_out]
            print(f"epoch {epoch:2}: loss {np.mean(losses):.4f}, held out {right.mean():.4f}")

    predicted = network.predict(x[held_out])
    confusion = np.zeros((10, 10), dtype=int)
    np.add.at(confusion, (y[held_out], predicted), 1)
    recall = np.diagonal(confusion) / confusion.sum(axis=1)
    print("recall of each digit:", np.round(recall, 3))
    off = confusion - np.diag(np.diagonal(confusion))
    worst = np.unravel_index(off.argmax(), off.shape)
    print(f"most often confused: {worst[0]} taken for {worst[1]}, {off.max()} times")


if __name__ == "__main__":
    main()
