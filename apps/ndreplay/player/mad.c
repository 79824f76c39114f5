/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "mad.h"

#include <string.h>

#include "packet.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))

/* `byte` is an offset from the start of the message, which begins at byte 24 of the MAD. */
#define FIELD(name, byte, bit, bits, match, id)                                                    \
	{                                                                                          \
		name, 24 + (byte), bit, bits, match, id                                            \
	}

static const struct mad_field req[] = {
	FIELD("local communication ID", 0, 7, 32, MAD_MAPPED, MAD_LOCAL_COMM_ID),
	FIELD("vendor ID", 5, 7, 24, MAD_SETTING, MAD_OTHER),
	FIELD("service ID", 8, 7, 64, MAD_SAME, MAD_SERVICE_ID),
	FIELD("local CA GUID", 16, 7, 64, MAD_SETTING, MAD_OTHER),
	FIELD("local Q_Key", 28, 7, 32, MAD_SAME, MAD_OTHER),
	FIELD("local QPN", 32, 7, 24, MAD_MAPPED, MAD_LOCAL_QPN),
	FIELD("responder resources", 35, 7, 8, MAD_SAME, MAD_OTHER),
	FIELD("initiator depth", 39, 7, 8, MAD_SAME, MAD_OTHER),
	FIELD("remote CM response timeout", 43, 7, 5, MAD_SETTING, MAD_OTHER),
	FIELD("transport service", 43, 2, 2, MAD_SAME, MAD_OTHER),
	FIELD("end-to-end flow control", 43, 0, 1, MAD_SETTING, MAD_OTHER),
	FIELD("starting PSN", 44, 7, 24, MAD_PSN, MAD_STARTING_PSN),
	FIELD("local CM response timeout", 47, 7, 5, MAD_SETTING, MAD_OTHER),
	FIELD("retry count", 47, 2, 3, MAD_SAME, MAD_OTHER),
	FIELD("P_Key", 48, 7, 16, MAD_SAME, MAD_OTHER),
	FIELD("path MTU", 50, 7, 4, MAD_SAME, MAD_PATH_MTU),
	FIELD("RDC exists", 50, 3, 1, MAD_SAME, MAD_OTHER),
	FIELD("RNR retry count", 50, 2, 3, MAD_SAME, MAD_RNR_RETRY),
	FIELD("max CM retries", 51, 7, 4, MAD_SETTING, MAD_OTHER),
	FIELD("SRQ", 51, 3, 1, MAD_SETTING, MAD_OTHER),
	FIELD("extended transport", 51, 2, 3, MAD_SAME, MAD_OTHER),
	FIELD("local LID", 52, 7, 16, MAD_SETTING, MAD_OTHER),
	FIELD("remote LID", 54, 7, 16, MAD_SETTING, MAD_OTHER),
	FIELD("local GID", 56, 7, 128, MAD_SAME, MAD_OTHER),
	FIELD("remote GID", 72, 7, 128, MAD_SAME, MAD_OTHER),
	FIELD("flow label", 88, 7, 20, MAD_SETTING, MAD_OTHER),
	FIELD("packet rate", 91, 5, 6, MAD_SETTING, MAD_OTHER),
	FIELD("traffic class", 92, 7, 8, MAD_SETTING, MAD_OTHER),
	FIELD("hop limit", 93, 7, 8, MAD_SETTING, MAD_OTHER),
	FIELD("service level", 94, 7, 4, MAD_SETTING, MAD_OTHER),
	FIELD("subnet local", 94, 3, 1, MAD_SETTING, MAD_OTHER),
	FIELD("ACK timeout", 95, 7, 5, MAD_SAME, MAD_ACK_TIMEOUT),
	FIELD("private data", 140, 7, 92 * 8, MAD_SAME, MAD_PRIVATE),
};

static const struct mad_field mra[] = {
	FIELD("local communication ID", 0, 7, 32, MAD_MAPPED, MAD_LOCAL_COMM_ID),
	FIELD("remote communication ID", 4, 7, 32, MAD_SAME, MAD_REMOTE_COMM_ID),
	FIELD("message", 8, 7, 2, MAD_SAME, MAD_OTHER),
	FIELD("service timeout", 9, 7, 5, MAD_SETTING, MAD_OTHER),
};

static const struct mad_field rej[] = {
	FIELD("local communication ID", 0, 7, 32, MAD_MAPPED, MAD_LOCAL_COMM_ID),
	FIELD("remote communication ID", 4, 7, 32, MAD_SAME, MAD_REMOTE_COMM_ID),
	FIELD("message", 8, 7, 2, MAD_SAME, MAD_REJECTED_MESSAGE),
	FIELD("length of the additional information", 9, 7, 7, MAD_SETTING, MAD_OTHER),
	FIELD("reason", 10, 7, 16, MAD_SAME, MAD_REJECT_REASON),
	FIELD("private data", 84, 7, 148 * 8, MAD_SAME, MAD_PRIVATE),
};

static const struct mad_field rep[] = {
	FIELD("local communication ID", 0, 7, 32, MAD_MAPPED, MAD_LOCAL_COMM_ID),
	FIELD("remote communication ID", 4, 7, 32, MAD_SAME, MAD_REMOTE_COMM_ID),
	FIELD("local Q_Key", 8, 7, 32, MAD_SAME, MAD_OTHER),
	FIELD("local QPN", 12, 7, 24, MAD_MAPPED, MAD_LOCAL_QPN),
	FIELD("starting PSN", 20, 7, 24, MAD_PSN, MAD_STARTING_PSN),
	FIELD("responder resources", 24, 7, 8, MAD_SAME, MAD_OTHER),
	FIELD("initiator depth", 25, 7, 8, MAD_SAME, MAD_OTHER),
	FIELD("target ACK delay", 26, 7, 5, MAD_SETTING, MAD_OTHER),
	FIELD("failover accepted", 26, 2, 2, MAD_SETTING, MAD_OTHER),
	FIELD("end-to-end flow control", 26, 0, 1, MAD_SETTING, MAD_OTHER),
	FIELD("RNR retry count", 27, 7, 3, MAD_SAME, MAD_RNR_RETRY),
	FIELD("SRQ", 27, 4, 1, MAD_SETTING, MAD_OTHER),
	FIELD("local CA GUID", 28, 7, 64, MAD_SETTING, MAD_OTHER),
	FIELD("private data", 36, 7, 196 * 8, MAD_SAME, MAD_PRIVATE),
};

static const struct mad_field rtu[] = {
	FIELD("local communication ID", 0, 7, 32, MAD_MAPPED, MAD_LOCAL_COMM_ID),
	FIELD("remote communication ID", 4, 7, 32, MAD_SAME, MAD_REMOTE_COMM_ID),
	FIELD("private data", 8, 7, 224 * 8, MAD_SAME, MAD_PRIVATE),
};

static const struct mad_field dreq[] = {
	FIELD("local communication ID", 0, 7, 32, MAD_MAPPED, MAD_LOCAL_COMM_ID),
	FIELD("remote communication ID", 4, 7, 32, MAD_SAME, MAD_REMOTE_COMM_ID),
	FIELD("remote QPN", 8, 7, 24, MAD_SAME, MAD_REMOTE_QPN),
	FIELD("private data", 12, 7, 220 * 8, MAD_SAME, MAD_PRIVATE),
};

static const struct {
	const char *name;
	const struct mad_field *fields;
	size_t count;
} messages[] = {
	{"REQ", req, DIM(req)},
	{"MRA", mra, DIM(mra)},
	{"REJ", rej, DIM(rej)},
	{"REP", rep, DIM(rep)},
	{"RTU", rtu, DIM(rtu)},
	{"DREQ", dreq, DIM(dreq)},
	{"DREP", rtu, DIM(rtu)},
};

const struct mad_field *
mad_fields(uint8_t attribute, size_t *count)
{
	if (attribute < MAD_REQ || attribute > MAD_DREP)
		return NULL;
	*count = messages[attribute - MAD_REQ].count;
	return messages[attribute - MAD_REQ].fields;
}

const char *
mad_name(uint8_t attribute)
{
	return attribute < MAD_REQ || attribute > MAD_DREP ? "CM message"
							   : messages[attribute - MAD_REQ].name;
}

uint8_t
mad_attribute(const uint8_t *mad)
{
	return mad[16] == 0 ? mad[17] : 0;
}

bool
mad_can_reject(const uint8_t *mad)
{
	const uint64_t reason = mad_load(mad, MAD_REJECT_REASON);

	return reason == MAD_REASON_SERVICE || reason == MAD_REASON_CONSUMER;
}

uint64_t
mad_transaction(const uint8_t *mad)
{
	return packet_load(mad + 8, 8);
}

void
mad_set_transaction(uint8_t *mad, uint64_t id)
{
	packet_store(mad + 8, 8, id);
}

uint64_t
mad_get(const uint8_t *mad, const struct mad_field *field)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < field->bits; i++) {
		const uint32_t at = field->byte * 8u + 7 - field->bit + i;

		value = value << 1 | (mad[at / 8] >> (7 - at % 8) & 1);
	}
	return value;
}

static void
set(uint8_t *mad, const struct mad_field *field, uint64_t value)
{
	for (uint32_t i = field->bits; i-- > 0; value >>= 1) {
		const uint32_t at = field->byte * 8u + 7 - field->bit + i;
		const uint8_t mask = (uint8_t)(0x80u >> at % 8);

		mad[at / 8] = (uint8_t)((mad[at / 8] & ~mask) | ((value & 1) != 0 ? mask : 0));
	}
}

static const struct mad_field *
find(const uint8_t *mad, enum mad_id id)
{
	size_t count = 0;
	const struct mad_field *fields = mad_fields(mad_attribute(mad), &count);

	for (size_t i = 0; i < count; i++)
		if (fields[i].id == id)
			return &fields[i];
	return NULL;
}

uint64_t
mad_load(const uint8_t *mad, enum mad_id id)
{
	const struct mad_field *field = find(mad, id);

	return field == NULL ? 0 : mad_get(mad, field);
}

bool
mad_store(uint8_t *mad, enum mad_id id, uint64_t value)
{
	const struct mad_field *field = find(mad, id);

	if (field != NULL)
		set(mad, field, value);
	return field != NULL;
}

void
mad_begin(uint8_t *mad, uint8_t attribute, uint64_t transaction)
{
	memset(mad, 0, PACKET_MAD_BYTES);
	mad[0] = 1; /* base version */
	mad[1] = 7; /* management class: communication management */
	mad[2] = 2; /* class version */
	mad[3] = 3; /* Send */
	mad[17] = attribute;
	mad_set_transaction(mad, transaction);
}

static void
set_named(uint8_t *mad, const char *name, uint64_t value)
{
	for (size_t i = 0; i < DIM(req); i++)
		if (strcmp(req[i].name, name) == 0)
			set(mad, &req[i], value);
}

static uint8_t
mtu_code(uint16_t path_mtu)
{
	uint8_t code = 1;

	while (code < 5 && 128u << code < path_mtu)
		code++;
	return code;
}

void
mad_make_req(uint8_t *mad, const struct mad_req *values)
{
	uint8_t *header = mad + 24 + 140;

	mad_begin(mad, MAD_REQ, 1);
	mad_store(mad, MAD_LOCAL_COMM_ID, values->comm_id);
	mad_store(mad, MAD_SERVICE_ID, 0x01060000u | values->port);
	set_named(mad, "local CA GUID", 0x0200000000000001u);
	mad_store(mad, MAD_LOCAL_QPN, values->qpn);
	set_named(mad, "responder resources", values->responder_resources);
	set_named(mad, "initiator depth", values->initiator_depth);
	set_named(mad, "remote CM response timeout", 20);
	set_named(mad, "local CM response timeout", 20);
	mad_store(mad, MAD_STARTING_PSN, values->psn);
	set_named(mad, "retry count", values->retry_count);
	set_named(mad, "P_Key", 0xFFFF);
	mad_store(mad, MAD_PATH_MTU, mtu_code(values->path_mtu));
	set_named(mad, "RNR retry count", values->rnr_retry_count);
	set_named(mad, "max CM retries", 15);
	set_named(mad, "local LID", 0xFFFF);
	set_named(mad, "remote LID", 0xFFFF);
	memcpy(mad + 24 + 56, values->local_ip, 16);
	memcpy(mad + 24 + 72, values->remote_ip, 16);
	set_named(mad, "hop limit", 64);
	set_named(mad, "subnet local", 1);
	set_named(mad, "ACK timeout", values->ack_timeout);
	/* Header of RDMA IP CM: version 0, IP version, source port, addresses. */
	header[1] = memcmp(values->local_ip, "\0\0\0\0\0\0\0\0\0\0\xFF\xFF", 12) == 0 ? 0x40 : 0x60;
	packet_store(header + 2, 2, 0xC000);
	memcpy(header + 4, values->local_ip, 16);
	memcpy(header + 20, values->remote_ip, 16);
	if (header[1] == 0x40) {
		memset(header + 4, 0, 12);
		memset(header + 20, 0, 12);
	}
}
