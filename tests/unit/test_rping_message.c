/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "ndrping/message.h"

static char text[MESSAGE_SIZE_MAX + 1];

Test(rping_message, window_travels_in_network_byte_order)
{
	/* The descriptor and the message have the same bytes: both are in network byte order. */
	static const uint8_t expected[16] = {
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, /* address */
		0xa1, 0xa2, 0xa3, 0xa4,                         /* rkey */
		0x00, 0x00, 0x01, 0x40,                         /* 320 bytes */
	};
	struct nd_mw_descriptor window, back;
	struct message message;

	memcpy(&window.base, expected, 8);
	memcpy(&window.token, expected + 8, 4);
	window.length = rte_cpu_to_be_64(320);
	message = message_from_window(&window);
	cr_assert_arr_eq(&message, expected, sizeof(expected));
	back = message_to_window(&message);
	cr_assert_arr_eq(&back, &window, sizeof(window));
}

/* The expected text was printed by rping of rdma-core 44 with -v. */
Test(rping_message, text_is_that_of_rping)
{
	message_fill(text, 64, 0);
	cr_assert_str_eq(text, "rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr");
	message_fill(text, 64, 2);
	cr_assert_str_eq(text, "rdma-ping-2: CDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrst");
	message_fill(text, 100, 57);
	cr_assert_str_eq(text,
		"rdma-ping-57: zABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyzABCDEFG"
		"HIJKLMNOPQRSTUVWXYZ");
	message_fill(text, 30, 58);
	cr_assert_str_eq(text, "rdma-ping-58: ABCDEFGHIJKLMNO");
}

Test(rping_message, largest_round_fits_the_smallest_text)
{
	memset(text, 'x', sizeof(text));
	message_fill(text, MESSAGE_SIZE_MIN, UINT32_MAX);
	cr_assert_str_eq(text, "rdma-ping-4294967295: ");
	cr_assert_eq(text[MESSAGE_SIZE_MIN], 'x');
}

Test(rping_message, any_wrong_byte_is_found)
{
	static const size_t sizes[] = {MESSAGE_SIZE_MIN, 64, 3000};

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		message_fill(text, sizes[s], 7);
		cr_assert(message_check(text, sizes[s], 7), "size %zu", sizes[s]);
		for (size_t i = 0; i < sizes[s]; i++) {
			text[i] ^= 1;
			cr_assert_not(message_check(text, sizes[s], 7), "size %zu, byte %zu",
				sizes[s], i);
			text[i] ^= 1;
		}
		cr_assert_not(message_check(text, sizes[s], 8), "another round");
		cr_assert_not(message_check(text, sizes[s] - 1, 7), "cut off");
	}
}

/*
 * The memory block has exactly the size of the message, so that a sanitizer detects any read beyond
 * it.
 */
Test(rping_message, nothing_is_read_behind_the_end)
{
	for (size_t size = 1; size < 2 * MESSAGE_SIZE_MIN; size++) {
		char *exact = malloc(size);

		cr_assert_not_null(exact);
		memset(exact, 'A', size);
		cr_assert_not(message_check(exact, size, 0), "size %zu", size);
		free(exact);
	}
}
