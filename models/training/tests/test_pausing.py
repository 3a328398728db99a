import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import os, sys, time
from pathlib import Path
from lantang_voice.pausing import stand_aside_while_exists

stand_aside_while_exists(Path(sys.argv[1]))
child = os.fork()
if child:
    print(os.getpid(), child, flush=True)
time.sleep(60)
"""


@pytest.fixture
def processes(tmp_path):
    """A program that stands aside while tmp_path/pause exists, and a child that it has forked: both process ids."""
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(tmp_path / "pause")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        parent, child = map(int, program.stdout.readline().split())
        yield parent, child
        for process in (child, parent):
            subprocess.run(["kill", "-KILL", str(process)], check=True)


def test_a_program_and_what_it_forks_halt_while_the_file_exists(processes, tmp_path):
    pause = tmp_path / "pause"
    pause.touch()
    _await_states(processes, "TT")
    pause.unlink()
    _await_states(processes, "SS")


def _await_states(processes, expected):
    """Wait for the states that the kernel tells of `processes`: T is stopped, S is asleep."""
    deadline = time.monotonic() + 20
    while (states := "".join(map(_state, processes))) != expected:
        assert time.monotonic() < deadline, f"{states} instead of {expected}"
        time.sleep(0.05)


def _state(process):
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
