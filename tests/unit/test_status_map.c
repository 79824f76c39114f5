/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/status_map.h"

#include <string.h>

#include <criterion/criterion.h>

struct row {
	enum rc_status status;
	nd_status result;
};

/**
 * The status codes of the native API correspond to those in the Network Direct documents. A remote
 * access error is ND_REMOTE_ERROR, and exhausted retries are ND_IO_TIMEOUT.
 */
Test(status_map, results_are_those_of_the_network_direct_documents)
{
	static const struct row rows[] = {
		{RC_OK, ND_SUCCESS},
		{RC_RECEIVE_TOO_SMALL, ND_BUFFER_OVERFLOW},
		{RC_LOCAL_LENGTH, ND_LOCAL_LENGTH},
		{RC_LOCAL_PROTECTION, ND_ACCESS_VIOLATION},
		{RC_LOCAL_OPERATION, ND_INVALID_REQUEST},
		{RC_BIND_FAILED, ND_INVALID_REQUEST},
		{RC_INVALIDATE_FAILED, ND_INVALIDATION_ERROR},
		{RC_BAD_RESPONSE, ND_REMOTE_ERROR},
		{RC_REMOTE_INVALID_REQUEST, ND_REMOTE_ERROR},
		{RC_REMOTE_ACCESS, ND_REMOTE_ERROR},
		{RC_REMOTE_OPERATION, ND_REMOTE_ERROR},
		{RC_RETRY_EXCEEDED, ND_IO_TIMEOUT},
		{RC_PEER_SILENT, ND_IO_TIMEOUT},
		{RC_PORT_STUCK, ND_IO_TIMEOUT},
		{RC_RNR_RETRY_EXCEEDED, ND_IO_TIMEOUT},
		{RC_FLUSHED, ND_CANCELED},
		{RC_INTERNAL, ND_FAILURE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_eq(status_of_result(rows[i].status), rows[i].result, "%s gives %s",
			rc_status_name(rows[i].status),
			nd_status_name(status_of_result(rows[i].status)));
}

Test(status_map, refusals_are_those_of_the_network_direct_documents)
{
	static const struct row rows[] = {
		{RC_OK, ND_SUCCESS},
		{RC_QUEUE_FULL, ND_NO_MORE_ENTRIES},
		{RC_TOO_MANY_SGE, ND_DATA_OVERRUN},
		{RC_MESSAGE_TOO_LONG, ND_BUFFER_OVERFLOW},
		{RC_NOT_CONNECTED, ND_CONNECTION_INVALID},
		{RC_BAD_REGION, ND_INVALID_PARAMETER_2},
		{RC_BAD_WINDOW, ND_INVALID_PARAMETER_3},
		{RC_BAD_START, ND_INVALID_PARAMETER_4},
		{RC_BAD_END, ND_INVALID_PARAMETER_5},
		{RC_BAD_FLAGS, ND_INVALID_PARAMETER_6},
		{RC_NO_RIGHTS, ND_ACCESS_VIOLATION},
		{RC_ALREADY_BOUND, ND_INVALID_DEVICE_STATE},
		{RC_BUSY, ND_DEVICE_BUSY},
		{RC_NO_RESOURCES, ND_INSUFFICIENT_RESOURCES},
		{RC_INVALID_ARGUMENT, ND_INVALID_PARAMETER},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_eq(status_of_call(rows[i].status), rows[i].result, "%s gives %s",
			rc_status_name(rows[i].status),
			nd_status_name(status_of_call(rows[i].status)));
}

/** Only RC_OK maps to success. This test fails if a new status is missing in the map. */
Test(status_map, only_ok_succeeds)
{
	for (int status = RC_OK + 1; status <= RC_INVALID_ARGUMENT; status++) {
		cr_assert(nd_failed(status_of_result((enum rc_status)status)), "%s",
			rc_status_name((enum rc_status)status));
		cr_assert(nd_failed(status_of_call((enum rc_status)status)), "%s",
			rc_status_name((enum rc_status)status));
	}
}

Test(status_map, numbers_are_hresults)
{
	cr_assert_eq((uint32_t)ND_CANCELED, 0xC0000120);
	cr_assert_eq((uint32_t)ND_INVALID_REQUEST, 0xC0000010);
	cr_assert_eq((uint32_t)ND_FAILURE, 0xC00000E5);
	cr_assert_not(nd_failed(ND_PENDING));
	cr_assert(nd_failed(ND_BUFFER_OVERFLOW));
	cr_assert_str_eq(nd_status_name(ND_CONNECTION_REFUSED), "ND_CONNECTION_REFUSED");
	cr_assert_str_eq(nd_status_name(12345), "ND_(unknown)");
}
