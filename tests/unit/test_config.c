/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test the defaults for members of an adapter's configuration that the application left 0. */

#include <netinet/in.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/encoded_time.h"
#include "nd/adapter.h"

static struct nd_adapter_config
checked(void)
{
	struct nd_adapter_config config;
	struct sockaddr_in address = {.sin_family = AF_INET};
	char why[256] = "";

	memset(&config, 0, sizeof(config));
	address.sin_addr.s_addr = htonl(0xC0000201);
	memcpy(&config.address, &address, sizeof(address));
	cr_assert_eq(adapter_config_check(&config, why, sizeof(why)), ND_SUCCESS, "%s", why);
	return config;
}

/*
 * B-045: RNR timer code 0 means 655 ms. This is too long for a peer that sends a moment before the
 * receive is posted. Therefore the default is 0.64 ms, which is long enough to post a receive.
 */
Test(config, peers_wait_less_than_a_millisecond_after_an_rnr_nak)
{
	struct nd_adapter_config config = checked();

	cr_assert_eq(config.rnr_timer, 12);
	cr_assert_eq(base_rnr_timer_ns(config.rnr_timer), 640000);
}
