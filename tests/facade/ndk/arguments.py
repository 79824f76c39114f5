#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Write calls of each function of the kernel interface's tables with each invalid argument.

usage: arguments.py FOLDER_OF_HEADERS OUTPUT.c

Reads the tables and the types of their functions. Writes a function for each table, which calls
each function of the table with one invalid argument: a NULL pointer, a pointer to an object of
another type, or a value of BAD. arguments.h has the valid arguments, named like the parameters.
Exits with 1 after printing declarations that cannot be parsed, functions without a call, parameters
that neither have a bad value nor are listed as having none, and rows for unknown declarations.
"""

import os
import re
import sys

# Object types, and the members of struct arguments with a valid object.
OBJECTS = {
    "NDK_ADAPTER": "adapter", "NDK_PD": "pd", "NDK_CQ": "cq", "NDK_QP": "qp", "NDK_SRQ": "srq",
    "NDK_MR": "mr", "NDK_MW": "mw", "NDK_CONNECTOR": "connector", "NDK_LISTENER": "listener",
    "NDK_SHARED_ENDPOINT": "shared",
}
# Pointers that may be NULL: type of function ("*" for all functions), parameter.
OPTIONAL = {
    ("*", "RequestContext"), ("*", "CqNotificationContext"), ("*", "QPContext"),
    ("*", "SrqNotificationContext"), ("*", "ConnectEventContext"), ("*", "DisconnectEvent"),
    ("*", "DisconnectEventContext"), ("*", "Affinity"), ("*", "pPrivateData"),
    ("NDK_FN_CLOSE_OBJECT", "CloseCompletion"), ("NDK_FN_BUILD_LAM", "RequestCompletion"),
    ("NDK_FN_BUILD_LAM", "pNdkLAM"), ("NDK_FN_QUERY_ADAPTER_INFO", "pInfo"),
    # Lists may be NULL when they are empty.
    ("*", "pSgl"),
    # With NULL, the function returns only the size of the address or of the private data.
    ("*", "pAddress"), ("NDK_FN_GET_CONNECTION_DATA", "pInboundReadLimit"),
    ("NDK_FN_GET_CONNECTION_DATA", "pOutboundReadLimit"),
    # A callback is required only with a threshold, which arguments.h does not have.
    ("NDK_FN_CREATE_SRQ", "SrqNotification"),
    # These parameters are addresses. BAD has the values that the functions refuse.
    ("*", "VirtualAddress"), ("*", "BaseVirtualAddress"),
}
# Exceptions to OPTIONAL: in these functions, the parameter must not be NULL.
REQUIRED = {
    ("NDK_FN_LISTEN", "pAddress"), ("NDK_FN_CREATE_SHARED_ENDPOINT", "pAddress"),
}
# Valid arguments other than the member of struct arguments with the parameter's name or type.
VALID = {
    ("NDK_FN_BIND", "Flags"): "NDK_OP_FLAG_ALLOW_REMOTE_READ",
    ("NDK_FN_FAST_REGISTER", "pMr"): "with->fast",
    ("NDK_FN_INITIALIZE_FAST_REGISTER_MR", "pNdkMr"): "with->empty_fast",
}
# Values that must be refused: type of function, parameter, values. "value: status" also names the
# expected status.
BAD = {
    ("NDK_FN_CREATE_CQ", "CqDepth"): ["0", "UINT32_MAX"],
    ("NDK_FN_RESIZE_CQ", "CqDepth"): ["0", "UINT32_MAX"],
    ("NDK_FN_CREATE_QP", "ReceiveQueueDepth"): ["UINT32_MAX"],
    ("NDK_FN_CREATE_QP", "InitiatorQueueDepth"): ["UINT32_MAX"],
    ("NDK_FN_CREATE_QP", "MaxReceiveRequestSge"): ["UINT32_MAX", "17"],
    ("NDK_FN_CREATE_QP", "MaxInitiatorRequestSge"): ["UINT32_MAX", "17"],
    ("NDK_FN_CREATE_QP", "InlineDataSize"): ["UINT32_MAX", "257"],
    ("NDK_FN_CREATE_QP_WITH_SRQ", "InitiatorQueueDepth"): ["UINT32_MAX"],
    ("NDK_FN_CREATE_QP_WITH_SRQ", "MaxInitiatorRequestSge"): ["UINT32_MAX", "17"],
    ("NDK_FN_CREATE_QP_WITH_SRQ", "InlineDataSize"): ["UINT32_MAX", "257"],
    ("NDK_FN_CREATE_SRQ", "SrqDepth"): ["0", "UINT32_MAX"],
    ("NDK_FN_CREATE_SRQ", "MaxReceiveRequestSge"): ["UINT32_MAX", "17"],
    ("NDK_FN_CREATE_SRQ", "NotifyThreshold"): ["1"],
    ("NDK_FN_MODIFY_SRQ", "SrqDepth"): ["UINT32_MAX"],
    ("NDK_FN_REGISTER_MR", "Length"): ["0", "SIZE_MAX"],
    ("NDK_FN_REGISTER_MR", "Flags"): ["0x10", "0x4", "UINT32_MAX"],
    ("NDK_FN_INITIALIZE_FAST_REGISTER_MR", "AdapterPageCount"): ["0"],
    ("NDK_FN_BUILD_LAM", "Length"): ["0", "SIZE_MAX"],
    ("NDK_FN_BIND", "VirtualAddress"): ["NULL", "(PVOID)UINTPTR_MAX"],
    ("NDK_FN_BIND", "Length"): ["0", "SIZE_MAX"],
    ("NDK_FN_BIND", "Flags"): ["0", "0x10", "0x20", "0x48", "0x80000008"],
    ("NDK_FN_FAST_REGISTER", "AdapterPageCount"): ["0"],
    ("NDK_FN_FAST_REGISTER", "FBO"): ["NDK_PAGE_SIZE", "1"],
    ("NDK_FN_FAST_REGISTER", "Length"): ["0", "SIZE_MAX", "NDK_PAGE_SIZE + 1"],
    ("NDK_FN_FAST_REGISTER", "BaseVirtualAddress"): ["(PVOID)1"],
    ("NDK_FN_FAST_REGISTER", "Flags"): ["0x20", "0x4", "0x80000000"],
    ("NDK_FN_INVALIDATE", "Flags"): ["0x4", "0x8", "0x80000000"],
    ("NDK_FN_SEND", "Flags"): ["0x8", "0x20", "0x80000000"],
    ("NDK_FN_SEND", "pSgl"): ["NULL"],
    ("NDK_FN_SEND_AND_INVALIDATE", "Flags"): ["0x8", "0x20", "0x80000000"],
    ("NDK_FN_SEND_AND_INVALIDATE", "pSgl"): ["NULL"],
    ("NDK_FN_RECEIVE", "pSgl"): ["NULL"],
    ("NDK_FN_SRQ_RECEIVE", "pSgl"): ["NULL"],
    ("NDK_FN_READ", "Flags"): ["0x4", "0x40", "0x80000000"],
    ("NDK_FN_READ", "pSgl"): ["NULL"],
    ("NDK_FN_WRITE", "Flags"): ["0x4", "0x100", "0x80000000"],
    ("NDK_FN_WRITE", "pSgl"): ["NULL"],
    ("NDK_FN_CONNECT", "SrcAddressLength"): ["0", "3"],
    ("NDK_FN_CONNECT", "DestAddressLength"): ["0", "3"],
    ("NDK_FN_CONNECT", "pPrivateData"): ["NULL"],
    ("NDK_FN_CONNECT_WITH_SHARED_ENDPOINT", "DestAddressLength"): ["0", "3"],
    ("NDK_FN_CONNECT_WITH_SHARED_ENDPOINT", "pPrivateData"): ["NULL"],
    ("NDK_FN_ACCEPT", "pPrivateData"): ["NULL"],
    ("NDK_FN_REJECT", "pPrivateData"): ["NULL"],
    ("NDK_FN_GET_CONNECTION_DATA", "pPrivateData"): ["NULL"],
    ("NDK_FN_LISTEN", "AddressLength"): ["0", "3"],
    ("NDK_FN_CREATE_SHARED_ENDPOINT", "AddressLength"): ["0", "3"],
    ("NDK_FN_SEND", "nSge"): ["17: STATUS_DATA_OVERRUN"],
    ("NDK_FN_SEND_AND_INVALIDATE", "nSge"): ["17: STATUS_DATA_OVERRUN"],
    ("NDK_FN_RECEIVE", "nSge"): ["17: STATUS_DATA_OVERRUN"],
    ("NDK_FN_SRQ_RECEIVE", "nSge"): ["17: STATUS_DATA_OVERRUN"],
    ("NDK_FN_READ", "nSge"): ["17: STATUS_DATA_OVERRUN"],
    ("NDK_FN_WRITE", "nSge"): ["17: STATUS_DATA_OVERRUN"],
    ("NDK_FN_CONNECT", "PrivateDataLength"): ["57: STATUS_INVALID_BUFFER_SIZE"],
    ("NDK_FN_CONNECT_WITH_SHARED_ENDPOINT", "PrivateDataLength"):
        ["57: STATUS_INVALID_BUFFER_SIZE"],
    ("NDK_FN_ACCEPT", "PrivateDataLength"): ["149: STATUS_INVALID_BUFFER_SIZE"],
    ("NDK_FN_ARM_CQ", "Type"): ["3", "UINT32_MAX"],
}
# Parameters of which the call accepts every value: type of function, parameter.
ALL_GOOD = {
    # The call reduces these parameters to the limits of both sides.
    ("*", "InboundReadLimit"), ("*", "OutboundReadLimit"),
    ("*", "FastRegister"), ("*", "RemoteAccess"), ("*", "Pause"), ("*", "nResults"),
    # Only a combination of both parameters is refused. test_ndk_queue.c tests it.
    ("*", "ModerationInterval"), ("*", "ModerationCount"),
    # The peer checks these parameters.
    ("*", "RemoteAddress"), ("*", "RemoteToken"),
    # No extension exists, so the call does not check the version.
    ("*", "ExtensionInterfaceVersion"),
    # The connector has no request to reject, which the call checks before the length.
    ("NDK_FN_REJECT", "PrivateDataLength"),
    # A threshold is accepted only with a callback, which arguments.h does not have.
    ("NDK_FN_MODIFY_SRQ", "NotifyThreshold"),
}


def declarations(folder):
    """@return {function type: (return type, [(type, name)])}, {table: [(type, member)]}"""
    functions, tables = {}, {}
    for name in sorted(os.listdir(folder)):
        if not name.startswith("ndk"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for result, function, text in re.findall(
                r"typedef (\w+) \(\*(NDK_FN_\w+)\)\(([^;]*)\);", code):
            parameters = []
            for parameter in text.split(","):
                kind, own = re.fullmatch(r"(.*?)(\w+)(?:\[\])?", parameter.strip(), re.S).groups()
                kind += "*" if parameter.strip().endswith("[]") else ""
                parameters.append((" ".join(kind.replace("*", " * ").split()), own))
            functions[function] = (result, parameters)
        for table, text in re.findall(r"struct _NDK_(\w+)_DISPATCH \{(.*?)\};", code, flags=re.S):
            tables[table] = re.findall(r"(NDK_FN_\w+)\s+(\w+);", text)
            if len(tables[table]) != text.count(";"):
                raise ValueError("NDK_%s has a member that is no function" % table)
        known = re.findall(r"typedef \w+ \(\*NDK_FN_\w+\)\([^;]*\);", code)
        if code.count("(*NDK_FN_") != len(known):
            raise ValueError("%s has a type of function that is not understood" % name)
    return functions, tables


def is_pointer(kind):
    return kind.endswith("*") or kind.startswith("NDK_FN_") or "PVOID" in kind or "PSOCK" in kind


def object_of(kind):
    name = kind.replace("CONST ", "").split(" ")[0]
    return OBJECTS.get(name) if kind.count("*") == 1 else None


def bad_values(function, kind, name):
    """Yield the invalid values of a parameter."""
    yield from BAD.get((function, name), [])
    required = (function, name) in REQUIRED
    optional = {("*", name), (function, name)} & OPTIONAL
    if is_pointer(kind) and (required or not optional):
        yield "NULL"
    if object_of(kind) is not None or kind == "NDK_OBJECT_HEADER *":
        yield "WRONG"


def calls_of(table, functions, entries):
    """Yield the lines that call the functions of a table."""
    own = OBJECTS["NDK_" + table]
    for function, member in entries:
        result, parameters = functions[function]
        for position, (kind, name) in enumerate(parameters):
            for value in bad_values(function, kind, name):
                value, _, code = value.partition(": ")
                code = code or "STATUS_INVALID_PARAMETER"
                arguments = []
                for index, (own_kind, own_name) in enumerate(parameters):
                    known = object_of(own_kind)
                    valid = "with->" + (known or own_name)
                    if own_kind == "NDK_OBJECT_HEADER *":
                        valid = "with->mw" if function == "NDK_FN_INVALIDATE" else "with->" + own
                        valid = "&%s->Header" % valid
                    valid = VALID.get((function, own_name), valid)
                    if index == position:
                        wrong = "with->listener" if table in ("CQ", "PD") else "with->cq"
                        valid = value if value != "WRONG" else "(PVOID)" + wrong
                    arguments.append(valid)
                call = "with->%s->Dispatch->%s(%s)" % (own, member, ", ".join(arguments))
                text = '"%s: %s is %s"' % (member, name, value)
                yield "\tbegin(with);"
                if result == "VOID":
                    yield "\t%s;" % call
                else:
                    expected = code if result == "NTSTATUS" else "0"
                    yield "\texpect(%s, (int64_t)%s, %s);" % (text, call, expected)
                yield "\tend(with, %s);" % text


def missing(functions, tables):
    """@return one line for each function or parameter without a call, and each unused row"""
    found = []
    known = {(function, name) for function, (_, parameters) in functions.items()
             for _, name in parameters}
    names = {name for _, name in known}
    for table, entries in sorted(tables.items()):
        for function, member in entries:
            if not any(calls_of(table, functions, [(function, member)])):
                found.append("%s of NDK_%s: no call" % (member, table))
            for kind, name in functions[function][1]:
                bad = any(bad_values(function, kind, name))
                good = {("*", name), (function, name)} & (OPTIONAL | ALL_GOOD)
                if not bad and not good:
                    found.append("%s: no bad value of %s" % (member, name))
    for function, name in sorted(set(BAD) | set(VALID) | OPTIONAL | REQUIRED | ALL_GOOD):
        if (function, name) not in known and (function != "*" or name not in names):
            found.append("%s, %s: there is no such parameter" % (function, name))
    return found


def selfcheck():
    """Check that missing() detects each error. @return undetected errors"""
    functions = {"NDK_FN_A": ("NTSTATUS", [("ULONG", "Unknown")])}
    lines = missing(functions, {"CQ": [("NDK_FN_A", "NdkA")]})
    wanted = ["NdkA of NDK_CQ: no call", "NdkA: no bad value of Unknown",
              "NDK_FN_SEND, Flags: there is no such parameter"]
    return [line for line in wanted if line not in lines]


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    functions, tables = declarations(sys.argv[1])
    unknown = ["NDK_" + name for name in tables if "NDK_" + name not in OBJECTS]
    if unknown or len(tables) != len(OBJECTS):
        print("tables without a valid object: %s; of %s" % (unknown, sorted(tables)))
        return 1
    lines = ["self-check failed: " + line for line in selfcheck()] + missing(functions, tables)
    if lines:
        print("\n".join(lines))
        return 1
    lines = ["/* Written by arguments.py. */", '#include "arguments.h"', ""]
    for table, entries in sorted(tables.items()):
        lines += ["void", "arguments_of_%s(struct arguments *with)" % table.lower(), "{"]
        lines += calls_of(table, functions, entries)
        lines += ["}", ""]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
