# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""The laboratory: a private network with the virtual machine, in which cases run one at a time.

The runner enters a new, unnamed network namespace (without root: in a new user namespace). The
namespace disappears with its last process. Therefore names cannot collide with another run, and
nothing remains after a run, however the run ends.

    cable   our port is net_af_packet or net_pcap on cable0, whose other end, far0, is in a bridge
            with tap0, the NIC of the machine
    router  no bridge: far0 and tap0 have addresses, and the kernel of this host forwards
    vhost   the memory of the machine is shared with our net_vhost port, no kernel is between

Captures are made where a cause is recorded before its effect: at tap0, or with a router at far0.
There, a frame to our port is recorded before the port receives the frame, and a frame to the
machine before the machine receives it. On the interface that our port polls, a reply may be
recorded before its request, because packet sockets receive a frame one after another, and the
port's socket may be first.
"""

import ctypes
import glob
import os
import random
import re
import shutil
import signal
import tempfile
import time

from capture import Capture, Checker
from framework import ACTIVE, COLUMNS, IPV6, LOSS, PASSIVE, Failure, NotApplicable, PeerStopped
from machine import Machine
from task import LIBC, Program, run

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000

CABLE_MTU = 4300  # MTU of the NIC that allows a path MTU of 4096
AF_PACKET_MTU = 1500  # maximum MTU that net_af_packet allows; net_pcap has no limit
RESOURCES_SECONDS = 30  # time limit for the kernel to free the resources of an ended program
PORT_FIRST = 20000
NOT_COMPLETED = "no completion of a request"  # text that verbspeer prints
FOLDER_PREFIX = "ndpdk-interop-"

# Addresses of the kernel, of ndpdk, and of ndpdk's gateway, with prefix lengths.
NETWORKS = {
    ("cable", 4): ("10.77.0.1", "10.77.0.2", "", 24),
    ("cable", 6): ("fd77::1", "fd77::2", "", 64),
    ("vlan", 4): ("10.78.0.1", "10.78.0.2", "", 24),
    ("vlan", 6): ("fd78::1", "fd78::2", "", 64),
    ("router", 4): ("10.77.0.1", "192.0.2.2", "192.0.2.254", 24),
    ("router", 6): ("fd77::1", "2001:db8::2", "2001:db8::254", 64),
}
ROUTER = {
    "tap0": ("10.77.0.254/24", "fd77::254/64"),
    "far0": ("192.0.2.254/24", "2001:db8::254/64"),
}

SLUGS = {ACTIVE: "active", PASSIVE: "passive", IPV6: "ipv6", LOSS: "loss"}


def isolate():
    """Enter a new network namespace. Raise OSError if the system does not allow this."""
    user = os.geteuid()
    flags = CLONE_NEWNET if user == 0 else CLONE_NEWNET | CLONE_NEWUSER
    group = os.getegid()
    if LIBC.unshare(flags) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    if user != 0:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", "0 %d 1" % user),
            ("gid_map", "0 %d 1" % group),
        ):
            with open("/proc/self/" + name, "w") as file:
                file.write(text)


def sysctl(name, value):
    with open("/proc/sys/" + name, "w") as file:
        file.write(str(value))


def sweep():
    """Remove folders that killed runs have left. Other resources disappear with the processes of a
    run."""
    pattern = os.path.join(tempfile.gettempdir(), FOLDER_PREFIX + "*-*")
    for folder in glob.glob(pattern):
        owner = os.path.basename(folder)[len(FOLDER_PREFIX) :].split("-")[0]
        if owner.isdigit() and not os.path.exists("/proc/" + owner):
            shutil.rmtree(folder, ignore_errors=True)


class Lab:
    """One run: its folders, its network, and the machine that all cases use."""

    def __init__(self, build, image, output, seed):
        self.build = build
        self.image = image
        self.output = output
        self.seed = seed
        sweep()
        self.folder = tempfile.mkdtemp(prefix="%s%d-" % (FOLDER_PREFIX, os.getpid()))
        self.checker = Checker(build)
        self.port = PORT_FIRST
        self.prefixes = 0
        self.boots = 0
        self.figures = []  # figures that the running scenario has added to its table
        self._machine = None
        self.baseline = None
        self.router_is_up = False
        # Disable IPv6 of this host, because the cables must carry only packets of the two sides.
        sysctl("net/ipv6/conf/all/disable_ipv6", 1)
        sysctl("net/ipv6/conf/default/disable_ipv6", 1)
        run(["ip", "link", "set", "lo", "up"])
        run(["ip", "tuntap", "add", "tap0", "mode", "tap"])
        run(["ip", "link", "add", "cable0", "type", "veth", "peer", "name", "far0"])
        run("ip link add br0 type bridge stp_state 0 mcast_snooping 0 forward_delay 0".split())
        for interface in ("tap0", "cable0", "far0", "br0"):
            run(["ip", "link", "set", interface, "mtu", str(CABLE_MTU), "up"])
        self.bridge(True)

    def bridge(self, up):
        for interface in ("tap0", "far0"):
            run(["ip", "link", "set", interface] + (["master", "br0"] if up else ["nomaster"]))

    @property
    def machine(self):
        """Return the machine at tap0. Boot it on the first use, and again if it has died."""
        if self._machine is not None and not self._machine.running:
            self._machine = None
        if self._machine is None:
            self._machine = self.boot(tap="tap0")
            self.baseline = self._machine.resources()
        return self._machine

    def boot(self, **nic):
        self.boots += 1
        return Machine(
            self.image,
            os.path.join(self.folder, "machine%d" % self.boots),
            os.path.join(self.output, "machine%d" % self.boots),
            ("10.77.0.1/24", "fd77::1/64"),
            CABLE_MTU,
            **nic,
        )

    def restart(self):
        """Stop a machine that does not respond. The next case boots a new machine."""
        if self._machine is not None:
            self._machine.stop()
            self._machine = None

    def router(self, up):
        if up == self.router_is_up:
            return
        self.router_is_up = up
        self.bridge(not up)
        sysctl("net/ipv4/ip_forward", int(up))
        sysctl("net/ipv6/conf/all/forwarding", int(up))
        # Disable forwarding on cable0. Otherwise this host would send back frames that arrived for
        # our port.
        sysctl("net/ipv4/conf/cable0/forwarding", 0)
        sysctl("net/ipv6/conf/cable0/forwarding", 0)
        for interface, addresses in ROUTER.items():
            sysctl("net/ipv6/conf/%s/accept_dad" % interface, 0)
            sysctl("net/ipv6/conf/%s/disable_ipv6" % interface, int(not up))
            for address in addresses:
                if up:
                    run(["ip", "addr", "add", address, "dev", interface])
            if not up:
                run(["ip", "addr", "flush", "dev", interface])

    def close(self):
        if self._machine is not None:
            self._machine.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Case:
    """A scenario in one column and one role. framework.py describes the methods for scenarios."""

    def __init__(self, lab, entry, column, kernel_active):
        self._lab = lab
        self._entry = entry
        self.column = column
        self.kernel_active = kernel_active
        self.family = 6 if column == IPV6 else 4
        self.loss = column == LOSS
        network = "vlan" if entry.vlan else "router" if entry.attach == "router" else "cable"
        kernel, ours, gateway, length = NETWORKS[network, self.family]
        self.kernel_address, self.our_address, self.our_gateway = kernel, ours, gateway
        self.kernel_prefix = "%s/%d" % (kernel, length)
        self.our_prefix = "%s/%d" % (ours, length)
        self.kernel_device = "eth0.%d" % entry.vlan if entry.vlan else "eth0"
        lab.port += 1
        self.port = lab.port
        seed = "%s %s %s %s" % (lab.seed, entry.name, column, kernel_active)
        self.random = random.Random(seed)
        role = "active" if kernel_active else "passive"
        name = SLUGS[column] if column in (ACTIVE, PASSIVE) else SLUGS[column] + "-" + role
        self.folder = os.path.join(lab.output, entry.name, name)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.capture_path = os.path.join(self.folder, "capture.pcap")
        self._log = open(os.path.join(self.folder, "case.log"), "w", buffering=1)
        self.log("seed %r" % seed)
        self._started = time.monotonic()
        self._tasks = []
        self._programs = []
        self._machine = None
        self._baseline = None
        self._capture = None
        self._guest_capture = None

    # ---- methods that scenarios call ----

    def log(self, text):
        self._log.write(text + "\n")

    def program(self, name, *arguments, eal=(), env=None, command=()):
        """Start a program of the build folder with our port. See framework.py."""
        path = os.path.join(self._lab.build, name)
        if not os.access(path, os.X_OK):
            raise Failure("%s is not built" % name)
        self._lab.prefixes += 1
        socket = os.path.join(self._lab.folder, "vhost%d" % self._lab.prefixes)
        argv = [path] + list(command) + self._eal(socket, list(eal)) + ["--"]
        argv += [str(word) for word in arguments]
        label = os.path.basename(name)
        environment = {"RUNTIME_DIRECTORY": self._lab.folder, **(env or {})}
        program = Program(label, self._log_path(label), argv, environment)
        self._tasks.append(program)
        self._programs.append(program)
        if self._entry.attach == "vhost" and self._machine is None:
            self._boot_for(program, socket)
        return program

    def guest(self, command, stdin=b""):
        """Start a command in the machine. The command runs until it ends or the case ends."""
        words = command.split() if isinstance(command, str) else command
        task = self.machine.start(words[0], self._log_path("guest-" + words[0]), command, stdin)
        self._tasks.append(task)
        return task

    def run_guest(self, command, timeout=30):
        """Run a command in the machine to its end, and return its output. Raise Failure if the
        status is not 0."""
        return self.guest(command).expect(timeout=timeout)

    def put(self, local, remote):
        with open(local, "rb") as file:
            line = 'cat > "$0" && chmod 755 "$0"'
            self.machine.run(["sh", "-c", line, remote], stdin=file.read())

    def impair(self, kernel="", ours=""):
        """Set netem in the machine. kernel: for packets that the kernel sends (eth0). ours: for
        packets that our side sends (ifb0)."""
        self._unimpair()
        lines = []
        if kernel:
            lines.append("tc qdisc add dev eth0 root netem limit 20000 " + kernel)
        if ours:
            lines.append("ip link add ifb0 type ifb; ip link set ifb0 up")
            lines.append("tc qdisc add dev eth0 handle ffff: ingress")
            lines.append(
                "tc filter add dev eth0 parent ffff: protocol all u32 match u32 0 0"
                " action mirred egress redirect dev ifb0"
            )
            lines.append("tc qdisc add dev ifb0 root netem limit 20000 " + ours)
        if lines:
            self.machine.run("set -e; " + "\n".join(lines))
        self.log("impair kernel=%r ours=%r" % (kernel, ours))

    def drop_each(self, number, opcode):
        """Drop each number-th of our packets with this opcode, when it arrives at the machine's
        NIC."""
        self._unimpair()
        protocol, offset = ("ip", 28) if self.family == 4 else ("ipv6", 48)
        self.machine.run(
            "set -e; modprobe act_gact; tc qdisc add dev eth0 handle ffff: ingress;"
            " tc filter add dev eth0 parent ffff: protocol %s u32 match u8 %d 0xff at %d"
            " action gact ok random determ drop %d" % (protocol, opcode, offset, number)
        )

    def dropped(self):
        """Return the number of packets that drop_each() has dropped."""
        text = self.machine.run("tc -s filter show dev eth0 parent ffff:")
        return sum(int(count) for count in re.findall(r"dropped (\d+)", text))

    def cut_power(self):
        """Stop the machine at once, without any message to its peers."""
        self.machine.cut_power()
        self.log("the machine has no power")

    def boot(self):
        """Boot the machine again after cut_power(). All its earlier state is lost."""
        self._machine = self._lab.machine
        self._baseline = self._lab.baseline
        self._configure()

    def kernel_mtu(self, mtu):
        line = "ip link set eth0 mtu %d" % mtu
        if mtu >= 1280:  # with a lower MTU, Linux disables IPv6 and removes the addresses
            line += " && ip addr replace fd77::1/64 dev eth0"
        self.machine.run(line)

    def resources(self):
        return self.machine.resources()

    def figure(self, row, column, text):
        self._lab.figures.append([row, column, text])
        self.log("%s, %s: %s" % (row, column, text))

    def capture_mark(self):
        return len(self._lab.checker.fields(self.capture_path, "frame", ["frame.number"]))

    def stop_capture(self):
        """Stop the capture before the end of the case, so that the scenario can read the
        capture."""
        self._end_capture()

    def frames(self, display_filter, *fields):
        return self._lab.checker.fields(self.capture_path, display_filter, list(fields))

    @property
    def machine(self):
        if self._machine is None:
            raise Failure("with attach=vhost the machine is there after the first case.program()")
        return self._machine

    # ---- methods that the runner calls ----

    def prepare(self):
        if self._entry.attach == "vhost":
            return
        self._lab.router(self._entry.attach == "router")
        self._machine = self._lab.machine
        self._baseline = self._lab.baseline
        self._configure()
        interface = "far0" if self._entry.attach == "router" else "tap0"
        self._capture = Capture(self.capture_path, interface)

    def _configure(self):
        """Prepare the machine for the scenario."""
        self._unimpair()
        self.kernel_mtu(self._entry.mtu)
        lines = ["ip neigh flush all"]
        vlan = self._entry.vlan
        if vlan:
            # The VLAN device is not removed. While the kernel holds GIDs of the device,
            # it delays the removal by up to a minute.
            device = self.kernel_device
            words = "[ -e /sys/class/net/%s ] || ip link add link eth0 name %s type vlan id %d"
            lines.append(words % (device, device, vlan))
            for family in (4, 6):
                kernel, _, _, length = NETWORKS["vlan", family]
                lines.append("ip addr replace %s/%d dev %s" % (kernel, length, device))
            lines.append("ip link set %s up" % device)
        if self._entry.attach == "router":
            lines.append("ip route replace 192.0.2.0/24 via 10.77.0.254")
            lines.append("ip -6 route replace 2001:db8::/64 via fd77::254")
        self.machine.run("set -e; " + "; ".join(lines))
        if self._entry.mtu < 1280 and self.family == 6:
            raise NotApplicable("IPv6 needs an MTU of 1280")
        if self.loss:
            self.impair("loss 1%", "loss 1%")

    def _unconfigure(self):
        self._unimpair()
        if self._entry.attach == "router":
            self.machine.run("ip route del 192.0.2.0/24; ip -6 route del 2001:db8::/64")

    def _unimpair(self):
        self.machine.run(
            "tc qdisc del dev eth0 root; tc qdisc del dev eth0 ingress; ip link del ifb0; true"
        )

    def _boot_for(self, program, socket):
        for _ in range(200):
            if os.path.exists(socket):
                break
            if not program.running:
                raise Failure("%s: %s" % (program.name, program.last_line()))
            time.sleep(0.1)
        else:
            raise Failure("%s has no vhost-user socket after 20 s" % program.name)
        self._machine = self._lab.boot(vhost_socket=socket)
        self._baseline = self._machine.resources()
        self._configure()
        self._guest_capture = self._machine.start(
            "tcpdump",
            self._log_path("tcpdump"),
            "tcpdump -U --immediate-mode -B 32768 -s 9216 -Z root -i eth0"
            " -w /tmp/capture.pcap".split(),
        )
        self._guest_capture.wait_for("listening on", 20)

    def _eal(self, socket, extra):
        processors = ",".join(str(number) for number in sorted(os.sched_getaffinity(0)))
        jumbo = self._entry.mtu > AF_PACKET_MTU
        vdev = {
            "cable": "net_pcap0,iface=cable0"
            if jumbo
            else "net_af_packet0,iface=cable0,qdisc_bypass=0",
            "vhost": "net_vhost0,iface=%s,queues=1" % socket,
        }
        vdev["router"] = vdev["cable"]
        argv = ["--lcores", "0@(%s)" % processors, "--no-huge", "--no-shconf", "--no-pci"]
        argv += ["--no-telemetry", "--log-level=5"]
        argv += ["--file-prefix", "interop%d-%d" % (os.getpid(), self._lab.prefixes)]
        argv += ["--vdev", vdev[self._entry.attach]]
        return argv + ([] if "-m" in extra else ["-m", "512"]) + extra

    def _log_path(self, label):
        label = re.sub(r"[^\w.-]", "_", os.path.basename(label)) or "task"
        return os.path.join(self.folder, "%02d-%s.log" % (len(self._tasks) + 1, label))

    def finish(self):
        """Stop all programs and commands of the case, and check that it has ended correctly. Raise
        the first Failure."""
        failures = []
        for step in (
            self._end_tasks,
            self._check_programs,
            self._check_resources,
            self._end_capture,
            self._check_capture,
            self._end_machine,
        ):
            try:
                step()
            except Failure as failure:
                failures.append(failure)
                self.log("%s: %s" % (step.__name__, failure))
        if failures:
            raise failures[0]

    def judged(self, failure):
        """Called after finish(). Return the failure, or PeerStopped if the capture shows that the
        kernel has stopped."""
        if NOT_COMPLETED not in str(failure):
            return failure
        text, answered = self._lab.checker.silence(self.capture_path, self.kernel_address)
        self.log(text)
        return (PeerStopped if answered else Failure)("%s; %s" % (failure, text))

    def _end_tasks(self):
        for task in reversed(self._tasks):
            task.finish()

    def _check_programs(self):
        for program in self._programs:
            for line in program.lines:
                if re.match(r"leak", line):
                    raise Failure("%s: %s" % (program.name, line.strip()))
                match = re.match(r"resources( .*)", line)
                left = re.findall(r" (\S+)=([1-9]\d*)", match.group(1)) if match else []
                if left:
                    text = ", ".join("%s %s" % (count, name) for name, count in left)
                    raise Failure("%s leaks %s" % (program.name, text))
            status = program.status
            if status not in (0, -signal.SIGTERM, None) and not program.was_killed:
                self.log("%s: exit status %s" % (program.name, status))

    def _check_resources(self):
        if self._machine is None:
            return
        if not self._machine.running:
            self._lab.restart()
            raise Failure("the machine has died")
        deadline = time.monotonic() + RESOURCES_SECONDS
        while True:
            more = {}
            for name, count in self._machine.resources().items():
                allowed = self._baseline.get(name, 0) + self._entry.guest_leaves.get(name, 0)
                if count > allowed:
                    more[name] = count - allowed
            if not more:
                return
            if time.monotonic() > deadline:
                break
            time.sleep(0.5)
        self._lab.restart()  # the next case starts with a new machine
        text = ", ".join("%d %s" % (count, name) for name, count in sorted(more.items()))
        raise Failure("the kernel keeps " + text)

    def _end_capture(self):
        if self._entry.attach == "vhost":
            if self._guest_capture is not None and self._guest_capture.running:
                self._guest_capture.signal(signal.SIGINT)
                self._guest_capture.wait(20)
                data = self._machine.read("/tmp/capture.pcap")
                with open(self.capture_path, "wb") as file:
                    file.write(data)
        elif self._capture is not None:
            if self._capture.running:
                time.sleep(0.3)  # wait for frames in the capture's buffer
            self._capture.stop()

    def _check_capture(self):
        if os.path.exists(self.capture_path):
            self._lab.checker.check(
                self.capture_path,
                self._entry.violations,
                self._entry.malformed,
                self.our_address,
            )

    def _end_machine(self):
        if self._machine is None:
            return
        complaints = self._machine.complaints()
        if self._entry.attach == "vhost":
            self._machine.stop()
        elif self._machine.running:
            try:
                self._unconfigure()
            except Failure:
                self._lab.restart()
                raise
        if complaints:
            self._lab.restart()
            raise Failure("the kernel complains: " + complaints[0].strip()[:160])

    def close(self):
        """Called after finish(), even if finish() was interrupted."""
        for task in self._tasks:
            if task.running:
                task.signal(signal.SIGKILL)
        if self._capture is not None and self._capture.running:
            self._capture.kill()
        if self._entry.attach == "vhost" and self._machine is not None:
            self._machine.stop()
        self.log("%.1f s" % (time.monotonic() - self._started))
        self._log.close()


assert set(SLUGS) == set(COLUMNS)
