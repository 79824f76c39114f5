/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Invalid arguments of the methods of version 2, called through their slots. Each test case makes
 * one argument of a method invalid, according to the kind of the argument. All others are valid.
 */

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "spi_pair.h"
#include "support/refusal.h"

static struct spi_pair pair;
static void *objects[10];
static IND2SharedReceiveQueue *srq;
static IND2Listener *listener;
static uint8_t out_place[256];
static uint32_t length_place = sizeof(out_place);
static OVERLAPPED overlapped_place;
static UINT64 adapter_id;
static void *const stranger_methods[16];
static struct {
	const void *methods;
} stranger = {stranger_methods};

enum object {
	PROVIDER,
	ADAPTER,
	CQ,
	SRQ,
	REGION,
	WINDOW,
	QP,
	CONNECTOR,
	LISTENER,
};

static const GUID *iids[] = {&IID_IND2Provider, &IID_IND2Adapter, &IID_IND2CompletionQueue,
	&IID_IND2SharedReceiveQueue, &IID_IND2MemoryRegion, &IID_IND2MemoryWindow,
	&IID_IND2QueuePair, &IID_IND2Connector, &IID_IND2Listener};

/*
 * A method and its arguments, one letter each. i: an IID; h: file; p: pointer that is not NULL; l:
 * pointer to a length; v: OVERLAPPED; s: list of one entry, not NULL; c: completion queue; r:
 * shared queue; m: region; w: window; q: queue pair; k: connector; 1..9: a number; n: NULL is
 * valid; a: address of an adapter; z: its length; d: identifier of an adapter.
 */
struct method {
	enum object object;
	unsigned int slot;
	const char *arguments;
	/** Invalid value of the number at a position, and the status; 0: by position. */
	struct {
		unsigned int position;
		uint64_t value;
		HRESULT expected;
	} numbers[6];
};

static const struct method methods[] = {
	{PROVIDER, 3, "pl", {{0}}},
	{PROVIDER, 4, "azp", {{0}}},
	{PROVIDER, 5, "idp", {{2, 12345, ND_INVALID_PARAMETER}}},
	{ADAPTER, 3, "p", {{0}}},
	{ADAPTER, 4, "nl", {{0}}},
	{ADAPTER, 5, "nl", {{0}}},
	{ADAPTER, 6, "ih1n1p", {{3, 0, 0}, {3, 0x10000000, 0}, {4, 1, 0}}},
	{ADAPTER, 7, "ihp", {{0}}},
	{ADAPTER, 8, "ip", {{0}}},
	{ADAPTER, 9, "ih111n1p", {{3, 0, 0}, {3, 0x10000000, 0}, {4, 17, 0}, {6, 1, 0}}},
	{ADAPTER, 10, "iccn11111p",
		{{5, 0x100000, 0}, {6, 0x100000, 0}, {7, 17, 0}, {8, 17, 0}, {9, 257, 0}}},
	{ADAPTER, 11, "iccrn111p", {{6, 0x100000, 0}, {7, 17, 0}, {8, 257, 0}}},
	{ADAPTER, 12, "ihp", {{0}}},
	{ADAPTER, 13, "ihp", {{0}}},
	{CQ, 4, "v1", {{0}}},
	{CQ, 5, "pp", {{0}}},
	{CQ, 6, "1", {{1, 0, ND_INVALID_PARAMETER}, {1, 0x10000000, ND_INVALID_PARAMETER}}},
	{CQ, 7, "1v", {{1, 3, 0}}},
	{SRQ, 4, "v1", {{0}}},
	{SRQ, 5, "pp", {{0}}},
	{SRQ, 6, "11", {{1, 0x10000000, ND_INVALID_PARAMETER}}},
	{SRQ, 7, "v", {{0}}},
	{SRQ, 8, "ns1", {{0}}},
	{REGION, 4, "v1", {{0}}},
	{REGION, 5, "p1nv",
		{{1, 0, ND_INVALID_PARAMETER}, {2, 0, ND_INVALID_BUFFER_SIZE}, {3, 0x10, 0}}},
	{REGION, 6, "v", {{0}}},
	{QP, 4, "ns1n", {{4, 0x40, 0}, {4, 0x08, 0}}},
	{QP, 5, "ns1", {{0}}},
	{QP, 6, "nmwp1n", {{6, 0x20, 0}, {6, 0x04, 0}}},
	{QP, 7, "nwn", {{3, 0x20, 0}}},
	{QP, 8, "ns111n", {{6, 0x20, 0}, {6, 0x04, 0}}},
	{QP, 9, "ns111n", {{6, 0x04, 0}, {6, 0x40, 0}}},
	{CONNECTOR, 4, "v1", {{0}}},
	{CONNECTOR, 5, "az", {{0}}},
	{CONNECTOR, 6, "qaz11nnv", {{0}}},
	{CONNECTOR, 7, "v", {{0}}},
	{CONNECTOR, 8, "q11nnv", {{0}}},
	{CONNECTOR, 11, "nl", {{0}}},
	{CONNECTOR, 12, "nl", {{0}}},
	{CONNECTOR, 13, "nl", {{0}}},
	{CONNECTOR, 14, "v", {{0}}},
	{CONNECTOR, 15, "v", {{0}}},
	{LISTENER, 4, "v1", {{0}}},
	{LISTENER, 5, "az", {{0}}},
	{LISTENER, 7, "nl", {{0}}},
	{LISTENER, 8, "kv", {{0}}},
};

static ND2_SGE sge;

static void
setup(void)
{
	spi_pair_configure();
	spi_pair_open(&pair);
	pair.side[0].connector = spi_pair_connector(&pair, 0);
	cr_assert_eq(NdOpenProvider(&IID_IND2Provider, &objects[PROVIDER]), S_OK);
	cr_assert_eq(IND2Adapter_CreateListener(pair.side[0].adapter, &IID_IND2Listener,
			     pair.side[0].file, (void **)&listener),
		ND_SUCCESS);
	cr_assert_eq(IND2Adapter_CreateSharedReceiveQueue(pair.side[0].adapter,
			     &IID_IND2SharedReceiveQueue, pair.side[0].file, 8, 2, 0, 0, 0,
			     (void **)&srq),
		ND_SUCCESS);
	cr_assert_eq(IND2Provider_ResolveAddress((IND2Provider *)objects[PROVIDER],
			     (struct sockaddr *)&pair.side[0].address, sizeof(struct sockaddr_in),
			     &adapter_id),
		ND_SUCCESS);
	objects[ADAPTER] = pair.side[0].adapter;
	objects[CQ] = pair.side[0].cq;
	objects[SRQ] = srq;
	objects[REGION] = pair.side[0].mr;
	objects[WINDOW] = pair.side[0].mw;
	objects[QP] = pair.side[0].qp;
	objects[CONNECTOR] = pair.side[0].connector;
	objects[LISTENER] = listener;
	sge = spi_pair_sge(&pair.side[0], 0, 8);
}

static void
teardown(void)
{
	cr_assert_eq(IND2Listener_Release(listener), 0);
	cr_assert_eq(IND2SharedReceiveQueue_Release(srq), 0);
	cr_assert_eq(IND2Provider_Release((IND2Provider *)objects[PROVIDER]), 0);
	spi_pair_close(&pair);
}

TestSuite(spi_arguments, .init = setup, .fini = teardown);

static uintptr_t
good_argument(char letter, const struct method *method)
{
	switch (letter) {
	case 'i':
		if (method->object == PROVIDER)
			return (uintptr_t)&IID_IND2Adapter;
		return (uintptr_t)&IID_IUnknown;
	case 'h':
		return (uintptr_t)pair.side[0].file;
	case 'p':
		return (uintptr_t)out_place;
	case 'l':
		length_place = sizeof(out_place);
		return (uintptr_t)&length_place;
	case 'v':
		return (uintptr_t)&overlapped_place;
	case 's':
		return (uintptr_t)&sge;
	case 'a':
		return (uintptr_t)&pair.side[0].address;
	case 'd':
		return (uintptr_t)adapter_id;
	case 'z':
		return sizeof(struct sockaddr_in);
	case 'c':
		return (uintptr_t)objects[CQ];
	case 'r':
		return (uintptr_t)objects[SRQ];
	case 'm':
		return (uintptr_t)objects[REGION];
	case 'w':
		return (uintptr_t)objects[WINDOW];
	case 'q':
		return (uintptr_t)objects[QP];
	case 'k':
		return (uintptr_t)objects[CONNECTOR];
	case 'n':
		return 0;
	default:
		return (uintptr_t)(letter - '0');
	}
}

/** Type of all methods. Methods ignore arguments after their own. */
typedef HRESULT (*slot_fn)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
	uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static HRESULT
slot_call(const struct method *method, unsigned int position, uintptr_t value)
{
	void *object = objects[method->object];
	void *const *table = *(void *const *const *)object;
	slot_fn function = (slot_fn)(uintptr_t)table[method->slot];
	uintptr_t a[10] = {0};

	for (size_t i = 0; method->arguments[i] != '\0'; i++)
		a[i] = good_argument(method->arguments[i], method);
	a[position - 1] = value;
	return function(object, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
}

static void
check(const struct method *method, unsigned int position, uintptr_t value, HRESULT expected)
{
	const unsigned int refusals = refusal_count();
	HRESULT status = slot_call(method, position, value);
	char text[64];

	if (expected == 0)
		expected = ND_INVALID_PARAMETER_1 + (HRESULT)position - 1;
	cr_expect_eq(status, expected,
		"object %u, slot %u: argument %u = %#lx gives %#x instead of %#x", method->object,
		method->slot, position, value, (unsigned int)status, (unsigned int)expected);
	snprintf(text, sizeof(text), "object %u, slot %u, argument %u", method->object,
		method->slot, position);
	refusal_check(text, status, refusals);
}

/** @return the object of this kind on the other adapter; NULL: there is none */
static void *
of_other_adapter(char letter)
{
	switch (letter) {
	case 'c':
		return pair.side[1].cq;
	case 'm':
		return pair.side[1].mr;
	case 'w':
		return pair.side[1].mw;
	case 'q':
		return pair.side[1].qp;
	default:
		return NULL;
	}
}

static void
argument_check(const struct method *method, unsigned int position, char letter)
{
	HANDLE event;

	switch (letter) {
	case 'i':
		check(method, position, 0, ND_INVALID_PARAMETER_1);
		check(method, position, (uintptr_t)&IID_INDProvider, E_NOINTERFACE);
		break;
	case 'h':
		event = CreateEvent(NULL, FALSE, FALSE, NULL);
		check(method, position, 0, ND_INVALID_HANDLE);
		check(method, position, (uintptr_t)INVALID_HANDLE_VALUE, ND_INVALID_HANDLE);
		check(method, position, (uintptr_t)event, ND_INVALID_HANDLE);
		CloseHandle(event);
		break;
	case 'p':
		/* NULL is valid in Register and Bind, and requests the size of a list. */
		if (method->object == REGION || method->object == QP ||
			(method->object == PROVIDER && method->slot == 3))
			break;
		/* fall through */
	case 'l':
	case 'v':
	case 's':
	case 'a':
		check(method, position, 0, 0);
		break;
	case 'c':
	case 'r':
	case 'm':
	case 'w':
	case 'q':
	case 'k':
		check(method, position, 0, 0);
		check(method, position, (uintptr_t)objects[ADAPTER], 0);
		check(method, position, (uintptr_t)&stranger, 0);
		if (of_other_adapter(letter) != NULL)
			check(method, position, (uintptr_t)of_other_adapter(letter), 0);
		break;
	default:
		break;
	}
}

/* ND-086 and the documented codes of all other methods. */
Test(spi_arguments, ND_086_wrong_arguments_of_all_methods)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		const struct method *method = &methods[i];

		for (unsigned int n = 0; method->arguments[n] != '\0'; n++)
			argument_check(method, n + 1, method->arguments[n]);
		for (size_t n = 0; n < 6 && method->numbers[n].position != 0; n++)
			check(method, method->numbers[n].position, method->numbers[n].value,
				method->numbers[n].expected);
	}
}

/* ND-219: QueryInterface works on each object for IUnknown and for its own interface. */
Test(spi_arguments, ND_219_query_interface)
{
	for (unsigned int i = PROVIDER; i <= LISTENER; i++) {
		IND2Overlapped *object = objects[i], *got = NULL;

		cr_assert_eq(IND2Overlapped_QueryInterface(object, iids[i], (void **)&got), S_OK);
		cr_assert_eq(got, object);
		cr_assert_eq(IND2Overlapped_Release(got), 1);
		got = NULL;
		cr_assert_eq(
			IND2Overlapped_QueryInterface(object, &IID_IUnknown, (void **)&got), S_OK);
		cr_assert_eq(got, object);
		cr_assert_eq(IND2Overlapped_Release(got), 1);
		cr_assert_eq(IND2Overlapped_QueryInterface(object, &IID_INDProvider, (void **)&got),
			E_NOINTERFACE);
		cr_assert_null(got);
		cr_assert_eq(IND2Overlapped_QueryInterface(object, NULL, (void **)&got), E_POINTER);
		cr_assert_eq(IND2Overlapped_QueryInterface(object, iids[i], NULL), E_POINTER);
	}
}

/* ND-212, ND-214, ND-215, ND-217, ND-218: limits and addresses. */
Test(spi_arguments, ND_214_query)
{
	ND2_ADAPTER_INFO info = {.InfoVersion = ND_VERSION_2};
	SOCKET_ADDRESS_LIST *list = (SOCKET_ADDRESS_LIST *)(void *)out_place;
	ULONG bytes = 0;
	SIZE_T wide = 0;

	cr_assert_eq(IND2Adapter_Query(pair.side[0].adapter, NULL, &bytes), ND_BUFFER_OVERFLOW);
	cr_assert_eq(bytes, sizeof(info));
	cr_assert_eq(IND2Adapter_Query(pair.side[0].adapter, &info, &bytes), ND_SUCCESS);
	cr_assert_eq(info.InfoVersion, ND_VERSION_2);
	cr_assert_leq(info.MaxReadSge, info.MaxInitiatorSge);
	cr_assert((info.AdapterFlags & ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0);
	cr_assert_eq(NdQueryAddressList(0, NULL, &wide), ND_BUFFER_OVERFLOW);
	cr_assert_leq(wide, sizeof(out_place));
	cr_assert_eq(NdQueryAddressList(0, list, &wide), S_OK);
	cr_assert_eq(list->iAddressCount, 2);
	for (int i = 0; i < 2; i++)
		cr_assert_eq(NdCheckAddress(list->Address[i].lpSockaddr,
				     (SIZE_T)list->Address[i].iSockaddrLength),
			S_OK);
}
