# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""rping of rdma-core and apps/ndrping

Both sides check that received data is as rping sends it, and print the data. The scenarios check
the printed data again.
"""

import signal
import time

from framework import ACTIVE, PASSIVE, Failure, scenario

NDRPING = "apps/ndrping/ndrping"

# Largest size that rping accepts, although it prints that 65536 is the maximum. The smallest is 23.
LARGEST = 65535

# Text that rping prints when the peer disconnects. Three of its threads then race, and the race
# decides whether rping ends and with which status. So the test does not wait for the end.
DISCONNECTED = "DISCONNECT EVENT"

# Excused violations, which occur only if an ACK of a SEND, or its queue pair, was lost.
VIOLATIONS = {
    r"RC-101 RC SEND Only with PSN \d+ was sent in frame \d+ with different": (
        "rping overwrites the previous SEND with the description of its next buffer, and may have"
        " to retransmit that SEND"
    ),
}


def ping_text(number, size):
    """Return the text of ping number N, as rping sends it: a prefix with N, and letters that start
    one letter later in each ping."""
    name = "rdma-ping-%d: " % number
    first, last = ord("A"), ord("z")
    letters = (first + (number + i) % (last - first + 1) for i in range(size - 1 - len(name)))
    return name + "".join(chr(letter) for letter in letters)


def check_pings(task, prefix, count, size):
    pings = [line[len(prefix) :] for line in task.lines if line.startswith(prefix)]
    if len(pings) != count:
        raise Failure("%s: %d pings instead of %d" % (task.name, len(pings), count))
    for number, ping in enumerate(pings):
        if ping != ping_text(number, size):
            raise Failure("%s: ping %d is not what was sent" % (task.name, number))


def our_server(case, *own):
    """Start ndrping as a server, and wait until it accepts connections."""
    port = str(case.port)
    ours = case.program(NDRPING, "-s", "-d", "-p", port, "--address=" + case.our_prefix, *own)
    ours.wait_for("listening on port")
    return ours


def our_client(case, *own, host=0):
    """Start ndrping as a client. host: number of its address in the network."""
    address, length = case.our_prefix.split("/")
    if host:
        separator = ":" if case.family == 6 else "."
        address = address.rpartition(separator)[0] + separator + str(host)
    where = ["-a", case.kernel_address, "--address=%s/%s" % (address, length)]
    return case.program(NDRPING, "-c", "-p", str(case.port), *where, *own)


def rping(case, role, address, own):
    """Start rping in the machine. Only lines of -v are reliable, because standard output is written
    in blocks and other messages appear within them."""
    command = "exec rping %s -a %s -p %d %s" % (role, address, case.port, " ".join(own))
    return case.guest(command + (" 2>/dev/null" if "-v" in own else ""))


def kernel_server(case, *own):
    """Start rping as a server, and wait until it accepts connections."""
    kernel = rping(case, "-s", case.kernel_address, own)
    for _ in range(100):
        if "LISTEN" in case.run_guest("rdma res show cm_id"):
            return kernel
        time.sleep(0.1)
    raise Failure("rping does not listen")


def kernel_client(case, *own):
    return rping(case, "-c", case.our_address, own)


def ping(case, count, size):
    """Run one server and one client. Both have the option -V, which checks the data."""
    own = ["-S", str(size), "-V", "-v"]
    if case.kernel_active:
        server = our_server(case, "-V", "-v", "--counters")
        client = kernel_client(case, "-C", str(count), *own)
    else:
        server = kernel_server(case, *own)
        client = our_client(case, "-C", str(count), "--counters", *own)
    client.expect(timeout=150)
    server.expect(timeout=30)
    check_pings(client, "ping data: ", count, size)
    check_pings(server, "server ping data: ", count, size)
    counters = (server if case.kernel_active else client).counters()
    for name, value in counters.items():
        if name.startswith("refused_") and value:
            raise Failure("%s is %d" % (name, value))


@scenario(
    "rping-64",
    "rping, 100 pings of 64 bytes",
    short=(ACTIVE, PASSIVE),
    timeout=200,
    violations=VIOLATIONS,
)
def rping_64(case):
    ping(case, 100, 64)


@scenario(
    "rping-23",
    "rping, 20 pings of the smallest size, 23 bytes",
    timeout=200,
    violations=VIOLATIONS,
)
def rping_23(case):
    ping(case, 20, 23)


@scenario("rping-3000", "rping, 100 pings of 3000 bytes", timeout=200, violations=VIOLATIONS)
def rping_3000(case):
    ping(case, 100, 3000)


@scenario(
    "rping-largest",
    "rping, 100 pings of the largest size, 65535 bytes",
    timeout=240,
    violations=VIOLATIONS,
)
def rping_largest(case):
    ping(case, 100, LARGEST)


def clients_of_kernel(case):
    """Run three clients one after another, then six at the same time."""
    server = our_server(case, "-P", "-V")
    for size in (64, 1000, 3000):
        kernel_client(case, "-C", "10", "-V", "-S", str(size)).expect()
    clients = [kernel_client(case, "-C", "50", "-V", "-S", str(500 * i)) for i in range(1, 7)]
    for client in clients:
        client.expect(timeout=100)
    if len([line for line in server.lines if line.endswith(": connected")]) != 9:
        raise Failure("ndrping has not seen nine clients")
    server.signal(signal.SIGINT)
    server.expect()


def clients_of_ours(case):
    """Run three clients one after another, then three client processes with different addresses."""
    server = kernel_server(case, "-P", "-S", str(LARGEST))
    for size in (64, 1000, 3000):
        our_client(case, "-C", "10", "-V", "-S", str(size)).expect()
    clients = [
        our_client(case, "-C", "50", "-V", "-S", str(500 * host), host=host) for host in (5, 6, 7)
    ]
    for client in clients:
        client.expect(timeout=100)
    server.kill()


@scenario(
    "rping-persistent",
    "rping -P, clients in sequence and in parallel",
    short=(ACTIVE,),
    timeout=240,
    violations=VIOLATIONS,
)
def rping_persistent(case):
    if case.kernel_active:
        clients_of_kernel(case)
    else:
        clients_of_ours(case)


@scenario(
    "rping-interrupted",
    "rping without a limit, Ctrl-C at ndrping",
    timeout=200,
    violations=VIOLATIONS,
)
def rping_interrupted(case):
    """Test that rping detects it when our side disconnects in the middle of a round."""
    if case.kernel_active:
        ours = our_server(case, "-V", "-v")
        kernel = kernel_client(case, "-V")
    else:
        kernel = kernel_server(case)
        ours = our_client(case, "-V", "-v")
    ours.wait_for("ping data: rdma-ping-9: ")
    ours.signal(signal.SIGINT)
    ours.expect()
    kernel.wait_for(DISCONNECTED)


@scenario(
    "rping-too-large",
    "rping, pings larger than the server's -S",
    timeout=200,
    violations=VIOLATIONS,
)
def rping_too_large(case):
    """Test that the side whose buffer is too small ends the connection, and that the other side
    then ends."""
    if case.kernel_active:
        ours = our_server(case, "-S", "64")
        kernel = kernel_client(case, "-S", "65")
        ours.expect(1)
        if "has 65 bytes, -S allows 1 to 64" not in ours.output:
            raise Failure("ndrping does not say why: " + ours.last_line())
        kernel.wait_for(DISCONNECTED)
    else:
        kernel = kernel_server(case, "-S", "64")
        ours = our_client(case, "-S", "65")
        ours.expect(1)
        if "the server ended the connection in round 0" not in ours.output:
            raise Failure("ndrping does not say why: " + ours.last_line())
        kernel.wait()


def kill_clients_of_ours(case):
    """Kill clients in the machine. The kernel disconnects for them, and our server must
    continue."""
    ours = our_server(case, "-P", "-V", "-v")
    kernel = kernel_client(case, "-V")
    ours.wait_for("server ping data: rdma-ping-9: ")
    kernel.kill()
    ours.wait_for(": connection ended in round")
    kernel_client(case, "-C", "10", "-V").expect()
    ours.wait_for(": connection ended in round 10$")

    # Our killed server has sent no disconnect. Old state must not disturb the next
    # server.
    kernel = kernel_client(case, "-V")
    ours.wait_for("server ping data: rdma-ping-9: ")
    ours.kill()
    kernel.kill()
    ours = our_server(case, "-V")
    kernel_client(case, "-C", "10", "-V").expect()
    ours.expect()


def kill_servers_of_ours(case):
    """Kill our client. Nobody disconnects for it. rping's thread for this client may wait for ever,
    but rping must serve other clients."""
    kernel = kernel_server(case, "-P")
    ours = our_client(case, "-V", "-v")
    ours.wait_for("ping data: rdma-ping-9: ")
    ours.kill()
    our_client(case, "-C", "10", "-V").expect()

    # The kernel disconnects if the process in the machine is killed.
    ours = our_client(case, "-V", "-v")
    ours.wait_for("ping data: rdma-ping-9: ")
    kernel.kill()
    ours.expect(1)
    if "the server ended the connection in round" not in ours.output:
        raise Failure("ndrping does not say why: " + ours.last_line())


@scenario(
    "rping-killed",
    "rping, either side killed during the pings",
    timeout=200,
    violations=VIOLATIONS,
)
def rping_killed(case):
    if case.kernel_active:
        kill_clients_of_ours(case)
    else:
        kill_servers_of_ours(case)
