# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Soft-RoCE of the Linux kernel and ndpmd, each over a separate cable in one virtual machine.

The machine is that of tests/interop: one emulated processor, without KVM. Both stacks send through
the kernel's veth device: Soft-RoCE through the kernel's UDP, ndpmd through a packet socket
(net_af_packet). On an emulated machine only ratios are meaningful, so the document contains only
ratios. The floor of each row is Soft-RoCE.
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
INTEROP = os.path.join(os.path.dirname(HERE), "interop")
sys.path.insert(0, HERE)
# At the end of the path, because both folders have a peers.py.
sys.path.append(INTEROP)
import framework  # noqa: E402
import measure  # noqa: E402
from machine import Machine  # noqa: E402

# Row: the tool of perftest, the number of messages, and the arguments of ndpmd.
Case = collections.namedtuple("Case", "words tool options count ndpmd")
CASES = {
    "read_64_depth_1": Case(
        "READ, 64 bytes, one at a time, median", "ib_read_lat", "-s 64", 1000,
        "--op=read --size=64 --depth=1"),
    "read_64_depth_64": Case(
        "READ, 64 bytes, 64 outstanding", "ib_read_bw", "-s 64 -t 64", 5000,
        "--op=read --size=64 --depth=64"),
    "write_64_depth_64": Case(
        "WRITE, 64 bytes, 64 outstanding", "ib_write_bw", "-s 64 -t 64", 5000,
        "--op=write --size=64 --depth=64"),
    "write_4096_depth_64": Case(
        "WRITE, 4096 bytes, 64 outstanding", "ib_write_bw", "-s 4096 -t 64", 2000,
        "--op=write --size=4096 --depth=64"),
}
DRIVERS = ("librte_net_af_packet.so", "librte_mempool_ring.so")
TIMEOUT_S = 120


def image():
    """Return (folder with the machine's kernel and initramfs, ""), or (None, the reason why there
    is none). Downloads nothing; `tools/interop` does."""
    run = subprocess.run([os.path.join(INTEROP, "guest", "build"), "--no-apt"],
                         capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return run.stdout.split()[-1], ""
    lines = run.stderr.strip().splitlines() or ["tests/interop/guest/build fails"]
    return None, lines[-1]


def libraries_of(path):
    """Return the files that a program or a library loads."""
    return re.findall(r"/\S+", measure.execute(["ldd", path]))


def driver_paths():
    folder = measure.guard.output_of("pkg-config", "--variable=driverdir", "libdpdk")
    if not os.path.isdir(folder):
        folder = os.path.join(
            measure.guard.output_of("pkg-config", "--variable=libdir", "libdpdk"), "dpdk")
    found = {name: os.path.join(where, name) for where, _, names in os.walk(folder)
             for name in names if name in DRIVERS}
    if len(found) != len(DRIVERS):
        raise measure.Failure("DPDK's %s are not in %s" % (", ".join(DRIVERS), folder))
    return list(found.values())


def image_with(program, base, folder):
    """Make in a folder: the kernel, and an initramfs with the program, its libraries, and
    guest.sh."""
    more = os.path.join(folder, "more", "ndpdk")
    os.makedirs(more)
    drivers = driver_paths()
    files = {program, os.path.join(HERE, "guest.sh"), *drivers}
    for path in (program, *drivers):
        files.update(libraries_of(path))
    for path in files:
        shutil.copy(path, more)
        subprocess.run(["strip", "--strip-unneeded", os.path.join(more, os.path.basename(path))],
                       stderr=subprocess.DEVNULL, check=False)
    os.symlink(os.path.join(base, "vmlinuz"), os.path.join(folder, "vmlinuz"))
    shutil.copy(os.path.join(base, "initramfs.cpio"), folder)
    # The kernel unpacks concatenated archives.
    command = "find . | cpio --quiet -o -H newc >> ../initramfs.cpio"
    subprocess.run(["sh", "-c", command], cwd=os.path.dirname(more), check=True)
    return folder


def perftest_ns(case, output):
    """Return ns per message from the output of perftest in guest.sh."""
    frames = re.search(r"^frames (\d+)$", output, re.M)
    columns = output.strip().splitlines()[0].split() if frames else []
    if len(columns) < 5:
        raise measure.Failure("%s printed %s" % (case.tool, output))
    if int(frames.group(1)) < case.count:
        raise measure.Failure("%s: %s frames for %u messages: they did not go through the cable" % (
            case.tool, frames.group(1), case.count))
    # The typical time in microseconds, or millions of messages per second.
    return float(columns[4]) * 1e3 if case.tool.endswith("_lat") else 1e3 / float(columns[4])


def ndpmd_ns(case, output):
    """Return ns per message from the output of ndpmd."""
    row = measure.objects(output)[0]
    if row["errors"]:
        raise measure.Failure("ndpmd printed %s" % output)
    if case.tool.endswith("_lat"):
        return row["latency_ns"]["p50"]
    return row["seconds"] * 1e9 / row["ops"]


def measured(machine):
    rows = {}
    for name, case in CASES.items():
        output = machine.run(
            ["sh", "/ndpdk/guest.sh", "rxe", case.tool, *case.options.split(), "-n",
             str(case.count)], TIMEOUT_S)
        floor = "guest/rxe_" + name
        rows[floor] = measure.row_of(perftest_ns(case, output), floor, "ns")
        output = machine.run(
            ["sh", "/ndpdk/guest.sh", "ndpmd", "--time=1", *case.ndpmd.split()], TIMEOUT_S)
        rows["guest/" + name] = measure.row_of(ndpmd_ns(case, output), floor, "ns")
    return rows


def step(programs, base):
    """Boot a machine, and run each case once."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            machine = Machine(image_with(programs.ndpmd_path, base, folder),
                              os.path.join(folder, "ports"), os.path.join(folder, "log"),
                              ("10.77.0.1/24", "fd77::1/64"), 1500)
            try:
                machine.run(["sh", "/ndpdk/guest.sh", "prepare"], TIMEOUT_S)
                return measured(machine)
            finally:
                machine.stop()
        except framework.Failure as failure:
            raise measure.Failure("virtual machine: %s" % failure) from failure
