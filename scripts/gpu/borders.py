#!/usr/bin/env python3
"""Times PyTorch's padded convolutions of the sizes of turns.sh, FP32: the
image is padded by a kernel of its own, and cuDNN convolves that."""
import torch
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.benchmark = True

CASES = (
    # name, images, channels, maps, rows, columns, filter, mode
    ("clamp-blur", 1, 1, 1, 4096, 4096, 5, "replicate"),
    ("reflect-layer", 16, 64, 64, 56, 56, 3, "reflect"),
    ("periodic", 1, 1, 1, 4096, 4096, 3, "circular"),
)


def least(run, runs=20):
    """The least time of run in ms."""
    times = []
    for _ in range(runs):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return min(times)


for name, n, c, k, h, w, f, mode in CASES:
    image = torch.randn(n, c, h, w, device="cuda")
    weights = torch.randn(k, c, f, f, device="cuda")
    pad = (f // 2,) * 4

    def padded():
        return F.conv2d(F.pad(image, pad, mode=mode), weights)

    print(f"{name} {mode}: {least(padded):.4f} ms")
