/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/status.h"

#define NAME(status)                                                                               \
	case status:                                                                               \
		return #status

const char *
rc_status_name(enum rc_status status)
{
	switch (status) {
		NAME(RC_OK);
		NAME(RC_RECEIVE_TOO_SMALL);
		NAME(RC_LOCAL_LENGTH);
		NAME(RC_LOCAL_PROTECTION);
		NAME(RC_LOCAL_OPERATION);
		NAME(RC_BIND_FAILED);
		NAME(RC_INVALIDATE_FAILED);
		NAME(RC_BAD_RESPONSE);
		NAME(RC_REMOTE_INVALID_REQUEST);
		NAME(RC_REMOTE_ACCESS);
		NAME(RC_REMOTE_OPERATION);
		NAME(RC_RETRY_EXCEEDED);
		NAME(RC_PEER_SILENT);
		NAME(RC_PORT_STUCK);
		NAME(RC_RNR_RETRY_EXCEEDED);
		NAME(RC_FLUSHED);
		NAME(RC_INTERNAL);
		NAME(RC_QUEUE_FULL);
		NAME(RC_TOO_MANY_SGE);
		NAME(RC_MESSAGE_TOO_LONG);
		NAME(RC_NOT_CONNECTED);
		NAME(RC_BAD_FLAGS);
		NAME(RC_NO_READS);
		NAME(RC_BAD_REGION);
		NAME(RC_BAD_WINDOW);
		NAME(RC_BAD_START);
		NAME(RC_BAD_END);
		NAME(RC_NO_RIGHTS);
		NAME(RC_ALREADY_BOUND);
		NAME(RC_BUSY);
		NAME(RC_NO_RESOURCES);
		NAME(RC_INVALID_ARGUMENT);
	}
	return "RC_UNKNOWN";
}
