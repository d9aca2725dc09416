"""Train a LeNet-5-class network on MNIST and save its weights as .npy files.

The input is float32 [n, 1, 28, 28] with values pixel / 255 and no further
normalisation.  The layers are conv1 (6 filters of 5x5, padding 2), ReLU, 2x2
max-pool, conv2 (16 filters of 5x5, no padding), ReLU, 2x2 max-pool, flatten in
channel, row, column order to 400, fc1 (120), ReLU, fc2 (84), ReLU, fc3 (10 logits).
Each array is written as C-order little-endian float32 to OUT/<layer>_<kind>.npy.
"""
import argparse
import gzip
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x)))))


def read_idx(path):
    """Read a gzip-compressed idx file of unsigned bytes into an array."""
    raw = gzip.decompress(Path(path).read_bytes())
    shape = np.frombuffer(raw, ">u4", count=raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def load(folder, prefix):
    images = read_idx(Path(folder) / f"{prefix}-images-idx3-ubyte.gz")
    labels = read_idx(Path(folder) / f"{prefix}-labels-idx1-ubyte.gz")
    x = torch.from_numpy(images.astype(np.float32) / 255).unsqueeze(1)
    return x, torch.from_numpy(labels.astype(np.int64))


def augment(x, degrees=10.0, scale=0.1, shift=2.0):
    """Rotate, scale and shift each image by its own random amounts."""
    r = torch.rand(4, len(x)) * 2 - 1
    angle, size = r[0] * math.radians(degrees), 1 + r[1] * scale
    cos, sin = angle.cos() * size, angle.sin() * size
    # A shift of one pixel is 2 / 28 in the sampling grid's coordinates.
    dx, dy = r[2] * shift * 2 / 28, r[3] * shift * 2 / 28
    theta = torch.stack([cos, -sin, dx, sin, cos, dy], 1).view(-1, 2, 3)
    grid = F.affine_grid(theta, x.shape, align_corners=False)
    return F.grid_sample(x, grid, align_corners=False)


@torch.no_grad()
def count_correct(model, x, y):
    return sum((model(a).argmax(1) == b).sum().item()
               for a, b in zip(x.split(1000), y.split(1000)))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--data", required=True, help="folder of the four MNIST idx .gz files")
    p.add_argument("--out", required=True, help="folder for the .npy files")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--holdout", type=int, default=0, metavar="N", help="keep the last N "
                   "training images for validation, and leave the test images unread")
    args = p.parse_args()
    # One thread keeps the order of floating-point sums, and so the result, fixed.
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)

    x, y = load(args.data, "train")
    n = len(x) - args.holdout
    model, batch = LeNet(), 128
    total = args.epochs * math.ceil(n / batch)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total)
    for epoch in range(args.epochs):
        loss_sum = 0.0
        for idx in torch.randperm(n).split(batch):
            loss = F.cross_entropy(model(augment(x[idx])), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            schedule.step()
            loss_sum += loss.item() * len(idx)
        print(f"epoch {epoch + 1}: training loss {loss_sum / n:.4f}", flush=True)

    # The test images are used once, after training, and never to choose settings.
    kind, (xe, ye) = "held-out", (x[n:], y[n:])
    if not args.holdout:
        kind, (xe, ye) = "test", load(args.data, "t10k")
    good = count_correct(model, xe, ye)
    print(f"{kind} accuracy: {good} of {len(xe)} ({100 * good / len(xe):.2f}%)")

    Path(args.out).mkdir(parents=True, exist_ok=True)
    for key, value in model.state_dict().items():
        array = np.ascontiguousarray(value.numpy(), dtype="<f4")
        np.save(Path(args.out) / (key.replace(".", "_") + ".npy"), array)


if __name__ == "__main__":
    main()
