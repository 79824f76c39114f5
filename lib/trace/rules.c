/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "trace/rules.h"

#include <string.h>

#include <ndpdk/nd_trace.h>

#include "base/assert.h"

struct rule {
	const char *id;
	const char *sentence;
};

static const struct rule rules[TRACE_RULE_COUNT] = {
	[TRACE_RC_001] = {"RC-001", "a message uses as few packets as the path MTU allows"},
	[TRACE_RC_002] = {"RC-002",
		"First and Middle carry one path MTU, Last 1 byte to one path MTU, Only up to it"},
	[TRACE_RC_003] = {"RC-003", "the RETH length of a WRITE is the sum of its payloads"},
	[TRACE_RC_004] = {"RC-004", "a message has at most 2^31 bytes"},
	[TRACE_RC_005] = {"RC-005",
		"each request uses the next PSN, and a READ owns the PSNs of its responses"},
	[TRACE_RC_006] = {"RC-006", "packets of two messages are never interleaved"},
	[TRACE_RC_008] = {"RC-008",
		"SE is set only on the end of a SEND or of a WRITE with immediate"},
	[TRACE_RC_009] = {"RC-009",
		"no more READs and atomics are outstanding than the CM negotiated"},
	[TRACE_RC_020] = {"RC-020", "a packet has a valid header and names the right queue pair"},
	[TRACE_RC_022] = {"RC-022", "the P_Key is that of the default partition"},
	[TRACE_RC_023] = {"RC-023",
		"a sequence NAK carries the PSN that the responder expects, once for a gap"},
	[TRACE_RC_024] = {"RC-024", "no NAK answers a SEND or WRITE that has been acknowledged"},
	[TRACE_RC_025] = {"RC-025", "Middle and Last continue a message of their own kind"},
	[TRACE_RC_026] = {"RC-026", "reserved opcodes are not used"},
	[TRACE_RC_028] = {"RC-028",
		"an RNR NAK answers a packet that needs a receive, and READs and atomics within "
		"the limit are accepted"},
	[TRACE_RC_029] = {"RC-029", "pad fills the payload to a multiple of 4"},
	[TRACE_RC_030] = {"RC-030", "a request with an invalid key is refused"},
	[TRACE_RC_031] = {"RC-031", "an atomic on a misaligned address is not executed"},
	[TRACE_RC_035] = {"RC-035", "after a fatal NAK the responder answers nothing"},
	[TRACE_RC_041] = {"RC-041", "the MSN counts completed messages"},
	[TRACE_RC_047] = {"RC-047", "a plain Acknowledge never answers a READ or atomic"},
	[TRACE_RC_055] = {"RC-055", "a repeated request is acknowledged with the newest PSN"},
	[TRACE_RC_058] = {"RC-058", "a repeated atomic is answered with the saved result"},
	[TRACE_RC_060] = {"RC-060", "answers leave in the order of the requests"},
	[TRACE_RC_070] = {"RC-070", "an answer belongs to a PSN that was requested"},
	[TRACE_RC_073] = {"RC-073",
		"READ responses come in order, with the right opcodes and lengths"},
	[TRACE_RC_074] = {"RC-074", "the AETH of a READ response has an ACK syndrome"},
	[TRACE_RC_075] = {"RC-075",
		"an ATOMIC Acknowledge has an ACK syndrome and answers an atomic"},
	[TRACE_RC_079] = {"RC-079",
		"a READ is requested again from the address that belongs to the PSN"},
	[TRACE_RC_085] = {"RC-085",
		"after an RNR NAK the requester waits as long as demanded, and retries as often as "
		"the peer granted"},
	[TRACE_RC_095] = {"RC-095",
		"an unanswered request is retransmitted within four ACK timeouts"},
	[TRACE_RC_096] = {"RC-096",
		"after timeouts a request is retransmitted no more often than the peer granted"},
	[TRACE_RC_098] = {"RC-098",
		"the packet that a sequence NAK requests is retransmitted first"},
	[TRACE_RC_100] = {"RC-100", "an Acknowledge has a syndrome that RC defines"},
	[TRACE_RC_101] = {"RC-101", "a retransmitted packet equals the original packet"},
	[TRACE_CC_002] = {"CC-002", "the rate of CNPs of a queue pair is bounded"},
	[TRACE_CM_001] = {"CM-001", "a REQ without alternate path has an alternate LID of zero"},
	[TRACE_CM_002] = {"CM-002", "reserved areas of a REQ are zero"},
	[TRACE_CM_004] = {"CM-004", "a retransmitted REQ or REP equals the original message"},
	[TRACE_CM_011] = {"CM-011",
		"GIDs, private header and packet of a REQ name the same addresses"},
	[TRACE_CM_014] = {"CM-014", "CM messages come from queue pair 1"},
	[TRACE_CM_018] = {"CM-018", "the path MTU of a REQ is one of five codes"},
	[TRACE_CM_019] = {"CM-019",
		"no data are sent before the REP, which carries the queue pair number"},
	[TRACE_CM_ID] = {"CM-ID", "a CM message carries the communication IDs of its connection"},
	[TRACE_CM_IP] = {"CM-IP", "the private header of the RDMA IP CM has version 0"},
	[TRACE_CM_MAD] = {"CM-MAD",
		"a MAD of the CM has 256 bytes, base version 1, class 7 of version 2, method Send"},
	[TRACE_CM_QKEY] = {"CM-QKEY", "CM messages carry the Q_Key 0x80010000"},
	[TRACE_CM_QPN] = {"CM-QPN", "a DREQ names the queue pair of its receiver"},
	[TRACE_CM_REJ] = {"CM-REJ",
		"a REJ names the message that it rejects: a REP on the active side, a REQ on the "
		"passive"},
	[TRACE_CM_STATE] = {"CM-STATE",
		"an RTU follows a REP, a DREP follows a DREQ, and no data follow a DREP or the "
		"sender's own DREQ"},
	[TRACE_CM_TID] = {"CM-TID",
		"an answer carries the transaction ID of the message that it answers"},
	[TRACE_CM_TYPE] = {"CM-TYPE",
		"the transport type of a REQ is a defined one, and RC if RC packets follow"},
	[TRACE_ICRC] = {"ICRC", "a packet arrives as it was sent"},
};

const char *
trace_rule_id(enum trace_rule rule)
{
	BASE_ASSERT(rule < TRACE_RULE_COUNT);
	return rules[rule].id;
}

const char *
trace_rule_sentence(enum trace_rule rule)
{
	BASE_ASSERT(rule < TRACE_RULE_COUNT);
	return rules[rule].sentence;
}

const char *
nd_trace_rule(size_t index)
{
	return index < TRACE_RULE_COUNT ? rules[index].id : NULL;
}

const char *
nd_trace_rule_sentence(const char *rule)
{
	for (size_t i = 0; i < TRACE_RULE_COUNT; i++)
		if (strcmp(rules[i].id, rule) == 0)
			return rules[i].sentence;
	return NULL;
}
