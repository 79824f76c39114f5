#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""The virtual machine with the RDMA stack of the Linux kernel, and commands in this machine.

usage: machine.py FOLDER COMMAND [ARGUMENT...]

Runs a command in a machine that `tools/interop --keep` has left running. FOLDER is the folder that
tools/interop printed. A single argument that contains a space is a command line for the shell.
"""

import fcntl
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

from framework import Failure
from task import Task, end_with_parent

PORTS = 24  # maximum number of commands that run or have just ended
FRAME = struct.Struct("<IIII")
MAGIC = 0x44445249
PAYLOAD_MAX = 16384
COOLING_SECONDS = 0.5  # wait before reuse of a port, because its agent must detect the close
BOOT_SECONDS = 120  # time limit; booting takes 8 s on an idle host
MEMORY_MB = 768


class Command(Task):
    """A command in the machine, connected by a serial port. See guest/frame.h."""

    def __init__(self, name, log_path, folder, argv, stdin=b""):
        super().__init__(name, log_path)
        self._log.write((" ".join(argv) + "\n").encode())
        self.folder = folder
        self.pid = 0
        self._nonce = int.from_bytes(os.urandom(4), "little")
        self._sending = threading.Lock()
        self._socket, self._lock = open_port(folder)
        self._send("X", b"".join(word.encode() + b"\0" for word in argv))
        threading.Thread(target=self._read, daemon=True).start()
        if stdin is not None:
            if stdin:
                self.write(stdin)
            self._send("I", b"")

    def _send(self, kind, payload):
        with self._sending:
            try:
                header = FRAME.pack(MAGIC, ord(kind), self._nonce, len(payload))
                self._socket.sendall(header + payload)
            except OSError:
                pass  # ignored, because the reader thread detects this error

    def write(self, data):
        for start in range(0, len(data), PAYLOAD_MAX):
            self._send("I", data[start : start + PAYLOAD_MAX])

    def _frames(self):
        buffer = b""
        magic = struct.pack("<I", MAGIC)
        while True:
            start = buffer.find(magic)
            buffer = buffer[start:] if start >= 0 else buffer[-3:]
            if len(buffer) >= FRAME.size and start >= 0:
                _, kind, nonce, length = FRAME.unpack_from(buffer)
                if nonce != self._nonce or length > PAYLOAD_MAX:
                    buffer = buffer[1:]  # skip bytes that an earlier command has left
                    continue
                if len(buffer) >= FRAME.size + length:
                    yield chr(kind), buffer[FRAME.size : FRAME.size + length]
                    buffer = buffer[FRAME.size + length :]
                    continue
            data = self._socket.recv(65536)
            if not data:
                return
            buffer += data

    def _read(self):
        status = 255
        try:
            for kind, payload in self._frames():
                if kind in "OE":
                    self.feed(payload)
                elif kind == "S":
                    self.pid = struct.unpack("<I", payload)[0]
                elif kind == "Q":
                    status = struct.unpack("<I", payload)[0]
                    break
        except OSError:
            pass
        # When the port is closed, the agent kills the command.
        self._socket.close()
        cooling = threading.Timer(COOLING_SECONDS, os.close, [self._lock])
        cooling.daemon = True
        cooling.start()
        self.ended(status)

    def signal(self, number):
        """Send a signal to the command and to all its child processes."""
        self.was_killed = True
        if self.running and self.pid:
            Command(
                "kill", os.devnull, self.folder, ["kill", "-%d" % number, "--", "-%d" % self.pid]
            ).wait(10)

    def abandon(self):
        """Close the port without waiting. The agent then ends the command. Used if the machine no
        longer responds."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def open_port(folder):
    """Find a free serial port. Return its socket, and a lock that prevents other processes from
    using it."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for number in range(PORTS):
            path = os.path.join(folder, "port%d" % number)
            lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                connection.connect(path)
                return connection, lock
            except OSError:
                os.close(lock)
        time.sleep(0.1)
    raise Failure("no free serial port: the machine does not run, or too many commands do")


class Machine:
    """A virtual machine (QEMU process). Its NIC is connected to a tap, to a vhost-user socket, or
    to nothing."""

    def __init__(self, image, folder, log_folder, addresses, mtu, tap=None, vhost_socket=None):
        self.folder = folder
        self.console = os.path.join(log_folder, "console.log")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.makedirs(log_folder, exist_ok=True)
        argv = self._arguments(image, addresses, mtu, tap, vhost_socket)
        self._errors_path = os.path.join(log_folder, "qemu.log")
        with open(self._errors_path, "wb") as errors:
            errors.write((" ".join(argv) + "\n").encode())
            errors.flush()
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                preexec_fn=end_with_parent,
            )
        try:
            self._wait_until_up()
        except BaseException:
            self.stop()
            raise

    def _arguments(self, image, addresses, mtu, tap, vhost_socket):
        hardware = "q35,accel=tcg"
        device = "virtio-net-pci,netdev=net,mac=52:54:00:00:00:01,romfile=,speed=10000,duplex=full"
        device += ",host_mtu=%d" % mtu
        # Disable all offloads of the NIC, because the cable must carry complete frames with
        # checksums.
        device += "".join(
            ",%s=off" % feature
            for feature in (
                "csum gso guest_csum guest_tso4 guest_tso6 guest_ecn guest_ufo host_tso4 host_tso6"
                " host_ecn host_ufo"
            ).split()
        )
        if vhost_socket:
            memory = "memory-backend-memfd,id=memory,size=%dM,share=on" % MEMORY_MB
            hardware += ",memory-backend=memory"
            # Without KVM, QEMU 7.2 fails an assertion with vhost-user and MSI-X.
            device += ",vectors=0"
            network = ["-object", memory, "-chardev", "socket,id=vhost,path=" + vhost_socket]
            network += ["-netdev", "vhost-user,id=net,chardev=vhost"]
        elif tap:
            network = ["-netdev", "tap,id=net,ifname=%s,script=no,downscript=no,vhost=off" % tap]
        else:
            network = ["-netdev", "hubport,id=net,hubid=0"]
        ports = []
        for number in range(PORTS):
            path = os.path.join(self.folder, "port%d" % number)
            ports += ["-chardev", "socket,id=c%d,path=%s,server=on,wait=off" % (number, path)]
            ports += ["-device", "virtserialport,chardev=c%d,name=interop.%d" % (number, number)]
        words = "console=ttyS0 quiet panic=-1 interop.ip=%s interop.ip6=%s" % addresses
        return (
            ["qemu-system-x86_64", "-machine", hardware, "-cpu", "max", "-smp", "1"]
            + ["-m", str(MEMORY_MB), "-nodefaults", "-no-user-config", "-display", "none"]
            + ["-no-reboot", "-kernel", os.path.join(image, "vmlinuz")]
            + ["-initrd", os.path.join(image, "initramfs.cpio"), "-append", words]
            + ["-serial", "file:" + self.console, "-device", "virtio-rng-pci"]
            + network
            + ["-device", device, "-device", "virtio-serial-pci,max_ports=%d" % (PORTS + 1)]
            + ports
        )

    def _wait_until_up(self):
        deadline = time.monotonic() + BOOT_SECONDS
        while time.monotonic() < deadline:
            if not self.running:
                with open(self._errors_path, errors="replace") as errors:
                    raise Failure("QEMU does not start: " + errors.read().splitlines()[-1][:300])
            try:
                if self.run("cat /run/ready 2>&1", timeout=20).startswith("up"):
                    return
            except Failure:
                pass
            time.sleep(0.2)
        raise Failure("the machine is not up after %d s, see %s" % (BOOT_SECONDS, self.console))

    @property
    def running(self):
        return self._process.poll() is None

    def start(self, name, log_path, command, stdin=b""):
        if not self.running:
            raise Failure("the machine has died, see " + self.console)
        argv = ["sh", "-c", command] if isinstance(command, str) else list(command)
        return Command(name, log_path, self.folder, argv, stdin)

    def run(self, command, timeout=30, stdin=b""):
        """Run a command to its end, and return its output. Raise Failure if the status is not 0."""
        name = command if isinstance(command, str) else " ".join(command)
        task = self.start(name[:80], os.devnull, command, stdin)
        try:
            return task.expect(timeout=timeout)
        except BaseException:
            task.abandon()
            raise

    def read(self, path):
        """Return the contents of a file in the machine."""
        task = self.start("cat", os.devnull, ["cat", path])
        task.expect(timeout=120)
        return task.data

    def resources(self):
        """Return `rdma resource`, summed over all devices: {"pd": 1, "qp": 1, ...}."""
        total = {}
        for name, value in re.findall(r"\b([a-z_]+) (\d+)\b", self.run(["rdma", "resource"])):
            total[name] = total.get(name, 0) + int(value)
        return total

    def complaints(self):
        """Return the lines of the kernel's log that report an error that no test may cause."""
        with open(self.console, errors="replace") as console:
            text = console.read()
        return re.findall(r"^.*(?:BUG:|Oops|Call Trace|WARNING:|Kernel panic).*$", text, re.M)

    def cut_power(self):
        """Stop the machine at once, without notice to its programs."""
        self._process.kill()
        self._process.wait()

    def stop(self):
        if self.running:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    command = sys.argv[2:]
    if len(command) == 1 and " " in command[0]:
        command = ["sh", "-c"] + command
    stdin = None if not sys.stdin.isatty() else b""
    task = Command("command", os.devnull, sys.argv[1], command, stdin)
    if stdin is None:
        threading.Thread(target=forward_input, args=(task,), daemon=True).start()
    shown = 0
    while task.running or shown < len(task.output):
        text = task.output
        sys.stdout.write(text[shown:])
        sys.stdout.flush()
        shown = len(text)
        time.sleep(0.05)
    return task.status


def forward_input(task):
    while True:
        data = os.read(0, PAYLOAD_MAX)
        task.write(data) if data else task._send("I", b"")
        if not data:
            return


if __name__ == "__main__":
    sys.exit(main())
