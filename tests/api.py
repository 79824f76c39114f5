#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check that docs/api.md lists all methods of Network Direct v1 that do not exist in ndpdk.

usage: api.py SOURCE_ROOT

Exits with 0, or with 1 after printing each method that is neither a function of a public header nor
listed in the section of docs/api.md on methods of Network Direct, or that is both.
"""

import os
import re
import sys

# For each interface: the prefix of its native functions, and its methods. All objects also have the
# methods of IUnknown.
OBJECTS = ("adapter", "cq", "mw", "endpoint", "connector", "listener")
METHODS = {
    "INDProvider": ("provider", "QueryAddressList OpenAdapter"),
    "INDAdapter": (
        "adapter",
        "GetFileHandle Query Control CreateCompletionQueue RegisterMemory DeregisterMemory "
        "CreateMemoryWindow CreateConnector Listen CancelOverlappedRequests",
    ),
    "INDCompletionQueue": ("cq", "Resize Notify GetResults CancelOverlappedRequests"),
    "INDEndpoint": (
        "endpoint",
        "Flush StartRequestBatch SubmitRequestBatch Send SendAndInvalidate Receive Bind "
        "Invalidate Read Write",
    ),
    "INDConnector": (
        "connector",
        "CreateEndpoint Connect CompleteConnect Accept Reject GetConnectionData GetLocalAddress "
        "GetPeerAddress NotifyDisconnect Disconnect CancelOverlappedRequests",
    ),
    "INDListen": ("listener", "GetConnectionRequest CancelOverlappedRequests"),
    "INDOverlapped": ("overlapped", "GetOverlappedResult"),
    "IUnknown": ("", "QueryInterface AddRef Release"),
}
# Native functions whose names cannot be derived from the names of the methods.
NAMES = {
    "INDProvider::OpenAdapter": "nd_adapter_open",
    "INDOverlapped::GetOverlappedResult": "nd_overlapped_get_result",
}


def snake(method):
    return re.sub(r"(?<!^)([A-Z])", r"_\1", method).lower()


def functions_of(interface, prefix, method):
    name = "%s::%s" % (interface, method)
    if name in NAMES:
        return [NAMES[name]]
    if interface == "IUnknown":
        # An adapter is closed with nd_adapter_close(), so it has no release function.
        return ["nd_%s_%s" % (noun, snake(method)) for noun in OBJECTS if noun != "adapter"]
    return ["nd_%s_%s" % (prefix, snake(method))]


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = os.path.join(sys.argv[1], "include", "ndpdk")
    headers = ""
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".h"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            headers += file.read()
    with open(os.path.join(sys.argv[1], "docs", "api.md"), encoding="utf-8") as file:
        section = file.read().split("## Network Direct's methods")[1].split("\n## ")[0]
    rows = "\n".join(line for line in section.splitlines() if line.startswith("* "))
    missing_said = set(re.findall(r"`(I\w+::\w+)`", rows))
    wrong = []
    count = 0
    for interface, (prefix, methods) in METHODS.items():
        for method in methods.split():
            count += 1
            name = "%s::%s" % (interface, method)
            there = all(
                re.search(r"\b%s\(" % function, headers)
                for function in functions_of(interface, prefix, method)
            )
            if there == (name in missing_said):
                wrong.append(name + (" is there" if there else " is not there"))
            missing_said.discard(name)
    wrong += [name + " is no method of Network Direct v1" for name in sorted(missing_said)]
    for line in wrong:
        print("docs/api.md is wrong: " + line)
    print("%d methods" % count)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
