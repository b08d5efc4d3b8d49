"""Write arrays to an HDF5 file in memory, read parts of them, and draw one."""

import io

import h5py
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(4)
frames = rng.normal(size=(6, 20, 30)).cumsum(axis=0)
memory = io.BytesIO()
with h5py.File(memory, "w") as file:
    kept = file.create_dataset("frames", data=frames, chunks=(1, 20, 30), compression="gzip")
    kept.attrs["scale"] = np.array([0.5, 2.0])
    group = file.create_group("masks")
    group["high"] = frames[0] > 1
    grown = file.create_dataset("grown", (0, 30), maxshape=(None, 30), dtype="f4")
    for row in frames[1, :3]:
        grown.resize(grown.shape[0] + 1, axis=0)
        grown[-1] = row
    file["counts"] = np.arange(12, dtype=np.int16).reshape(3, 4)
    file["counts"][1] = np.full(4, 7)
    file["counts"].write_direct(np.array([[1, 2, 3, 4]], dtype=np.int16), np.s_[:], np.s_[2:])
    print(sorted(file), kept.dtype, kept.shape)

with h5py.File(memory, "r") as file:
    back = file["frames"]
    print(np.array_equal(np.asarray(back), frames), np.mean(back[2:4]).round(6))
    print((back[0] * back.attrs["scale"][1] - 2 * frames[0]).any(), back.attrs["scale"])
    high = file["masks/high"][:]
    print(high.sum(), np.mean(back[1][high]).round(6), file["grown"][:, 0])
    print(file["counts"][:].sum(axis=0), file["counts"][[0, 2], 1:3].tolist())
    target = np.empty((20, 30))
    back.read_direct(target, np.s_[5])
    print(np.abs(target - frames[5]).max())
    print(back[np.array([0, 2])].shape, back[:, np.arange(20) % 7 == 0, 0].sum().round(6))
    last = np.array(back[-1])

plt.imshow(last, cmap="viridis")
plt.contour(last, levels=[0.0])
