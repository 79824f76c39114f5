# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Connection requests without a listener"""

from framework import ACTIVE, Failure, scenario
from peers import finished, our_client

REASON_NO_LISTENER = 8  # reason "invalid service ID"


def refuse_kernel(case):
    case.program("apps/ndpmd/ndpmd", "--server", "--address=" + case.our_prefix)
    # Try several times: ndpmd does not print when it is ready, and its address cannot be resolved
    # before.
    for _ in range(5):
        words = ["rping", "-c", "-C", "1", "-a", case.our_address, "-p", str(case.port)]
        kernel = case.guest(words)
        if kernel.wait() == 0:
            raise Failure("rping is connected")
        if "ADDR_ERROR" not in kernel.output:
            break
    if "RDMA_CM_EVENT_REJECTED" not in kernel.output:
        raise Failure("rping: " + kernel.last_line())


@scenario(
    "no-listener",
    "A request to a port without a listener is rejected with reason 8",
    short=(ACTIVE,),
)
def no_listener(case):
    if case.kernel_active:
        refuse_kernel(case)
    else:
        finished(our_client(case, "send", "--connect-status=ND_CONNECTION_REFUSED"), 1)
    case.stop_capture()
    reasons = case.frames("infiniband.cm.rej.reason", "infiniband.cm.rej.reason")
    if [row for row in reasons if int(row[0], 0) != REASON_NO_LISTENER] or not reasons:
        raise Failure("reject reasons %s instead of %d" % (reasons, REASON_NO_LISTENER))
