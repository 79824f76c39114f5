/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "base/status.h"

#include <string.h>

#include <criterion/criterion.h>

#define STATUS_LAST RC_INVALID_ARGUMENT

Test(status, every_status_has_a_name_of_its_own)
{
	for (int a = RC_OK; a <= STATUS_LAST; a++) {
		cr_assert_str_neq(rc_status_name((enum rc_status)a), "RC_UNKNOWN", "status %d", a);
		for (int b = RC_OK; b < a; b++)
			cr_assert_str_neq(rc_status_name((enum rc_status)a),
				rc_status_name((enum rc_status)b), "statuses %d and %d", a, b);
	}
}

Test(status, name_is_the_identifier)
{
	cr_assert_str_eq(rc_status_name(RC_OK), "RC_OK");
	cr_assert_str_eq(rc_status_name(RC_RECEIVE_TOO_SMALL), "RC_RECEIVE_TOO_SMALL");
	cr_assert_str_eq(rc_status_name(RC_INVALID_ARGUMENT), "RC_INVALID_ARGUMENT");
}

Test(status, name_of_a_foreign_number_is_unknown)
{
	cr_assert_str_eq(rc_status_name((enum rc_status)1000), "RC_UNKNOWN");
}
