"""Plants one error at a time in what convopt emits, and has convopt verify it
with its own shapes: each is to be found, as wrong results or as accesses to
what the naive code does not touch. Of four parts of the inputs, takes one, so
that tests of several run beside each other."""

import re
import subprocess
import sys

convopt, examples, inputs, work, part = sys.argv[1:]

# From the test of a full tile to the next of what follows.
FULL = r"(needs no guard(?:.|\n)*?)"

GRADIENT = "-tile=x:4,y:4,c:4 -reg=x:8,y:3,c:2 -staging=pipelined"

# An input, its options, what is planted, and where: a pattern and what takes
# its place, everywhere or the first times, in the general kernel or in another
# function: that of a version, the launcher, the host function, the dispatch.
MUTATIONS = [
    (f"{inputs}/strided.cpp", "-tile=8,4 -reg=2", [
        ("a product is a constant", r"\bin\[[^;]*;", "1.0f;", 0),
        ("a tap is dropped under guards", r"j < S;", "j < S - 1;", 0),
        ("a stride is 1", r"\by \* stride", "y", 0),
    ]),
    (f"{examples}/naive_conv.cu", "-tile=8,4,1 -reg=2,2", [
        ("a tap is dropped under no guard", r"j < F;", "j < F - 1;", 0),
        ("the filter is transposed", r"\* F \+ i\) \* F \+ j",
         "* F + j) * F + i", 1),
    ]),
    (f"{examples}/conv_layer.cpp", "-tile=8,2,2 -reg=2,2", [
        ("a guard is strict", r"pad <= ox \+ s", "pad < ox + s", 0),
        ("an extent is another", r"\(Offset\)k \* C", "(Offset)k * 1", 1),
    ]),
    (f"{examples}/thesis_fig3.c", "-tile=8,4,2", [
        ("a sum is more precise", r"float tmp = 0;", "double tmp = 0;", 0),
    ]),
    (f"{examples}/course_flat.cu", "-tile=8,2,2 -reg=2,2", [
        ("a batch is one image", r"const int b = ", "const int b = 0 * ", 0),
    ]),
    (f"{examples}/image_conv.c", "-tile=8,4 -reg=2", [
        ("an offset is that of columns", r"row \+ ky", "row + kx", 1),
    ]),
    (f"{examples}/image_same.cu", "-tile=8,4 -reg=2 -staging=shared", [
        ("a barrier is missing", r"__syncthreads\(\);", "", 1),
    ]),
    (f"{inputs}/blur.cpp", "-tile=8,4 -reg=2", [
        ("a type is narrow", r"int sum\[2\]", "short sum[2]", 0),
        ("an initial value is another", r"= 8;", "= 0;", 0),
    ]),
    (f"{inputs}/signal.c", "-tile=8 -reg=x:2", [
        ("a scalar is a constant", r"= bias;", "= 2.0f;", 0),
        ("an output is not added to", r"out\[x\] \+= ", "out[x] = ", 0),
    ]),
    (f"{inputs}/same.cu", "-tile=8,4 -reg=2", [
        ("a guard ends early", r"x \+ j < W", "x + j + 1 < W", 0),
    ]),
    (f"{inputs}/rows.c", "", [
        ("later copies are the first", r"\(\d \* \(Offset\)c_o \+ c_s\) \* W",
         "((Offset)c_s) * W", 1, "_K3_kernel"),
        ("nothing runs with vectors", r"float sum\[",
         "if (Aligned) return; float sum[", 1, "_K5_kernel"),
    ]),
    (f"{inputs}/padded.c", "-filter-widths=3,5,7", [
        ("a tap of full tiles is dropped", FULL + r"i < 3;", r"\1i < 2;", 1,
         "_K3_kernel"),
        ("full tiles keep the last product", FULL + r"\+=(\s+in)", r"\1=\2", 1,
         "_K5_kernel"),
        ("full tiles have no filter", FULL + r"\*\s+w_r\[\w+\];", r"\1* 1;", 1,
         "_K7_kernel"),
        ("full tiles of the general kernel end early", FULL + r"i < K;",
         r"\1i < K - 1;", 1),
    ]),
    (f"{inputs}/layer.cpp", "-filter-widths=3,5,7", [
        ("full tiles have the channels of one copy", FULL + r"c_o % 2",
         r"\g<1>0", 1, "_K3_kernel"),
        ("full tiles have one channel of each copy", FULL + r"c_i_s < min\(4",
         r"\1c_i_s < min(1", 1, "_K3_kernel"),
        ("full tiles have the channels of one copy", FULL + r"c_o % 2",
         r"\g<1>0", 1, "_K5_kernel"),
        ("full tiles have the channels of one copy", FULL + r"c_o % 2",
         r"\g<1>0", 1, "_K7_kernel"),
    ]),
    (f"{inputs}/layer.cpp", "", [
        ("copies of a stride begin a row late", r"y_b \+ y_s - pad\) \* W",
         "y_b + y_s - pad + 1) * W", 0, "_K3_stride2_kernel"),
        ("a kernel for a stride takes all", r"stride != 1", "false", 0,
         "_K3_stride1_launch"),
    ]),
    (f"{inputs}/centred.c", "", [
        ("full tiles of the general kernel have no last column",
         r"x \+ j < W \+ anchor", "x + j <= W + anchor", 1),
        ("rows have no gap", r"pitch \+ x", "W + x", 1, "_K5_kernel"),
    ]),
    (f"{inputs}/radius.cu", "", [
        ("a radius is 3 at most", r"j < R \+ 1", "j < min(R, 3) + 1", 0,
         "_staged_few_kernel"),
    ]),
    (f"{inputs}/scaled.c", "", [
        ("what is added is not negative", r"\+ \(offset\)", "+ abs(offset)", 0),
    ]),
    (f"{examples}/conv_layer.cpp", "", [
        ("a padding is 1 at most", r"\bpad <= ", "min(pad, 1) <= ", 0, "_staged_kernel"),
    ]),
    (f"{inputs}/pitched.c", "-tile=8,4", [
        ("slices have no gap", r"pitched_tiled_floordiv\(slice, row\)", "H", 1),
    ]),
    (f"{inputs}/atrous.c", "-filter-widths=3,5,7", [
        ("full tiles have no dilation", FULL + r"(v\s+\*\s+)dw", r"\1\g<2>1", 1,
         "_K3_kernel"),
    ]),
    (f"{inputs}/totals.c", "", [
        ("a sum is an int", r"long long sum", "int sum", 0),
    ]),
    (f"{inputs}/largest.c", "", [
        ("a maximum begins at -3", r"-\(3e38f\)", "-3.0f", 0),
    ]),
    (f"{inputs}/groups.c", "-tile=8,2", [
        ("a group is the first", r"const int m_div = ",
         "const int m_div = 0 * ", 1),
    ]),
    (f"{inputs}/rows.c", "", [
        ("the last of many channels is dropped", r"c < C;",
         "c < C - (C > 9);", 1),
    ]),
    (f"{examples}/thesis_kernel.cu", "", [
        ("partial tiles of the general kernel are full ones",
         r"gidz0 \+ 4 <= nOut", "gidz0 < nOut", 1),
    ]),
    (f"{inputs}/vertical.c", "", [
        ("what no vector copies lacks the last", r"k_s < 8; k_s \+= V",
         "k_s < 8 - (V < 2); k_s += V", 1, "_r7_kernel"),
    ]),
    (f"{inputs}/region.c", "", [
        ("a product is a constant", r"(sum\[\w+\]\[\w+\] \+=) [^;]*;",
         r"\1 1.0f;", 1),
    ]),
    (f"{inputs}/region.c", "-tile=8", [
        ("a block is the first", r"8 \* x_b", "0 * x_b", 1),
        ("one more is stored", r"x_s < x1", "x_s < x1 + 1", 1, "_store_out"),
        ("rows before are stored", r"y_s = y0", "y_s = 0", 1, "_store_out"),
    ]),
    (f"{inputs}/strided.cpp", "-tile=8,4", [
        ("one more is copied", r"(in_touched - in_untouched)\) \* sizeof",
         r"\1 + 1) * sizeof", 1, ""),
        ("one less is copied", r"(in_touched - in_untouched)\) \* sizeof",
         r"\1 - 1) * sizeof", 1, ""),
        ("the last row is not counted", r"i < R;", "i < R - 1;", 1, ""),
        ("a strip of blocks is missing", r"\(OW \+ 7\) / 8",
         "std::max(1, OW / 8)", 1, "_launch"),
    ]),
    (f"{examples}/image_same.cu", "-tile=8,4 -staging=shared", [
        ("a dispatch wants other blocks", r"block.x >= block.y",
         "block.x > block.y", 1, "_dispatch"),
    ]),
    (f"{inputs}/gradient.c", GRADIENT, [
        ("full tiles are not kept from the last row",
         r"y0 \+ pad \+ 3 <= stride \* OH", "true", 1),
        ("full tiles are not kept from the last column",
         r"x0 \+ pad \+ 8 <= stride \* OW", "true", 1),
    ]),
    (f"{inputs}/box.cu", "", [
        ("blocks of rows overlap", r"8 \* blockIdx.y", "7 * blockIdx.y", 1),
    ]),
    (f"{inputs}/lines.c", "", [
        ("blocks overlap", r"128 \* x_b", "127 * x_b", 0),
        ("rows of blocks have one less", r"/ \(\(W \+ 127\) / 128\)",
         "/ ((W + 126) / 128)", 1),
    ]),
    (f"{inputs}/spread.c", "", [
        ("a filter as wide as the image is copied", r"R >= H", "R > H", 1, ""),
    ]),
    (f"{inputs}/clipped.cpp", "", [
        ("windows are at most 3 wide", r"const int r = [^;]*;",
         "const int r = min(K / 2, 1);", 1),
        ("windows are at most 7 wide", r"const int r = [^;]*;",
         "const int r = min(K / 2, 3);", 1),
        ("later blocks read nothing of earlier ones", r"a = max\(0, x - r\)",
         "a = max(32 * (int)blockIdx.x, x - r)", 0),
    ]),
    (f"{inputs}/channels.c", "", [
        ("wide filters lose a tap", r"t < K\)", "t < K - (K > 6))", 0),
        ("the last channels have no block", r"grid_z = \(M \+ 63\) / 64",
         "grid_z = std::max(1, M / 64)", 1, "_K3_launch"),
    ]),
    (f"{inputs}/offset.c", "-tile=8,4 -reg=2", [
        ("full tiles take half the filter for the padding",
         FULL + r"W \+ P", r"\1W + K / 2", 1),
        ("full tiles have a double padding", FULL + r"(\(y \+ i) - P",
         r"\1\2 - (P > 2 ? 2 * P : P)", 1),
    ]),
    (f"{examples}/conv_layer.cpp", "", [
        ("wide filters lose a row in full tiles of the general kernel",
         FULL + r"r < R;", r"\1r < R - (R > 3);", 1),
    ]),
    (f"{inputs}/padded.c", "-tile=8,4,2", [
        ("a fact is not tested", r"if \(\(long long\)K >[^;]*?return", "if (0) return", 1,
         "_launch"),
        ("arrays may overlap", r"if \(padded_tiled_overlap[^;]*?return", "if (0) return",
         1, "_launch"),
    ]),
    (f"{inputs}/same.cu", "-tile=8,4", [
        ("every launch covers the output", r"covers =[^;]*;", "covers = true;",
         1, "_dispatch"),
        ("arrays may share an element", r"a \+ aBytes", "a + aBytes - 8", 1,
         "_overlap"),
    ]),
    (f"{inputs}/offset.c", "-tile=8,4 -add-version=-assume=K=3,P=1", [
        ("a version's arrays may overlap", r"if \(offset_tiled\w*_overlap[^;]*?return",
         "if (0) return", 1, "_K3_P1_launch"),
    ]),
    (f"{inputs}/leaky.cpp",
     "-assume=R=3,S=3 -tile=q:4,p:2,k:16 -reg=q:8,p:3,k:4 -staging=pipelined", [
        ("full tiles have one more row", r"2 \* dh < H", "2 * dh <= H", 1),
        ("full tiles begin a row early", r"ph <= p0 \* sh",
         "ph <= p0 * sh + 1", 1),
    ]),
    (f"{inputs}/leaky.cpp",
     "-assume=R=5,S=5 -tile=q:8,p:4,k:4 -reg=q:4,p:4,k:4 -staging=pipelined", [
        ("full tiles have one more row", r"4 \* dh < H", "4 * dh <= H", 1),
    ]),
    (f"{inputs}/decoded.cu", "-filter-widths=3,5,7", [
        ("full tiles have one more row", r"2 \* dil <\s+H", "2 * dil <= H",
         1, "_R3_kernel"),
    ]),
    (f"{inputs}/strided.cpp", "-tile=8,4", [
        ("a host function's arrays may overlap",
         r"if \(strided_tiled_overlap[^;]*?error", "if (0) error", 1, ""),
        ("an input of a host function may end with an output",
         r"overlap\(in, in_elements \* sizeof\(float\)",
         "overlap(in, in_elements * sizeof(float) - 4", 1, ""),
    ]),
    (f"{inputs}/bytes.c", "", [
        ("a pitch is that of the other image", r"\(Offset\)y \* dp",
         "(Offset)y * sp", 1, "_K3_kernel"),
        ("a pitch is that of the other image", r"\* sp", "* dp", 1),
    ]),
    (f"{inputs}/relu6.c", "", [
        ("what is capped is more than the cap", r"> 6\.0f \?", "> 5.0f ?", 0),
        ("a factor is narrow", r"\* scale", "* (float)scale", 0),
        ("an offset is narrow", r"\(bias\)", "((short)bias)", 0),
        ("a fallback calls nothing", r"  relu6\(in[^;]*;", "", 1, ""),
    ]),
    (f"{inputs}/typed.cpp", "", [
        ("a type is that of no instance", r"\bT sum\[", "float sum[", 0,
         "_K3_kernel"),
    ]),
    (f"{inputs}/volume.c", "-staging=none", [
        ("full tiles have no dilation in depth", FULL + r"a \* dil", r"\1a", 1),
    ]),
    (f"{inputs}/images.cu", "", [
        ("windows are of the first image", r"\(\(Offset\)n \* C",
         "((Offset)0 * C", 0),
    ]),
    (f"{inputs}/sized.cpp", "", [
        ("sizes may be more than ints", r"if \(\(long long\)H != [^;]*?return",
         "if (0) return", 1, "_launch"),
    ]),
    (f"{inputs}/cross.c", "-tile=8,4", [
        ("what lies before is copied", r"min<size_t>\(in_untouched",
         "min<size_t>(0", 0, ""),
    ]),
    (f"{inputs}/planes.cu", "", [
        ("full tiles begin a row late", r"step \+ 2 <= H", "step + 1 <= H", 1),
    ]),
]


def run(source, options, *more):
    return subprocess.run(
        [convopt, source, *options.split(), *more],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def plant(text, pattern, replacement, times, function="_kernel"):
    """Mutates a function, which ends with the brace that begins a line."""
    begin = text.index(f"_tiled{function}(")
    end = text.index("\n}\n", begin)
    mutated, planted = re.subn(pattern, replacement, text[begin:end], count=times)
    if not planted:
        sys.exit(f"nothing matches {pattern!r} in\n{text[begin:end]}")
    return text[:begin] + mutated + text[end:]


missed = 0
for source, options, errors in MUTATIONS[int(part) :: 4]:
    emitted = f"{work}/emitted.cu"
    if run(source, options, "-o", emitted).returncode:
        sys.exit(f"{source} is not accepted")
    with open(emitted) as file:
        text = file.read()
    for what, *where in errors:
        mutant = f"{work}/mutant.cu"
        with open(mutant, "w") as file:
            file.write(plant(text, *where))
        result = run(source, options, "-o", f"{work}/again.cu",
                     "-verify=cpu", f"-verify-file={mutant}")
        found = result.returncode == 3 and re.search(
            "are wrong|heap-buffer-overflow|use-after-poison|must not be written|"
            "in place of the kernel|invalid argument|overlap|"
            "a fact does not allow|of fewer blocks", result.stdout)
        missed += not found
        print("found " if found else "MISSED", source.split("/")[-1], what)
        if not found:
            print(result.stdout)
print(f"{missed} missed")
sys.exit(missed != 0)
