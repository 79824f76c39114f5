/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/header.h"

#define SOLICITED_BIT   0x80
#define MIGRATED_BIT    0x40
#define PAD_SHIFT       4
#define VERSION_MASK    0x0F
#define FECN_BIT        0x80
#define BECN_BIT        0x40
#define ACK_REQUEST_BIT 0x80

#define CREDITS_OFF 31

/* IBTA table 43: alternately a power of two, and 1.5 times that. */
static const uint32_t credits[CREDITS_OFF] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128,
	192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576,
	32768};

uint8_t
wire_credit_encode(uint32_t credit_count)
{
	uint8_t code;
	int exponent;

	if (credit_count < 2)
		return (uint8_t)credit_count;
	exponent = 31 - __builtin_clz(credit_count);
	code = (uint8_t)(2 * exponent + (int)(credit_count >> (exponent - 1) & 1));
	return code < CREDITS_OFF ? code : CREDITS_OFF - 1;
}

uint32_t
wire_credit_decode(uint8_t code)
{
	code &= 31;
	return code == CREDITS_OFF ? UINT32_MAX : credits[code];
}

void
wire_bth_load(const struct wire_bth *bth, struct wire_bth_value *value)
{
	value->opcode = bth->opcode;
	value->pad_count = bth->se_m_pad_tver >> PAD_SHIFT & 3;
	value->version = bth->se_m_pad_tver & VERSION_MASK;
	value->solicited = (bth->se_m_pad_tver & SOLICITED_BIT) != 0;
	value->migrated = (bth->se_m_pad_tver & MIGRATED_BIT) != 0;
	value->ack_request = (bth->ackreq_rsv & ACK_REQUEST_BIT) != 0;
	value->fecn = (bth->fecn_becn_rsv & FECN_BIT) != 0;
	value->becn = (bth->fecn_becn_rsv & BECN_BIT) != 0;
	value->pkey = rte_be_to_cpu_16(bth->pkey);
	value->dest_qp = be_load24(bth->dest_qp);
	value->psn = be_load24(bth->psn);
}

void
wire_bth_store(struct wire_bth *bth, const struct wire_bth_value *value)
{
	bth->opcode = value->opcode;
	bth->se_m_pad_tver = (uint8_t)((value->solicited ? SOLICITED_BIT : 0) |
		(value->migrated ? MIGRATED_BIT : 0) | (value->pad_count & 3) << PAD_SHIFT |
		(value->version & VERSION_MASK));
	bth->pkey = rte_cpu_to_be_16(value->pkey);
	bth->fecn_becn_rsv = (uint8_t)((value->fecn ? FECN_BIT : 0) | (value->becn ? BECN_BIT : 0));
	be_store24(bth->dest_qp, value->dest_qp);
	bth->ackreq_rsv = value->ack_request ? ACK_REQUEST_BIT : 0;
	be_store24(bth->psn, value->psn);
}

void
wire_reth_load(const struct wire_reth *reth, struct wire_reth_value *value)
{
	value->address = be_load64(reth->address);
	value->rkey = be_load32(reth->rkey);
	value->length_bytes = be_load32(reth->length);
}

void
wire_reth_store(struct wire_reth *reth, const struct wire_reth_value *value)
{
	be_store64(reth->address, value->address);
	be_store32(reth->rkey, value->rkey);
	be_store32(reth->length, value->length_bytes);
}

void
wire_atomic_load(const struct wire_atomic_eth *eth, struct wire_atomic_value *value)
{
	value->address = be_load64(eth->address);
	value->rkey = be_load32(eth->rkey);
	value->swap_add = be_load64(eth->swap_add);
	value->compare = be_load64(eth->compare);
}

void
wire_atomic_store(struct wire_atomic_eth *eth, const struct wire_atomic_value *value)
{
	be_store64(eth->address, value->address);
	be_store32(eth->rkey, value->rkey);
	be_store64(eth->swap_add, value->swap_add);
	be_store64(eth->compare, value->compare);
}
