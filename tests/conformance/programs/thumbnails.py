"""Turn, scale, filter and draw on a picture with Pillow, with arrays before and after."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageOps

y, x = np.mgrid[:48, :64] / 16.0
pixels = np.stack([np.sin(x), np.cos(y), np.sin(x * y)], axis=-1)
picture = Image.fromarray(np.uint8(255 * (pixels + 1) / 2))
print(picture.size, picture.mode, picture.getpixel((10, 20)))
small = picture.resize((32, 24), Image.Resampling.BILINEAR)
turned = np.asarray(picture.rotate(90, expand=True))
print(np.array_equal(turned, np.rot90(np.asarray(picture))), turned.shape)
soft = np.asarray(picture.filter(ImageFilter.GaussianBlur(2)), dtype=float)
print(np.abs(soft - np.asarray(picture)).mean().round(4), soft.std().round(4))
gray = np.array(ImageOps.grayscale(picture))
mask = Image.fromarray(gray > gray.mean())
print(mask.mode, np.asarray(mask).sum())
gray[gray > 200] = 0
print(gray.sum(), Image.fromarray(gray).histogram()[0])
ImageDraw.Draw(picture).line([tuple(p) for p in np.array([[0, 0], [63, 47]]).tolist()], width=3)
merged = Image.merge("RGB", [Image.fromarray(channel) for channel in np.uint8([gray, gray, gray])])
print(np.asarray(merged).shape, np.asarray(picture.crop((0, 0, 4, 4))).sum())
palette = picture.quantize(8)
print(len(np.unique(np.asarray(palette))))

figure, axes = plt.subplots(1, 3)
for ax, shown in zip(axes, (picture, small, np.asarray(merged)), strict=True):
    ax.imshow(shown)
