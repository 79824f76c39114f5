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
		"First and Middle carry one path MTU, Last 1 byte to one path MTU, Only 0 to one "
		"path MTU"},
	[TRACE_RC_003] = {"RC-003",
		"the RETH length of a WRITE equals the sum of its payload lengths"},
	[TRACE_RC_004] = {"RC-004", "a message has at most 2^31 bytes"},
	[TRACE_RC_005] = {"RC-005",
		"each request uses the next PSN, and a READ reserves one PSN for each response"},
	[TRACE_RC_006] = {"RC-006", "packets of two messages are never interleaved"},
	[TRACE_RC_008] = {"RC-008",
		"SE is set only in the last packet of a SEND or of a WRITE with immediate"},
	[TRACE_RC_009] = {"RC-009",
		"outstanding READs and atomics do not exceed the limit that the CM negotiated"},
	[TRACE_RC_020] = {"RC-020",
		"a packet has valid headers and the right destination queue pair"},
	[TRACE_RC_022] = {"RC-022", "a packet has the P_Key of the default partition"},
	[TRACE_RC_023] = {"RC-023",
		"the responder sends one sequence NAK for each gap, with the PSN that it expects"},
	[TRACE_RC_024] = {"RC-024", "no NAK answers a SEND or WRITE that has been acknowledged"},
	[TRACE_RC_025] = {"RC-025", "Middle and Last continue a message of the same kind"},
	[TRACE_RC_026] = {"RC-026", "reserved opcodes are not used"},
	[TRACE_RC_028] = {"RC-028",
		"only a packet that needs a receive is answered with an RNR NAK, and READs and "
		"atomics within the negotiated limit are accepted"},
	[TRACE_RC_029] = {"RC-029", "pad bytes extend the payload to a multiple of 4 bytes"},
	[TRACE_RC_030] = {"RC-030", "a request with an invalid key is refused"},
	[TRACE_RC_031] = {"RC-031", "an atomic on a misaligned address is not executed"},
	[TRACE_RC_035] = {"RC-035", "after a fatal NAK the responder sends no further response"},
	[TRACE_RC_041] = {"RC-041", "the MSN counts completed messages"},
	[TRACE_RC_047] = {"RC-047", "a plain Acknowledge never answers a READ or atomic"},
	[TRACE_RC_055] = {"RC-055", "a duplicate request is acknowledged with the newest PSN"},
	[TRACE_RC_058] = {"RC-058", "a duplicate atomic is answered with the saved result"},
	[TRACE_RC_060] = {"RC-060", "responses are sent in the order of the requests"},
	[TRACE_RC_070] = {"RC-070", "a response has a PSN that belongs to a request"},
	[TRACE_RC_073] = {"RC-073",
		"READ responses are sent in order, with the right opcodes and lengths"},
	[TRACE_RC_074] = {"RC-074", "the AETH of a READ response has an ACK syndrome"},
	[TRACE_RC_075] = {"RC-075",
		"an ATOMIC Acknowledge has an ACK syndrome and answers an atomic"},
	[TRACE_RC_079] = {"RC-079",
		"a retransmitted READ starts at the address that belongs to its PSN"},
	[TRACE_RC_085] = {"RC-085",
		"after an RNR NAK the requester waits for the RNR timer of the NAK, and retries at "
		"most as often as the RNR retry count of the peer allows"},
	[TRACE_RC_095] = {"RC-095",
		"an unanswered request is retransmitted within four ACK timeouts"},
	[TRACE_RC_096] = {"RC-096",
		"retransmissions after timeouts do not exceed the retry count of the REQ"},
	[TRACE_RC_098] = {"RC-098",
		"the packet that a sequence NAK requests is retransmitted first"},
	[TRACE_RC_100] = {"RC-100", "an Acknowledge has a syndrome that is defined for RC"},
	[TRACE_RC_101] = {"RC-101", "a retransmitted packet equals the original packet"},
	[TRACE_CC_002] = {"CC-002", "the rate of CNPs of a queue pair is limited"},
	[TRACE_CM_001] = {"CM-001", "a REQ without alternate path has an alternate LID of zero"},
	[TRACE_CM_002] = {"CM-002", "reserved fields of a REQ are zero"},
	[TRACE_CM_004] = {"CM-004", "a retransmitted REQ or REP equals the original message"},
	[TRACE_CM_011] = {"CM-011",
		"GIDs and private header of a REQ contain the addresses of its packet"},
	[TRACE_CM_014] = {"CM-014", "CM messages are sent from queue pair 1"},
	[TRACE_CM_018] = {"CM-018", "the path MTU code of a REQ is 1 to 5"},
	[TRACE_CM_019] = {"CM-019",
		"no data are sent before the REP, which carries the queue pair number"},
	[TRACE_CM_ID] = {"CM-ID", "a CM message carries the communication IDs of its connection"},
	[TRACE_CM_IP] = {"CM-IP", "the private header of the RDMA IP CM has version 0"},
	[TRACE_CM_MAD] = {"CM-MAD",
		"a CM MAD has 256 bytes, base version 1, class 7, class version 2, method Send"},
	[TRACE_CM_QKEY] = {"CM-QKEY", "CM messages carry the Q_Key 0x80010000"},
	[TRACE_CM_QPN] = {"CM-QPN", "a DREQ contains the queue pair number of its receiver"},
	[TRACE_CM_REJ] = {"CM-REJ",
		"a REJ contains the type of the rejected message: REP from the active side, REQ "
		"from the passive side"},
	[TRACE_CM_STATE] = {"CM-STATE",
		"an RTU follows a REP, a DREP follows a DREQ, and no data follow a DREP or the "
		"sender's own DREQ"},
	[TRACE_CM_TID] = {"CM-TID",
		"an answer carries the transaction ID of the message that it answers"},
	[TRACE_CM_TYPE] = {"CM-TYPE",
		"the transport type of a REQ is defined, and is RC if RC packets follow"},
	[TRACE_ICRC] = {"ICRC", "the ICRC of a packet matches its contents"},
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
