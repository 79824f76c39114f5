/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "rc/operation.h"
#include "wire/opcode.h"

/* Check that the table of operations and the table of opcodes agree about one entry. */

static void
expect_position(enum rc_send_opcode opcode, unsigned int position)
{
	const struct wire_opcode_traits *traits =
		wire_opcode_traits(rc_operation(opcode)->wire[position]);

	cr_assert(traits->request, "operation %d: %s", opcode, traits->name);
	cr_assert_eq(traits->starts, (position & RC_POSITION_FIRST) != 0, "operation %d: %s",
		opcode, traits->name);
	cr_assert_eq(traits->ends, (position & RC_POSITION_LAST) != 0, "operation %d: %s", opcode,
		traits->name);
}

Test(operation, packets_start_and_end_where_they_say)
{
	for (unsigned int opcode = 0; opcode < RC_OPERATIONS; opcode++) {
		switch (rc_opcode_kind(opcode)) {
		case RC_KIND_MESSAGE:
			for (unsigned int position = 0; position < 4; position++)
				expect_position(opcode, position);
			break;
		case RC_KIND_READ:
		case RC_KIND_ATOMIC:
			expect_position(opcode, RC_POSITION_ONLY);
			/* The request for the rest of a READ has the same opcode as the READ. */
			cr_assert_eq(rc_operation(opcode)->wire[RC_POSITION_LAST],
				rc_operation(opcode)->wire[RC_POSITION_ONLY]);
			break;
		case RC_KIND_LOCAL:
			break;
		}
	}
}

Test(operation, kinds_are_those_of_the_packets)
{
	for (unsigned int opcode = 0; opcode < RC_OPERATIONS; opcode++) {
		uint8_t wire = rc_operation(opcode)->wire[RC_POSITION_ONLY];
		enum wire_kind kind = wire_opcode_traits(wire)->kind;

		switch (rc_opcode_kind(opcode)) {
		case RC_KIND_MESSAGE:
			cr_assert(kind == WIRE_KIND_SEND || kind == WIRE_KIND_WRITE);
			break;
		case RC_KIND_READ:
			cr_assert_eq(kind, WIRE_KIND_READ_REQUEST);
			break;
		case RC_KIND_ATOMIC:
			cr_assert_eq(kind, WIRE_KIND_ATOMIC);
			break;
		case RC_KIND_LOCAL:
			break;
		}
		cr_assert_eq(rc_opcode_is_answered(opcode),
			kind == WIRE_KIND_READ_REQUEST || kind == WIRE_KIND_ATOMIC);
	}
}

/* All operations can be silent and fenced. Only operations that send data can be inline. */
Test(operation, flags_fit_the_kind)
{
	for (unsigned int opcode = 0; opcode < RC_OPERATIONS; opcode++) {
		uint32_t flags = rc_operation(opcode)->flags;
		bool message = rc_opcode_kind(opcode) == RC_KIND_MESSAGE;

		cr_assert_eq(flags & (RC_SILENT | RC_FENCE), RC_SILENT | RC_FENCE);
		cr_assert_eq((flags & RC_INLINE) != 0, message);
		/* Only messages that use a receive can be solicited. A plain WRITE uses none. */
		cr_assert_eq((flags & RC_SOLICITED) != 0, message && opcode != RC_WRITE);
	}
}
