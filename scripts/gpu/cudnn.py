"""Times cuDNN in plain FP32 (TF32 off) through PyTorch on the shapes of
measure.cu: python3 cudnn.py CHANNELS WIDTH."""
import sys
import torch

channels, width = int(sys.argv[1]), int(sys.argv[2])
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.benchmark = True
for radius in (1, 2, 4):
    size = 2 * radius + 1
    x = torch.rand(1, channels, width, width, device="cuda") - 0.5
    w = torch.rand(channels, channels, size, size, device="cuda") - 0.5
    times = []
    for k in range(6):
        start = torch.cuda.Event(enable_timing=True)
        stop = torch.cuda.Event(enable_timing=True)
        start.record()
        torch.nn.functional.conv2d(x, w)
        stop.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(stop))
    ms = sorted(times[1:])[2]
    flops = 2.0 * channels * channels * size**2 * (width - size + 1) ** 2
    print(f"| cuDNN FP32 | {radius} | {ms:8.3f} | {flops / ms * 1e-9:6.2f} |")
