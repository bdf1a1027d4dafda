"""terminal.py [--columns=N] [--signal=NAME --after=TEXT] COMMAND...

Runs COMMAND on a pseudo-terminal and prints what it wrote there, each line
that a carriage return goes back to on a line of its own, then how it ended.
With --signal it is sent that signal once it has written TEXT. Fails if a line
that is written over is wider than the terminal, as it would stay.
"""

import argparse
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios

parser = argparse.ArgumentParser()
parser.add_argument("--columns", type=int, default=80)
parser.add_argument("--signal", type=lambda name: signal.Signals["SIG" + name])
parser.add_argument("--after", default="")
parser.add_argument("command", nargs=argparse.REMAINDER)
options = parser.parse_args()

master, slave = pty.openpty()
size = struct.pack("HHHH", 24, options.columns, 0, 0)
fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
child = os.fork()
if child == 0:
    os.setsid()
    for stream in (0, 1, 2):
        os.dup2(slave, stream)
    os.environ.pop("COLUMNS", None)
    os.execvp(options.command[0], options.command)
os.close(slave)

text = ""
while True:
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    text += part.decode(errors="replace")
    if options.signal and options.after in text:
        os.kill(child, options.signal)
        options.signal = None
_, status = os.waitpid(child, 0)

for line in text.replace("\r\n", "\n").split("\n"):
    *moved, last = re.split(r"\r\x1b\[K", line)
    for m in moved:
        if len(m) >= options.columns:
            sys.exit(f"'{m}' is wider than the terminal")
        if m:
            print("over:", m)
    print(last)
if os.WIFSIGNALED(status):
    print("ended by", signal.Signals(os.WTERMSIG(status)).name)
else:
    print("status", os.WEXITSTATUS(status))
