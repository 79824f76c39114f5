#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""If the cleanup of EAL blocks, a program still ends with its exit status and its complete output.
If a program is stopped during the cleanup, it prints no message about EAL.

usage: stuck_end.py NDPMD PRELOADED

PRELOADED replaces rte_eal_cleanup() with a function that does not return or stops the process.
Exits with 0, or with 1 after printing what was wrong.
"""

import os
import signal
import sys

from program import Process, check, failures

SENTENCE = "EAL did not shut down within"
LOOPBACK = ["--loopback", "--iterations=1000"]


def main():
    ndpmd, preloaded = sys.argv[1:]
    os.environ["LD_PRELOAD"] = os.path.abspath(preloaded)
    stuck = [Process(ndpmd, arguments)
             for arguments in (LOOPBACK, ["--server", "--address=224.0.0.1"])]
    os.environ["STOP"] = "yes"
    stopped = Process(ndpmd, LOOPBACK)
    del os.environ["LD_PRELOAD"]
    status = os.waitpid(stopped.popen.pid, os.WUNTRACED)[1]
    check(os.WIFSTOPPED(status), "it has not stopped: status %#x" % status)
    loopback, refused = [process.end() for process in stuck]
    # The test has waited for the other processes for longer than the time limit.
    # The stopped process did not run during this wait, so its limit must not have passed.
    stopped.signal(signal.SIGCONT)
    stopped = stopped.end()
    stopped.expect(0)
    stopped.expect_silence()
    loopback.expect(0)
    check("\nsend " in loopback.output, "no row: %r" % loopback.output)
    refused.expect(2)
    for ended in (loopback, refused):
        check(SENTENCE in ended.errors, "not said: %r" % ended.errors)
        # The message must not blame locks of shared memory, because the memory has no files.
        check("shared" not in ended.errors, "a wrong cause: %r" % ended.errors)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
