/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Version 1: a connection, and one request of each kind. */

#include <string.h>

#include "v1_pair.h"

static struct v1_side *const client = &v1.side[0], *const server = &v1.side[1];

TestSuite(spi_v1_traffic, .init = v1_setup, .fini = v1_teardown);

Test(spi_v1_traffic, send)
{
	ND_RESULT sent = {.Status = ND_PENDING}, received = {.Status = ND_PENDING};

	memcpy(client->memory, "hello", 6);
	V1_OK(v1_receive(server, &received, 100, 50));
	V1_OK(v1_send(client, &sent, 0, 6, 0));
	v1_done(client->out, &sent);
	v1_done(server->in, &received);
	cr_assert_eq(sent.BytesTransferred, 6);
	cr_assert_eq(received.BytesTransferred, 6);
	cr_assert_str_eq((char *)server->memory + 100, "hello");
}

Test(spi_v1_traffic, window)
{
	ND_RESULT written, read;
	ND_MW_DESCRIPTOR descriptor = v1_bound(server, 4096, 8192, V1_BOTH);
	ND_SGE sge = v1_sge(client, 0, 3000);

	memset(client->memory, 'x', 3000);
	V1_OK(INDEndpoint_Write(client->endpoint, &written, &sge, 1, &descriptor, 1000, 0));
	v1_done(client->out, &written);
	cr_assert_eq(memcmp(server->memory + 5096, client->memory, 3000), 0);
	cr_assert_eq(server->memory[5095], 0);
	sge = v1_sge(client, 10000, 3000);
	V1_OK(INDEndpoint_Read(client->endpoint, &read, &sge, 1, &descriptor, 1000, 0));
	v1_done(client->out, &read);
	cr_assert_eq(memcmp(client->memory + 10000, client->memory, 3000), 0);
	v1_invalidated(server);
}

Test(spi_v1_traffic, send_and_invalidate)
{
	ND_RESULT sent, received;
	ND_MW_DESCRIPTOR descriptor = v1_bound(server, 4096, 8192, V1_BOTH);

	V1_OK(v1_receive(server, &received, 0, 10));
	V1_OK(INDEndpoint_SendAndInvalidate(client->endpoint, &sent, NULL, 0, &descriptor, 0));
	v1_done(client->out, &sent);
	v1_done(server->in, &server->invalidated);
	v1_done(server->in, &received);
	(void)v1_bound(server, 0, 100, V1_BOTH);
}
