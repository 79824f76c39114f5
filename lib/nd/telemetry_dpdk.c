/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "nd/telemetry_dpdk.h"

#include <stdio.h>

#include <rte_version.h>

#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define NUMBER_VAL RTE_TEL_UINT_VAL
#define add_member rte_tel_data_add_dict_uint
#define add_number rte_tel_data_add_array_uint
#else
#define NUMBER_VAL RTE_TEL_U64_VAL
#define add_member rte_tel_data_add_dict_u64
#define add_number rte_tel_data_add_array_u64
#endif

static void
start(struct rte_tel_data *data, enum nd_telemetry_kind kind)
{
	if (kind == ND_TELEMETRY_OBJECT)
		rte_tel_data_start_dict(data);
	else
		rte_tel_data_start_array(
			data, kind == ND_TELEMETRY_NUMBERS ? NUMBER_VAL : RTE_TEL_STRING_VAL);
}

static void
begin(void *arg, const char *name, enum nd_telemetry_kind kind)
{
	struct telemetry_dpdk *dpdk = arg;

	if (dpdk->depth++ == 0) {
		dpdk->kind = kind;
		start(dpdk->data, kind);
		return;
	}
	dpdk->part_kind = kind;
	dpdk->part = rte_tel_data_alloc();
	dpdk->no_memory |= dpdk->part == NULL;
	if (dpdk->part == NULL)
		return;
	snprintf(dpdk->name, sizeof(dpdk->name), "%s", name);
	start(dpdk->part, kind);
}

static void
end(void *arg)
{
	struct telemetry_dpdk *dpdk = arg;

	if (--dpdk->depth == 0 || dpdk->part == NULL)
		return;
	/* DPDK frees the container after it has written the answer. */
	if (rte_tel_data_add_dict_container(dpdk->data, dpdk->name, dpdk->part, 0) != 0)
		rte_tel_data_free(dpdk->part);
	dpdk->part = NULL;
}

/*
 * @return the object or array to which the next member is added; NULL: there is none, because the
 * memory was exhausted
 */
static struct rte_tel_data *
place(const struct telemetry_dpdk *dpdk, enum nd_telemetry_kind *kind)
{
	*kind = dpdk->depth > 1 ? dpdk->part_kind : dpdk->kind;
	return dpdk->depth > 1 ? dpdk->part : dpdk->data;
}

static void
number(void *arg, const char *name, uint64_t value)
{
	enum nd_telemetry_kind kind;
	struct rte_tel_data *to = place(arg, &kind);

	if (to == NULL)
		return;
	if (kind == ND_TELEMETRY_OBJECT)
		(void)add_member(to, name, value);
	else
		(void)add_number(to, value);
}

static void
text(void *arg, const char *name, const char *words)
{
	enum nd_telemetry_kind kind;
	struct rte_tel_data *to = place(arg, &kind);

	if (to == NULL)
		return;
	if (kind == ND_TELEMETRY_OBJECT)
		(void)rte_tel_data_add_dict_string(to, name, words);
	else
		(void)rte_tel_data_add_array_string(to, words);
}

const struct nd_telemetry_sink telemetry_dpdk_sink = {
	.begin = begin,
	.end = end,
	.number = number,
	.text = text,
};
