"""Train a small network on a backend and on the CPU: python backend_network.py [npy|jax]."""

import sys

import torch

import xp_backend

name = sys.argv[1] if len(sys.argv) > 1 else "npy"
if name == "npy":
    import xp_backend.npy
else:
    import jax

    jax.config.update("jax_enable_x64", True)
    xp_backend.from_array_api(name, jax.numpy)


def losses(device):
    torch.manual_seed(0)
    x = torch.randn(64, 3)
    y = (x[:, :1] * x[:, 1:2]).sin()
    x, y = x.to(device), y.to(device)
    net = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    net = net.to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    found = []
    for step in range(25):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        if step % 8 == 0:
            found.append(loss.item())
    return found


for device in (name, "cpu"):
    print(device, *[f"{loss:.6f}" for loss in losses(device)])
