/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_HEADER_H
#define NDPDK_WIRE_HEADER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "base/be.h"

/*
 * Transport headers: in wire format (struct wire_*) and as values in host byte order (struct
 * wire_*_value). The store functions write every byte of a header.
 */

#define WIRE_UDP_PORT           4791
#define WIRE_UDP_SRC_PORT_FIRST 0xC000 /**< connections use source ports 0xC000 .. 0xFFFF */
#define WIRE_UDP_SRC_PORT_COUNT 0x4000
#define WIRE_PKEY_DEFAULT       0xFFFF
#define WIRE_PKEY_MASK          0x7FFF /**< partition number, without the membership bit */
#define WIRE_QPN_SMI            0
#define WIRE_QPN_CM             1         /**< QP 1 (GSI), for connection management */
#define WIRE_QPN_MASK           0xFFFFFFu /**< 24 bits; all ones is the QPN of multicast packets */
#define WIRE_QKEY_CM            0x80010000u
#define WIRE_ICRC_BYTES         4
#define WIRE_VLAN_ID_MASK       0x0FFF /**< VLAN ID in a tag; 0 is a priority tag */
#define WIRE_VLAN_ID_MAX        4094
#define WIRE_DSCP_MAX           63       /**< six bits */
#define WIRE_FLOW_LABEL_MASK    0xFFFFFu /**< 20 bits */

/** @return true if an RC queue pair can have this QPN (IBTA 3.5.1) */
static inline bool
wire_qpn_usable(uint32_t qpn)
{
	return qpn != WIRE_QPN_SMI && qpn != WIRE_QPN_CM && qpn < WIRE_QPN_MASK;
}

/**
 * @return true if a P_Key belongs to the default partition. Limited members are accepted, too,
 * because this stack is a full member.
 */
static inline bool
wire_pkey_matches(uint16_t pkey)
{
	return (pkey & WIRE_PKEY_MASK) == (WIRE_PKEY_DEFAULT & WIRE_PKEY_MASK);
}

/**
 * BTH, 12 bytes, IBTA vol 1, 9.2: opcode | SE M Pad TVer | P_Key | F B rsv | DestQP | A rsv | PSN
 */
struct wire_bth {
	uint8_t opcode;
	uint8_t se_m_pad_tver;
	rte_be16_t pkey;
	uint8_t fecn_becn_rsv;
	uint8_t dest_qp[3];
	uint8_t ackreq_rsv;
	uint8_t psn[3];
} __rte_packed;

static_assert(sizeof(struct wire_bth) == 12, "BTH is 12 bytes");
static_assert(offsetof(struct wire_bth, dest_qp) == 5, "DestQP at byte 5");
static_assert(offsetof(struct wire_bth, psn) == 9, "PSN at byte 9");

/** Contents of a BTH. */
struct wire_bth_value {
	uint8_t opcode;
	uint8_t pad_count; /**< 0..3 */
	uint8_t version;   /**< TVer, 0 */
	bool solicited;
	bool migrated; /**< MigReq */
	bool ack_request;
	bool fecn;
	bool becn;
	uint16_t pkey;
	uint32_t dest_qp; /**< 24 bits */
	uint32_t psn;     /**< 24 bits */
};

/** RETH, 16 bytes: virtual address, R_Key, DMA length. */
struct wire_reth {
	uint8_t address[8];
	uint8_t rkey[4];
	uint8_t length[4];
} __rte_packed;

static_assert(sizeof(struct wire_reth) == 16, "RETH is 16 bytes");

/** Contents of a RETH. */
struct wire_reth_value {
	uint64_t address;
	uint32_t rkey;
	uint32_t length_bytes;
};

/** AETH, 4 bytes: syndrome, MSN. */
struct wire_aeth {
	uint8_t syndrome;
	uint8_t msn[3];
} __rte_packed;

static_assert(sizeof(struct wire_aeth) == 4, "AETH is 4 bytes");

/** Contents of an AETH. */
struct wire_aeth_value {
	uint8_t syndrome;
	uint32_t msn; /**< 24 bits */
};

/** AtomicETH, 28 bytes. */
struct wire_atomic_eth {
	uint8_t address[8];
	uint8_t rkey[4];
	uint8_t swap_add[8];
	uint8_t compare[8];
} __rte_packed;

static_assert(sizeof(struct wire_atomic_eth) == 28, "AtomicETH is 28 bytes");

/** Contents of an AtomicETH. */
struct wire_atomic_value {
	uint64_t address;
	uint32_t rkey;
	uint64_t swap_add;
	uint64_t compare;
};

/** DETH, 8 bytes: Q_Key, reserved, source QP. */
struct wire_deth {
	uint8_t qkey[4];
	uint8_t reserved;
	uint8_t src_qp[3];
} __rte_packed;

static_assert(sizeof(struct wire_deth) == 8, "DETH is 8 bytes");

/** Types of AETH syndromes, in bits 6:5: ACK 0, RNR NAK 1, NAK 3. IBTA vol 1, 9.7.5. */
enum wire_aeth_type {
	WIRE_AETH_ACK = 0,
	WIRE_AETH_RNR_NAK = 1,
	WIRE_AETH_RESERVED = 2,
	WIRE_AETH_NAK = 3,
};

#define WIRE_SYNDROME_ACK         0x1Fu /**< ACK without credits */
#define WIRE_SYNDROME_RNR         0x20u /**< RNR NAK, to be ORed with a timer code */
#define WIRE_RNR_TIMER_MASK       0x1Fu /**< bits of the timer code in an RNR NAK */
#define WIRE_NAK_SEQUENCE         0x60u
#define WIRE_NAK_INVALID_REQUEST  0x61u
#define WIRE_NAK_REMOTE_ACCESS    0x62u
#define WIRE_NAK_REMOTE_OPERATION 0x63u

static inline enum wire_aeth_type
wire_aeth_type(uint8_t syndrome)
{
	return (enum wire_aeth_type)(syndrome >> 5 & 3);
}

/* Flags in the bytes of a BTH. */
#define WIRE_BTH_SOLICITED    0x80
#define WIRE_BTH_MIGRATED     0x40
#define WIRE_BTH_PAD_SHIFT    4
#define WIRE_BTH_VERSION_MASK 0x0F
#define WIRE_BTH_FECN         0x80
#define WIRE_BTH_BECN         0x40
#define WIRE_BTH_ACK_REQUEST  0x80

/** Decode the third word of a BTH, in host byte order: acknowledge request (A) and PSN. */
static inline void
wire_bth_decode_third(uint32_t third, struct wire_bth_value *value)
{
	value->ack_request = (third >> 24 & WIRE_BTH_ACK_REQUEST) != 0;
	value->psn = third & 0xFFFFFF;
}

/** Decode a BTH from its three words in host byte order, at no cost for constant bits. */
static inline void
wire_bth_decode(uint32_t first, uint32_t second, uint32_t third, struct wire_bth_value *value)
{
	uint32_t flags = first >> 16, congestion = second >> 24;

	value->opcode = (uint8_t)(first >> 24);
	value->pad_count = flags >> WIRE_BTH_PAD_SHIFT & 3;
	value->version = flags & WIRE_BTH_VERSION_MASK;
	value->solicited = (flags & WIRE_BTH_SOLICITED) != 0;
	value->migrated = (flags & WIRE_BTH_MIGRATED) != 0;
	value->fecn = (congestion & WIRE_BTH_FECN) != 0;
	value->becn = (congestion & WIRE_BTH_BECN) != 0;
	value->pkey = (uint16_t)first;
	value->dest_qp = second & 0xFFFFFF;
	wire_bth_decode_third(third, value);
}

static inline void
wire_bth_load(const struct wire_bth *bth, struct wire_bth_value *value)
{
	const uint8_t *from = (const uint8_t *)bth;

	wire_bth_decode(be_load32(from), be_load32(from + 4), be_load32(from + 8), value);
}

/*
 * Compute the three words of a BTH in host byte order. The 24-bit numbers are the low bytes of the
 * second and third word. Inline, so that computed values stay in registers.
 */

static inline uint32_t
wire_bth_first(const struct wire_bth_value *value)
{
	uint32_t flags = (value->solicited ? WIRE_BTH_SOLICITED : 0u) |
		(value->migrated ? WIRE_BTH_MIGRATED : 0u) |
		(value->pad_count & 3u) << WIRE_BTH_PAD_SHIFT |
		(value->version & (uint32_t)WIRE_BTH_VERSION_MASK);

	return (uint32_t)value->opcode << 24 | flags << 16 | value->pkey;
}

static inline uint32_t
wire_bth_second(const struct wire_bth_value *value)
{
	uint32_t congestion =
		(value->fecn ? WIRE_BTH_FECN : 0u) | (value->becn ? WIRE_BTH_BECN : 0u);

	return congestion << 24 | (value->dest_qp & 0xFFFFFF);
}

static inline uint32_t
wire_bth_third(bool ack_request, uint32_t psn)
{
	return (ack_request ? (uint32_t)WIRE_BTH_ACK_REQUEST << 24 : 0) | (psn & 0xFFFFFF);
}

static inline void
wire_bth_store(struct wire_bth *bth, const struct wire_bth_value *value)
{
	uint8_t *to = (uint8_t *)bth;

	be_store32(to, wire_bth_first(value));
	be_store32(to + 4, wire_bth_second(value));
	be_store32(to + 8, wire_bth_third(value->ack_request, value->psn));
}

static inline void
wire_reth_load(const struct wire_reth *reth, struct wire_reth_value *value)
{
	value->address = be_load64(reth->address);
	value->rkey = be_load32(reth->rkey);
	value->length_bytes = be_load32(reth->length);
}

static inline void
wire_reth_store(struct wire_reth *reth, const struct wire_reth_value *value)
{
	be_store64(reth->address, value->address);
	be_store32(reth->rkey, value->rkey);
	be_store32(reth->length, value->length_bytes);
}

static inline void
wire_aeth_load(const struct wire_aeth *aeth, struct wire_aeth_value *value)
{
	uint32_t word = be_load32((const uint8_t *)aeth);

	value->syndrome = (uint8_t)(word >> 24);
	value->msn = word & 0xFFFFFF;
}

static inline void
wire_aeth_store(struct wire_aeth *aeth, const struct wire_aeth_value *value)
{
	be_store32((uint8_t *)aeth, (uint32_t)value->syndrome << 24 | (value->msn & 0xFFFFFF));
}

static inline void
wire_atomic_load(const struct wire_atomic_eth *eth, struct wire_atomic_value *value)
{
	value->address = be_load64(eth->address);
	value->rkey = be_load32(eth->rkey);
	value->swap_add = be_load64(eth->swap_add);
	value->compare = be_load64(eth->compare);
}

static inline void
wire_atomic_store(struct wire_atomic_eth *eth, const struct wire_atomic_value *value)
{
	be_store64(eth->address, value->address);
	be_store32(eth->rkey, value->rkey);
	be_store64(eth->swap_add, value->swap_add);
	be_store64(eth->compare, value->compare);
}

#endif
