/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_RULES_H
#define NDPDK_TRACE_RULES_H

/**
 * All rules that the trace checks, in the order of their identifiers. RC-nnn, CC-nnn and CM-nnn are
 * the numbers in docs/rules.md. The CM rules after CM-019 have names instead, because their source
 * has no numbers.
 */
enum trace_rule {
	TRACE_RC_001,
	TRACE_RC_002,
	TRACE_RC_003,
	TRACE_RC_004,
	TRACE_RC_005,
	TRACE_RC_006,
	TRACE_RC_008,
	TRACE_RC_009,
	TRACE_RC_020,
	TRACE_RC_022,
	TRACE_RC_023,
	TRACE_RC_024,
	TRACE_RC_025,
	TRACE_RC_026,
	TRACE_RC_028,
	TRACE_RC_029,
	TRACE_RC_030,
	TRACE_RC_031,
	TRACE_RC_035,
	TRACE_RC_041,
	TRACE_RC_047,
	TRACE_RC_055,
	TRACE_RC_058,
	TRACE_RC_060,
	TRACE_RC_070,
	TRACE_RC_073,
	TRACE_RC_074,
	TRACE_RC_075,
	TRACE_RC_079,
	TRACE_RC_085,
	TRACE_RC_095,
	TRACE_RC_096,
	TRACE_RC_098,
	TRACE_RC_100,
	TRACE_RC_101,
	TRACE_CC_002,
	TRACE_CM_001,
	TRACE_CM_002,
	TRACE_CM_004,
	TRACE_CM_011,
	TRACE_CM_014,
	TRACE_CM_018,
	TRACE_CM_019,
	TRACE_CM_ID,
	TRACE_CM_IP,
	TRACE_CM_MAD,
	TRACE_CM_QKEY,
	TRACE_CM_QPN,
	TRACE_CM_REJ,
	TRACE_CM_STATE,
	TRACE_CM_TID,
	TRACE_CM_TYPE,
	TRACE_ICRC,
	TRACE_RULE_COUNT,
};

/** @return identifier of the rule as reported, e.g. "RC-001"; static text. */
const char *trace_rule_id(enum trace_rule rule);

/** @return the requirement of the rule, one sentence without a full stop; static text. */
const char *trace_rule_sentence(enum trace_rule rule);

#endif
