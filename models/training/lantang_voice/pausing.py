"""Standing aside while another program on the same machine needs the processor to itself."""

import os
import signal
import time
from pathlib import Path

POLL_SECONDS = 0.5


def stand_aside_while_exists(pause_file: Path) -> None:
    """Stop this process for as long as `pause_file` exists, and let it go on afterwards.

    A forked watcher polls the file and sends SIGSTOP and SIGCONT, so that the process halts in the
    middle of a long native call too. Processes that it forks later get watchers of their own. Call it before
    any thread is started. A watcher ends with the process that it watches.
    """
    _Watchers(pause_file).fork()


class _Watchers:
    """One forked watcher for this process and for each that it forks."""

    def __init__(self, pause_file: Path):
        self._pause_file = pause_file
        self._forking = False
        os.register_at_fork(after_in_child=self._begin_child)

    def fork(self) -> None:
        watched, self._forking = os.getpid(), True
        if os.fork() == 0:
            try:
                _watch(watched, self._pause_file)
            finally:
                os._exit(0)
        self._forking = False

    def _begin_child(self) -> None:
        """Watchers are children too, and need no watcher."""
        if not self._forking:
            self.fork()


def _watch(watched: int, pause_file: Path) -> None:
    stopped = False
    while os.getppid() == watched:
        if pause_file.exists() != stopped:
            stopped = not stopped
            os.kill(watched, signal.SIGSTOP if stopped else signal.SIGCONT)
        time.sleep(POLL_SECONDS)
