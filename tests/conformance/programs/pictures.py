"""Make, blur, save and read pictures with Pillow."""

import io

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageFilter

y, x = np.mgrid[:48, :64]
colours = np.dstack([x * 4, y * 5, (x + y) * 2]).astype(np.uint8)
picture = Image.fromarray(colours)
file = io.BytesIO()
picture.filter(ImageFilter.GaussianBlur(2)).save(file, "PNG")
blurred = np.asarray(Image.open(file))
grey = np.array(picture.convert("L"))
print(blurred.shape, blurred.dtype, blurred.sum(), grey.mean(), picture.getpixel((3, 4)))
print(np.array(Image.fromarray(255 - colours).resize((8, 8))).sum())
fig, axes = plt.subplots(1, 3)
axes[0].imshow(blurred)
axes[1].hist(grey.ravel(), bins=32)
axes[2].imshow(np.log1p(np.abs(np.fft.fftshift(np.fft.fft2(grey)))))
