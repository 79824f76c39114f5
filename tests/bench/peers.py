# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Compares ndpmd with other programs that transfer messages between two processes of a machine.

All values are round trips of one message per size in bytes. Both processes poll on separate
processors. The floor is the round trip through shared memory (ping_pong.c). Programs that are not
installed are listed as missing.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import guest  # noqa: E402
import measure  # noqa: E402
import memif  # noqa: E402

SIZES = (64, 4096)
# Both print the time of one direction.
WAYS = 2
SERVER_START_S = 0.5
TIMEOUT_S = 60
# fi_pingpong prints only the mean, which each interruption increases. The minimum of several short
# runs has the fewest interruptions.
FABRIC_RUNS = 3
FABRICS = (("shm", "rdm"), ("tcp", "msg"), ("udp", "dgram"))
UCX_WAYS = ("posix", "tcp")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def play(server, client, environment):
    """Run two processes, on the first and on the last processor. @return output of the client"""
    cores = sorted(os.sched_getaffinity(0))

    def start(command, core):
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **environment}, preexec_fn=measure.on_core(core))

    processes = [start(server, cores[0])]
    time.sleep(SERVER_START_S)
    processes.append(start(client, cores[-1]))
    try:
        output = processes[1].communicate(timeout=TIMEOUT_S)[0]
        if processes[1].returncode != 0:
            measure.say(output)
            raise measure.Failure("it ended with status %d" % processes[1].returncode)
        processes[0].communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise measure.Failure("it did not end") from error
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.communicate()
    return output


def ucx_latency(output):
    """Return the median ns of one direction, from the last line that has only numbers."""
    found = re.findall(r"^ *\d+ +([\d.]+) +[\d.]+ +[\d.]+ +.*$", output, re.M)
    if not found:
        raise measure.Failure("ucx_perftest printed %s" % output)
    return float(found[-1]) * 1e3


def fabric_latency(output):
    """Return the mean ns of one direction, from the second last column."""
    found = re.findall(r"^\d\S* +\d.* ([\d.]+) +[\d.]+ *$", output, re.M)
    if not found:
        raise measure.Failure("fi_pingpong printed %s" % output)
    return float(found[-1]) * 1e3


def step_floor(programs, round_trips):
    rows = {}
    path = programs.bench_path("ping_pong")
    for size in SIZES:
        floor = floor_of(size)
        for way, name in (("shm", floor), ("udp", "peers/UDP sockets of Linux, %u bytes" % size)):
            output = measure.execute([path, way, str(size), str(round_trips)])
            found = list(measure.parse(output, way).values())[0]
            rows[name] = measure.row_of(found["value"], floor, "ns")
    return rows


def floor_of(size):
    return "peers/shared memory, %u bytes" % size


def rows_of(words, latency, missing):
    """Return a row per size. latency(size): time of one direction. If a peer fails, it is listed as
    missing, and the other results are kept."""
    rows = {}
    for size in SIZES:
        name = "%s, %u bytes" % (words, size)
        try:
            rows["peers/" + name] = measure.row_of(WAYS * latency(size), floor_of(size), "ns")
        except measure.Failure as failure:
            why = "%s: %s" % (name, failure)
            if why not in missing:
                missing.append(why)
    return rows


def step_ucx(way, round_trips, missing):
    def latency(size):
        more = ["-p", free_port(), "-t", "tag_lat", "-s", str(size), "-n", str(round_trips),
                "-w", "1000", "-f"]
        return ucx_latency(play(["ucx_perftest"] + more, ["ucx_perftest", "127.0.0.1"] + more,
                                {"UCX_TLS": way + ",self", "UCX_LOG_LEVEL": "error"}))

    return rows_of("UCX `tag_lat` over %s" % way, latency, missing)


def step_fabric(provider, endpoint, round_trips, missing):
    def latency(size):
        taken = []
        for _ in range(FABRIC_RUNS):
            port = free_port()
            more = ["-e", endpoint, "-p", provider, "-S", str(size), "-I", str(round_trips // 20)]
            output = play(["fi_pingpong", "-B", port] + more,
                          ["fi_pingpong", "-P", port] + more + ["127.0.0.1"], {})
            taken.append(fabric_latency(output))
        return min(taken)

    return rows_of("libfabric `fi_pingpong` over %s, lowest mean" % provider, latency, missing)


def step_ndpmd(programs, scale):
    """READ: a request and its response. WRITE and SEND: one message in each direction."""
    rows = {}
    for size in SIZES:
        for operation, taken in memif.latencies(programs, scale, size).items():
            name = "peers/`ndpmd` over memif, %s, %u bytes" % (operation.upper(), size)
            rows[name] = measure.row_of(taken, floor_of(size), "ns")
    return rows


def step_guest(programs, base, missing):
    """A virtual machine that does not boot is listed as missing, like a peer that fails."""
    try:
        return guest.step(programs, base)
    except measure.Failure as failure:
        missing.append("Soft-RoCE: %s" % failure)
        return {}


def steps_of(programs, scale, missing):
    """Return steps like those of measure.py. Adds peers that cannot be measured to the list, now or
    when a step fails."""
    base, why = guest.image()
    steps = []
    if base:
        steps.append(("Soft-RoCE", lambda: step_guest(programs, base, missing)))
    else:
        missing.append("Soft-RoCE: no virtual machine can be made here: " + why)
    return steps + steps_of_processes(programs, scale, missing)


def steps_of_processes(programs, scale, missing):
    """Return steps for peers that need two processors, one per process."""
    if len(os.sched_getaffinity(0)) < 2:
        missing.append("peers: two processes that poll need two processors")
        return []
    round_trips = 10000 if scale.rounds == 1 else 20000
    steps = [("two processes", lambda: step_floor(programs, round_trips))]
    if memif.available(programs):
        steps.append(("ndpmd there", lambda: step_ndpmd(programs, scale)))
    if shutil.which("ucx_perftest"):
        for way in UCX_WAYS:
            steps.append(("UCX " + way, lambda way=way: step_ucx(way, round_trips, missing)))
    else:
        missing.append("UCX: `ucx_perftest` is not installed (package `ucx-utils`)")
    if shutil.which("fi_pingpong"):
        for fabric in FABRICS:
            steps.append(("libfabric " + fabric[0],
                          lambda fabric=fabric: step_fabric(*fabric, round_trips, missing)))
    else:
        missing.append("libfabric: `fi_pingpong` is not installed (package `libfabric-bin`)")
    return steps
