/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * All interfaces are used in one process. Versions 1 and 2 of the SPI use two adapters of the
 * configuration. The native interface and the kernel interface use two other adapters. Each
 * interface has a connection. The interfaces are closed in any order, and those that are still open
 * must transfer messages.
 */

#include <string.h>

#include <criterion/criterion.h>

#include "ndk_pair.h"
#include "spi/device.h"
#include "spi_pair.h"
#include "v1/v1_pair.h"

#define MESSAGE_BYTES 3000u /* more than a packet */
#define FROM          1024u
#define TO            8192u

enum { V1, V2, NATIVE, KERNEL, INTERFACES };

static struct spi_pair v2;
static bool is_open[INTERFACES];

/** Write a new byte pattern to `from`, and different bytes to `to`. */
static void
bytes_make(uint8_t *from, uint8_t *to)
{
	static uint8_t stamp;

	stamp++;
	for (unsigned int i = 0; i < MESSAGE_BYTES; i++) {
		from[i] = (uint8_t)(stamp ^ i ^ i >> 8);
		to[i] = (uint8_t)~from[i];
	}
}

static void
v1_message(unsigned int side)
{
	struct v1_side *from = &v1.side[side], *to = &v1.side[1 - side];
	ND_RESULT sent, received;

	bytes_make(from->memory + FROM, to->memory + TO);
	cr_assert_eq(v1_receive(to, &received, TO, MESSAGE_BYTES), ND_SUCCESS);
	cr_assert_eq(v1_send(from, &sent, FROM, MESSAGE_BYTES, 0), ND_SUCCESS);
	v1_done(from->out, &sent);
	v1_done(to->in, &received);
	cr_assert_eq(memcmp(from->memory + FROM, to->memory + TO, MESSAGE_BYTES), 0);
}

static void
v2_message(unsigned int side)
{
	struct spi_side *from = &v2.side[side], *to = &v2.side[1 - side];
	ND2_SGE out = spi_pair_sge(from, FROM, MESSAGE_BYTES);
	ND2_SGE in = spi_pair_sge(to, TO, MESSAGE_BYTES);

	bytes_make(from->memory + FROM, to->memory + TO);
	cr_assert_eq(IND2QueuePair_Receive(to->qp, &in, &in, 1), ND_SUCCESS);
	cr_assert_eq(IND2QueuePair_Send(from->qp, &out, &out, 1, 0), ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(from->cq, Nd2RequestTypeSend, &out), ND_SUCCESS);
	cr_assert_eq(spi_pair_expect(to->cq, Nd2RequestTypeReceive, &in), ND_SUCCESS);
	cr_assert_eq(memcmp(from->memory + FROM, to->memory + TO, MESSAGE_BYTES), 0);
}

static void
native_message(unsigned int side)
{
	struct nd_side *from = &pair.native.side[side], *to = &pair.native.side[1 - side];
	struct nd_sge out = {from->memory + FROM, MESSAGE_BYTES, from->mr};
	struct nd_sge in = {to->memory + TO, MESSAGE_BYTES, to->mr};
	struct nd_result sent, received;

	bytes_make(from->memory + FROM, to->memory + TO);
	cr_assert_eq(nd_endpoint_receive(to->endpoint, &received, &in, 1), ND_SUCCESS);
	cr_assert_eq(nd_endpoint_send(from->endpoint, &sent, &out, 1, 0), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair.native, from->outbound, &sent), ND_SUCCESS);
	cr_assert_eq(nd_pair_result(&pair.native, to->inbound, &received), ND_SUCCESS);
	cr_assert_eq(memcmp(from->memory + FROM, to->memory + TO, MESSAGE_BYTES), 0);
}

static void
kernel_message(unsigned int side)
{
	struct ndk_side *from = &pair.side[side], *to = &pair.side[1 - side];
	NDK_SGE out = side_sge(from, FROM, MESSAGE_BYTES), in = side_sge(to, TO, MESSAGE_BYTES);

	bytes_make(from->memory + FROM, to->memory + TO);
	ASSERT_NT(to->qp->Dispatch->NdkReceive(to->qp, &in, &in, 1), STATUS_SUCCESS);
	ASSERT_NT(from->qp->Dispatch->NdkSend(from->qp, &out, &out, 1, 0), STATUS_SUCCESS);
	side_expect(to, &in, NdkOperationTypeReceive, STATUS_SUCCESS);
	side_expect(from, &out, NdkOperationTypeSend, STATUS_SUCCESS);
	cr_assert_eq(memcmp(from->memory + FROM, to->memory + TO, MESSAGE_BYTES), 0);
}

static void (*const messages[INTERFACES])(unsigned int side) = {
	[V1] = v1_message,
	[V2] = v2_message,
	[NATIVE] = native_message,
	[KERNEL] = kernel_message,
};

/** Transfer messages on all open connections alternately, one in each direction. */
static void
all_alive(void)
{
	for (unsigned int side = 0; side < 2; side++) {
		for (unsigned int i = 0; i < INTERFACES; i++) {
			if (is_open[i])
				messages[i](side);
		}
	}
}

static void
all_open(void)
{
	const struct nd_pair_config config = {.path_mtu = 1024, .mbuf_count = 1024};

	pair_configure(&config);
	pair_connected();
	nd_pair_connect(&pair.native);
	v1_open(&v1);
	v1_connect(&v1);
	spi_pair_open(&v2);
	spi_pair_connect(&v2);
	for (unsigned int i = 0; i < INTERFACES; i++)
		is_open[i] = true;
	all_alive();
}

/** Release the native connection, but keep the adapters, which the kernel interface uses. */
static void
native_close(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(nd_endpoint_release(pair.native.side[i].endpoint), ND_SUCCESS);
		cr_assert_eq(nd_connector_release(pair.native.side[i].connector), ND_SUCCESS);
	}
	cr_assert_eq(nd_listener_release(pair.native.listener), ND_SUCCESS);
}

static void
one_close(unsigned int which)
{
	switch (which) {
	case V1:
		v1_close(&v1);
		break;
	case V2:
		spi_pair_close(&v2);
		break;
	case NATIVE:
		native_close();
		break;
	default:
		for (unsigned int i = 0; i < 2; i++)
			ASSERT_NT(ndk_adapter_close(pair.side[i].adapter), STATUS_SUCCESS);
		break;
	}
	is_open[which] = false;
}

/** Open all interfaces, and close them in this order. Interfaces that are open must still work. */
static void
play(const unsigned int order[INTERFACES])
{
	all_open();
	for (unsigned int i = 0; i < INTERFACES; i++) {
		one_close(order[i]);
		all_alive();
		for (unsigned int side = 0; side < 2; side++)
			cr_assert_eq(spi_device_get(side)->native != NULL,
				is_open[V1] || is_open[V2], "an adapter of the configuration");
	}
	nd_pair_close(&pair.native);
}

Test(spi_beside, in_the_order_of_opening)
{
	play((const unsigned int[]){KERNEL, NATIVE, V1, V2});
}

Test(spi_beside, in_the_opposite_order)
{
	play((const unsigned int[]){V2, V1, NATIVE, KERNEL});
}

Test(spi_beside, first_the_adapters_of_the_configuration)
{
	play((const unsigned int[]){V1, V2, KERNEL, NATIVE});
}

Test(spi_beside, in_turns)
{
	play((const unsigned int[]){NATIVE, V2, KERNEL, V1});
}
