/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "ndreplay/player/mad.h"
#include "ndreplay/player/packet.h"
#include "wire/cm_msg.h"

/* Compare the positions of the fields of CM messages in ndreplay with those in the library. */

static uint8_t mad[PACKET_MAD_BYTES];

Test(replay_mad, req_is_what_the_library_reads)
{
	const struct mad_req values = {
		.comm_id = 0x11223344,
		.qpn = 0xABCDEF,
		.psn = 0x123456,
		.path_mtu = 1024,
		.port = 7174,
		.ack_timeout = 17,
		.retry_count = 6,
		.rnr_retry_count = 5,
		.responder_resources = 4,
		.initiator_depth = 3,
		.local_ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 1},
		.remote_ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 2},
	};
	struct wire_cm_msg msg;

	mad_make_req(mad, &values);
	cr_assert_eq(wire_cm_decode(mad, sizeof(mad), &msg), WIRE_MAD_OK);
	cr_expect_eq(msg.attribute, WIRE_CM_REQ);
	cr_expect_eq(msg.local_comm_id, values.comm_id);
	cr_expect_eq(msg.req.local_qpn, values.qpn);
	cr_expect_eq(msg.req.starting_psn, values.psn);
	cr_expect_eq(msg.req.path_mtu, 3);
	cr_expect_eq(msg.req.service_id, WIRE_SERVICE_PREFIX | 6u << 16 | 7174);
	cr_expect_eq(msg.req.ack_timeout, 17);
	cr_expect_eq(msg.req.retry_count, 6);
	cr_expect_eq(msg.req.rnr_retry_count, 5);
	cr_expect_eq(msg.req.responder_resources, 4);
	cr_expect_eq(msg.req.initiator_depth, 3);
	cr_expect_arr_eq(msg.req.local_gid.raw, values.local_ip, 16);
	cr_expect_arr_eq(msg.req.remote_gid.raw, values.remote_ip, 16);
}

Test(replay_mad, fields_are_apart)
{
	for (uint8_t attribute = MAD_REQ; attribute <= MAD_DREP; attribute++) {
		size_t count = 0;
		const struct mad_field *fields = mad_fields(attribute, &count);

		cr_assert_not_null(fields);
		for (size_t i = 0; i < count; i++) {
			cr_assert_leq(
				fields[i].byte + (7u - fields[i].bit + fields[i].bits + 7) / 8,
				PACKET_MAD_BYTES, "%s", fields[i].name);
			if (fields[i].bits > 64 || fields[i].id == MAD_OTHER)
				continue;
			mad_begin(mad, attribute, 5);
			cr_expect(mad_store(mad, fields[i].id, UINT64_MAX));
			for (size_t k = 0; k < count; k++) {
				const uint64_t all = fields[k].bits >= 64
					? UINT64_MAX
					: (UINT64_C(1) << fields[k].bits) - 1;

				if (fields[k].bits <= 64)
					cr_expect_eq(mad_get(mad, &fields[k]), k == i ? all : 0,
						"%s of %s, after %s", fields[k].name,
						mad_name(attribute), fields[i].name);
			}
			cr_expect_eq(mad_attribute(mad), attribute);
			cr_expect_eq(mad_transaction(mad), 5);
		}
	}
}

Test(replay_mad, unknown_messages_have_no_fields)
{
	size_t count = 0;

	cr_expect_null(mad_fields(MAD_REQ - 1, &count));
	cr_expect_null(mad_fields(MAD_DREP + 1, &count));
	cr_expect_str_eq(mad_name(MAD_DREP + 1), "CM message");
	mad_begin(mad, 0x99, 1);
	cr_expect_eq(mad_load(mad, MAD_LOCAL_COMM_ID), 0);
	cr_expect(!mad_store(mad, MAD_LOCAL_COMM_ID, 7));
	mad_begin(mad, MAD_RTU, 1);
	cr_expect(!mad_store(mad, MAD_PATH_MTU, 3), "an RTU has no path MTU");
	mad[16] = 1;
	cr_expect_eq(mad_attribute(mad), 0, "attributes have 16 bits");
}

Test(replay_mad, rejections_that_an_application_gives)
{
	mad_begin(mad, MAD_REJ, 1);
	for (unsigned int reason = 0; reason < 64; reason++) {
		packet_store(mad + 24 + 10, 2, reason);
		cr_expect_eq(mad_can_reject(mad), reason == 8 || reason == 28, "%u", reason);
	}
}
