#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test the messages and exit statuses of applications after errors. The message is one sentence
that says what to do.

usage: endings.py GROUP NDPMD NDRPING NDREPLAY

Groups: eal, log, output, interrupt. Exits with 0, or with 1 after printing what was wrong.
"""

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time

from program import EAL, Process, check, failures, run

FEW_MEGABYTES = ["--no-huge", "--no-pci", "--no-telemetry", "-m", "16"]
NULL_PORT = "--vdev=net_null0"
OUTPUT_LOST = 3


def last_sentence(ended, status, *words):
    """Check the exit status and the last line of standard error. EAL and drivers may print other
    lines before."""
    ended.expect(status)
    lines = ended.errors.splitlines() or [""]
    check(lines[-1].startswith(ended.program + ": "), "%s: %r" % (ended.name, ended.errors))
    for word in words:
        check(word in lines[-1], "%s: no %r in %r" % (ended.name, word, lines[-1]))
    mine = [line for line in lines if line.startswith(ended.program + ": ")]
    check(len(mine) == 1, "%s: %d sentences: %r" % (ended.name, len(mine), ended.errors))


def servers(programs):
    own = "--address=10.9.0.1/24"
    return [(programs[0], ["--server", own]), (programs[1], ["-s", own])]


def eal(programs):
    """Errors of EAL: the message must say what to do, because EAL's error number does not."""
    for program, own in servers(programs):
        name = "endings-%d" % os.getpid()
        common = ["--no-pci", "--no-telemetry", "--log-level=error", "--file-prefix=" + name]
        # These command lines fail in the same way with and without free hugepages.
        no_folder = common + ["--huge-dir=/no/such/folder", NULL_PORT, "--", *own]
        last_sentence(run(program, *no_folder), 2, "hugepages", "--no-huge")
        absent = EAL + ["--vdev=net_nobody0", "--", *own]
        last_sentence(run(program, *absent), 2, "EAL did not start: ")
        wrong = EAL + ["--bogus", "--", *own]
        last_sentence(run(program, *wrong), 2, "before the --")
        small = FEW_MEGABYTES + ["--no-shconf", "--log-level=error", NULL_PORT, "--", *own]
        last_sentence(run(program, *small), 2, "give EAL more memory", "-m ")
        no_driver = EAL + ["--mbuf-pool-ops-name=absent", NULL_PORT, "--", *own]
        for inject in [[], ["--inject=drop:1%"]] if program == programs[0] else [[]]:
            last_sentence(run(program, *no_driver, *inject), 2, "mempool driver absent: install")

        first = Process(program, FEW_MEGABYTES[:3] + common[2:] + [NULL_PORT, "--", *own])
        first.works(2)
        second = run(program, *FEW_MEGABYTES[:3], *common[2:], NULL_PORT, "--", *own)
        last_sentence(second, 2, "--file-prefix=NAME", name)
        first.signal(signal.SIGINT)
        ended = first.end()
        ended.expect(0)
        ended.expect_silence()


def log(programs):
    """The log of EAL, drivers and the library is printed unless the user disables it."""
    info = [argument for argument in EAL if not argument.startswith("--log-level")]
    info += ["--log-level=lib.ndpdk.port:info", NULL_PORT, "--"]
    unreachable = [
        (programs[0], ["--client=10.8.0.1", "--address=10.9.0.1/24"]),
        (programs[1], ["-c", "-a", "10.8.0.1", "--address=10.9.0.1/24"]),
    ]
    for program, own in unreachable:
        ended = run(program, *info, *own)
        check("port 0 queue 0: " in ended.errors, "%s: %r" % (ended.name, ended.errors))
        last_sentence(ended, 1, "--gateway")
    for program, own in servers(programs):
        device = "--vdev=net_vhost0,iface=/no/such/folder/socket"
        ended = run(program, *EAL, device, "--", *own)
        if "EAL did not start" in ended.errors:
            print("DPDK has no vhost driver")
            continue
        # The driver's log must be printed, because its error number does not tell the reason.
        check("No such file or directory" in ended.errors, "%r" % ended.errors)
        last_sentence(ended, 2, "port 0")


def run_into(output, program, *arguments):
    """Run with redirected standard output. @return exit status and standard error"""
    words = ["bash", "-c", '"$@" ' + output, "bash", program, *arguments]
    ended = subprocess.run(words, stderr=subprocess.PIPE, timeout=120, check=False)
    return ended.returncode, ended.stderr.decode()


def output(programs):
    """If standard output cannot be written, an application reports this and stops."""
    fixtures = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../pcap_fixtures")
    endless = ["--loopback", "--op=send,write", "--time=0.2", "--json"]
    runs = [(program, [word]) for program in programs for word in ("--help", "--version")]
    runs += [
        (programs[0], endless),
        (programs[2], ["check", os.path.join(fixtures, "rping-64.pcap")]),
    ]
    reasons = {">/dev/full": "No space left on device", ">&-": "Bad file descriptor"}
    for program, arguments in runs:
        for redirection, reason in reasons.items():
            status, errors = run_into(redirection, program, *arguments)
            name = "%s %s %s" % (os.path.basename(program), arguments[0], redirection)
            check(status == OUTPUT_LOST, "%s: exit status %d" % (name, status))
            lines = errors.splitlines()
            check(len(lines) == 1 and reason in errors, "%s: %r" % (name, errors))

    # The reader of ndpmd's output closes the pipe. ndpmd must stop before its run is over.
    with tempfile.TemporaryFile() as file:
        began = time.monotonic()
        words = '"$0" --loopback --op=%s --time=0.5 | true' % ",".join(["send"] * 16)
        words += "; exit ${PIPESTATUS[0]}"
        status = subprocess.call(["bash", "-c", words, programs[0]], stderr=file)
        file.seek(0)
        errors = file.read().decode()
    check(status == OUTPUT_LOST, "broken pipe: exit status %d" % status)
    check("Broken pipe" in errors and errors.count("\n") == 1, "broken pipe: %r" % errors)
    check(time.monotonic() - began < 7, "broken pipe: all 16 operations went on")


def interrupt(programs):
    """Ctrl-C at any time, also while a connection is being established, is not a failure."""
    setups = [["--op=bind", "--windows=100K", "--qps=32"], ["--op=send,write", "--qps=1024"]]
    for number in range(24):
        process = Process(programs[0], ["--loopback", *setups[number % len(setups)]])
        time.sleep(0.05 + 0.08 * (number // 2))
        number_of_signal = signal.SIGINT if number % 4 < 2 else signal.SIGTERM
        process.signal(number_of_signal)
        ended = process.end()
        # A process dies from a signal that arrives before its handler is installed.
        if ended.status != -number_of_signal:
            ended.expect(0)
        ended.expect_silence()
    signal_in_a_write(programs[0])


def signal_in_a_write(program):
    """No output is lost if a signal arrives while a write to a full pipe blocks."""
    reader, writer = os.pipe()
    capacity = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, b"#" * capacity)
    process = subprocess.Popen([program, "--loopback", "--time=0.2"], stdout=writer,
                               stderr=subprocess.PIPE, text=True)
    os.close(writer)
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    with open(reader, encoding="ascii") as file:
        printed = file.read()[capacity:]
    errors = process.stderr.read()
    status = process.wait()
    check(status == 0 and not errors, "a signal in a write: status %d: %r" % (status, errors))
    check("\nsend " in printed, "a signal in a write: %r" % printed)


GROUPS = {"eal": eal, "log": log, "output": output, "interrupt": interrupt}


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in GROUPS:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    GROUPS[sys.argv[1]](sys.argv[2:])
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
