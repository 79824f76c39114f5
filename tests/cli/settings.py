#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Each setting of the API is an option of ndpmd, or has a reason why it is not an option.

usage: settings.py SOURCE_ROOT NDPMD

Settings are the members of struct nd_adapter_config and of struct nd_dcqcn_parameters. The table
below must list exactly the members without an option. Exits with 0, or with 1 after printing what
is wrong.
"""

import os
import re
import subprocess
import sys

# Members that have no option, and the reasons.
SIZE = "made from --qps, --depth and --windows: an option could only be too small"
GUARD = "protects a server from strangers; a measuring server has clients that it wants"
EMBEDDING = "for applications that have the port, its frames or its buffers themselves"
REASONS = {
    "endpoints_max": SIZE,
    "regions_max": SIZE,
    "windows_max": SIZE,
    "neighbour_count": "counts neighbours, which is --neighbour",
    "guesses_max": GUARD,
    "guess_interval_ms": GUARD,
    "guess_bar_max_ms": GUARD,
    "half_open_max": GUARD,
    "connections_per_second": GUARD,
    "answers_per_second": GUARD,
    "proof_lifetime_s": GUARD,
    "mra_max_ms": GUARD,
    "busy_poll": "always set: ndpmd polls without pause",
    "queue_id": EMBEDDING,
    "port_configured": EMBEDDING,
    "other_frames": EMBEDDING,
    "other_frames_arg": EMBEDDING,
    "input_only": EMBEDDING,
    "name": "one adapter, or two in loopback: their numbers tell them apart",
    "transmit": "is --inject",
    "transmit_arg": "is --inject",
    "mbuf_pool": EMBEDDING,
    "rx_interrupts": "for nd_engine_wait(): ndpmd polls without pause",
}
# {member: option}, for options with another name than the member without its unit.
NAMES = {
    "port_id": "port", "port_name": "port", "engines": "lcores", "prefix_length": "address",
    "neighbours": "neighbour",
    "vlan_id": "vlan", "mbuf_count": "mbufs",
}
UNITS = re.compile(r"_(ms|us|s|mbps)$")


def members(path, name):
    """Return the names of the members of a structure in a header."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    body = re.search(r"struct %s \{(.*?)\n\};" % name, text, re.S).group(1)
    return re.findall(r"(\w+);", body)


def option_of(member):
    return NAMES.get(member, UNITS.sub("", member)).replace("_", "-")


def wrong_members(names, options):
    """Yield the errors for a list of members."""
    for name in names:
        has_option = option_of(name) in options
        if has_option and name in REASONS:
            yield "%s has a reason, and is an option: --%s" % (name, option_of(name))
        elif not has_option and name not in REASONS:
            yield "%s: ndpmd has no --%s, and tests/cli/settings.py no reason" % (
                name, option_of(name))
    for name in sorted(set(REASONS) - set(names)):
        yield "%s has a reason, but is no member" % name


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = os.path.join(sys.argv[1], "include", "ndpdk")
    names = members(os.path.join(folder, "nd_config.h"), "nd_adapter_config")
    text = subprocess.run([sys.argv[2], "--help"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    options = set(re.findall(r"^  --([a-z-]+)", text, re.M))
    failures = list(wrong_members(names, options))
    with open(os.path.join(sys.argv[1], "apps", "kit", "transport.c"), encoding="utf-8") as file:
        taken = set(re.findall(r"PARAMETER\((\w+)\)", file.read())) - {"member"}
    known = set(members(os.path.join(folder, "nd_congestion.h"), "nd_dcqcn_parameters"))
    failures += ["--dcqcn does not take %s" % name for name in sorted(known - taken)]
    for failure in failures:
        print("FAILED: " + failure)
    print("%d settings, %d failures" % (len(names) + len(known), len(failures)))
    return 1 if failures or len(names) < 40 or not known else 0


if __name__ == "__main__":
    sys.exit(main())
