"""Standing aside while another program on the same machine needs the processor to itself."""

import os
import signal
import time
from pathlib import Path

POLL_SECONDS = 0.5


def stand_aside_while_exists(pause_file: Path) -> None:
    """Stop this process for as long as `pause_file` exists, and let it go on afterwards.

    A forked watcher polls the file and sends SIGSTOP and SIGCONT, so that the process halts in the
    middle of a long native call too. Call it before any thread is started. The watcher ends with the
    process that it watches.
    """
    watched = os.getpid()
    if os.fork() == 0:
        try:
            _watch(watched, pause_file)
        finally:
            os._exit(0)


def _watch(watched: int, pause_file: Path) -> None:
    stopped = False
    while os.getppid() == watched:
        if pause_file.exists() != stopped:
            stopped = not stopped
            os.kill(watched, signal.SIGSTOP if stopped else signal.SIGCONT)
        time.sleep(POLL_SECONDS)
