# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Messages and remote accesses"""

from framework import ACTIVE, IPV6, LOSS, PASSIVE, Failure, scenario
from peers import (
    READ,
    SERVER_DRIVES,
    WITH_IMMEDIATE,
    expect_counter,
    play,
    rxetest,
)

KB = 1024
MB = 1024 * KB

# Maps each path MTU to the MTU that the kernel's NIC needs.
NIC_MTU = {256: 400, 512: 700, 1024: 1500, 2048: 2200, 4096: 4300}
NO_IPV6 = "Linux has no IPv6 if the MTU is below 1280"


def ladder(case, path_mtu, flags=0):
    """Run the scenario ladder on two connections. The kernel is the driver of one, our side of the
    other."""
    size = 64 * KB if case.loss else 4 * MB
    asked = [(size, 0, flags), (size, 0, flags | SERVER_DRIVES)]
    play(case, "ladder", asked, ["--path-mtu=%d" % path_mtu])


def register_ladders():
    for path_mtu, nic_mtu in NIC_MTU.items():

        @scenario(
            "messages-mtu%d" % path_mtu,
            "Send, Send with Invalidate, Write, Read of 0 B to 4 MiB (with loss 64 KiB), path MTU"
            " %d" % path_mtu,
            not_applicable={IPV6: NO_IPV6} if nic_mtu < 1280 else {},
            short=(ACTIVE, PASSIVE) if path_mtu == 1024 else (),
            mtu=nic_mtu,
            timeout=240,
        )
        def run(case, path_mtu=path_mtu):
            ladder(case, path_mtu)


register_ladders()


@scenario(
    "immediate",
    "Send and Write with Immediate of 0 B to 4 MiB (with loss 64 KiB)",
    short=(ACTIVE, PASSIVE),
    timeout=240,
)
def immediate(case):
    ladder(case, 1024, WITH_IMMEDIATE)


@scenario(
    "atomics",
    "Fetch-add and compare-swap, 300 of each; all values and the sum are exact",
    short=(ACTIVE, LOSS),
)
def atomics(case):
    play(case, "atomics", [(16, 300, 0), (16, 300, SERVER_DRIVES)])


# Kind of refused access: name, title, our counter, whether the kernel refuses the access.
REFUSALS = (
    (0, "key", "an unknown key", "refused_key", True),
    (1, "end", "one byte after the window", "refused_range", False),
    (2, "start", "one byte before the window", "refused_range", False),
    (3, "region", "beyond the region", "refused_range", True),
    (4, "right", "a right that the window does not have", "refused_rights", True),
    (5, "invalidated", "a window that its owner has invalidated", "refused_key", True),
    (6, "sent", "a window invalidated by Send with Invalidate", "refused_key", True),
    (7, "rebound", "the key of an earlier bind", "refused_key", True),
)


def refuse(case, kind, counter, enforced):
    asked = [
        (3000, 1, kind | read | driver)
        for driver in (0, SERVER_DRIVES)
        for read in (0, READ)
    ]
    pairs, counters = play(case, "refuse", asked)
    for (ours, kernel), (_, _, arg) in zip(pairs, asked):
        kernel_drives = case.kernel_active != bool(arg & SERVER_DRIVES)
        expected = "refused" if kernel_drives or enforced else "passed"
        what = "%s, driven by %s" % (
            "READ" if arg & READ else "WRITE",
            "the kernel" if kernel_drives else "us",
        )
        if ours["outcome"] != expected or kernel["outcome"] != expected:
            text = "%s: %s here, %s there, not %s"
            raise Failure(text % (what, ours["outcome"], kernel["outcome"], expected))
    expect_counter(counters, counter, 2)


def register_refusals():
    for kind, name, text, counter, enforced in REFUSALS:
        title = "Remote access error: %s, WRITE and READ, in both directions" % text
        if not enforced:
            title = "Remote access error from us, none from the kernel's windows: " + text

        @scenario(
            "refuse-" + name, title, short=(ACTIVE,) if name in ("end", "sent") else ()
        )
        def run(case, kind=kind, counter=counter, enforced=enforced):
            refuse(case, kind, counter, enforced)


register_refusals()

# Reason why scenarios of rxetest are not applicable if the kernel connects: its client requires a
# key in the reply, but at this time type 2 windows have no key.
KEY_NEEDED = "rxetest's client requires a key in the answer; messages-mtu* use windows instead"

RXETEST = (
    # Each row: name, title, size, count, arg, the kernel's options, columns not applicable
    ("send", "SENDs", 3000, 50, 0, (), {}),
    ("pingpong", "SENDs, each echoed", 3000, 50, 0, (), {}),
    ("solicit", "SENDs, every other solicited", 100, 20, 0, (), {}),
    ("write", "WRITEs to a region", 70000, 20, 0, (), {ACTIVE: KEY_NEEDED}),
    ("read", "READs of a region", 70000, 20, 0, (), {ACTIVE: KEY_NEEDED}),
    ("inline", "inline WRITEs and SENDs", 64, 20, 0, (), {ACTIVE: KEY_NEEDED}),
    ("mw2", "window of type 2, invalidated by Send with Invalidate", 3000, 4, 0, (), {}),
    ("mw2linv", "window of type 2, invalidated by its owner", 3000, 4, 0, (), {}),
    ("mw1", "window of type 1 (ours: 2), bound to other memory", 3000, 4, 0, (), {}),
    ("mwperm", "WRITE to a window for reading", 3000, 1, 0, (), {}),
    ("badrkey", "WRITE with a bad key of a region", 100, 1, 0, (), {ACTIVE: KEY_NEEDED}),
    ("oob", "READ beyond a region", 100, 1, 1, (), {ACTIVE: KEY_NEEDED}),
    ("noperm", "WRITE to a region without the right", 100, 1, 0, (), {ACTIVE: KEY_NEEDED}),
    ("qpperm", "READ that the queue pair does not permit", 100, 1, 1, (), {ACTIVE: KEY_NEEDED}),
    ("lenerr", "SEND longer than the receive", 4000, 2, 0, (), {}),
    ("rnr", "SENDs before receives are posted", 500, 8, 300, ("-M", 12), {}),
    ("deadqp", "SENDs to a destroyed queue pair", 100, 2, 0, ("-r", 6), {}),
)


def register_rxetest():
    for name, title, size, count, arg, kernel, not_applicable in RXETEST:

        @scenario(
            "rxetest-" + name,
            "rxetest %s: %s" % (name, title),
            not_applicable=not_applicable,
            short=(PASSIVE,) if name in ("rnr", "write") else (),
        )
        def run(case, name=name, size=size, count=count, arg=arg, kernel=kernel):
            # The kernel retries without limit after RNR NAKs, so our side uses the same setting.
            ours = ["--rnr-retry=7"] if name == "rnr" else []
            rxetest(case, name, size, count, arg, ours=ours, kernel=kernel)


register_rxetest()
