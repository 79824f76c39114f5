/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_EXTENSION_H
#define NDPDK_ND_EXTENSION_H

/**
 * @file
 * Beyond Network Direct: the other requests of the RC transport (IBTA volume 1, 9.4) that verbs
 * applications use, under the names they have there. They are posted, ordered, completed and
 * refused like those of nd_endpoint.h; positions in ND_INVALID_PARAMETER_n count from the result.
 * The peer may be a verbs program: all that is needed of it is an R_Key, an address and a length,
 * of a window or of a whole memory region, put into a struct nd_mw_descriptor in network byte
 * order.
 *
 * Immediate data: four bytes beside a message, which the transport carries as they are (network
 * byte order, as ibv_send_wr.imm_data). The receiver finds them in the result of its receive:
 *
 *   flags                              comes from            bytes_transferred
 *   0                                  send                  of the message
 *   ND_RESULT_WITH_IMM                 send_with_imm         of the message
 *   ND_RESULT_WITH_IMM, _WRITE         write_with_imm        written; the receive's own memory is
 *                                      (IBV_WC_RECV_RDMA_WITH_IMM)   as it was
 */

#include <ndpdk/nd_end.h>
#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * nd_endpoint_send() with immediate data (IBV_WR_SEND_WITH_IMM).
 *
 * @param flags as there
 * @return as there; ND_INVALID_PARAMETER_2: sgl NULL with a count; _5: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_send_with_imm(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count, uint32_t imm_data, uint32_t flags);

/**
 * nd_endpoint_write() that takes one of the peer's receives, and so tells it that the bytes of this
 * and of all earlier writes are in place (IBV_WR_RDMA_WRITE_WITH_IMM). A write of no bytes tells as
 * well, and needs no right.
 *
 * @param flags SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT
 * @return as nd_endpoint_write(); ND_INVALID_PARAMETER_2: sgl NULL with a count; _4:
 *         remote_descriptor NULL; _7: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_write_with_imm(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t imm_data,
	uint32_t flags);

/*
 * Atomics (IBTA volume 1, 9.4.5): on 8 bytes at offset of the peer's window, taken as an integer in
 * the byte order of the machine they are on. The peer's window needs ND_OP_FLAG_ALLOW_ATOMIC, and
 * its memory the right that writing needs; no other right includes it, and it includes no other.
 * base + offset is a multiple of 8. What was there before comes to *original: one entry of 8 bytes
 * of registered memory (there is no list: verbs takes one, of which 8 bytes are used). The result
 * has bytes_transferred 8.
 *
 * Each is executed once, however often its packets are lost or repeated. On this library's side it
 * is atomic against all other accesses that the adapter executes. Against CPUs with atomic
 * instructions of their own, and other adapters of this library, it is as well, wherever the 8
 * bytes lie in one buffer, aligned: always in memory registered by nd_adapter_register_memory(), in
 * a chain wherever base and the buffers' lengths keep the alignment of the buffers, and no border
 * lies within the 8 bytes.
 *
 * They count as reads: the connection's read limits are those of reads and atomics together, and a
 * READ_FENCE waits for both. Flags: SILENT_SUCCESS, READ_FENCE.
 */

/**
 * Add, modulo 2^64 (IBV_WR_ATOMIC_FETCH_AND_ADD).
 *
 * @return as the requests of nd_endpoint.h; ND_INVALID_PARAMETER_2: original is NULL or not 8
 *         bytes; _3: remote_descriptor NULL; _4: base + offset is no multiple of 8; _6: unknown
 *         flags; ND_ACCESS_VIOLATION: original is not registered memory;
 *         ND_INVALID_DEVICE_REQUEST: the connection's outbound read limit is 0
 * @note Threads: owner.
 */
nd_status nd_endpoint_fetch_and_add(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *original, const struct nd_mw_descriptor *remote_descriptor,
	uint64_t offset, uint64_t add, uint32_t flags);

/**
 * Store swap if the 8 bytes equal compare; what *original gets tells whether they did
 * (IBV_WR_ATOMIC_CMP_AND_SWP).
 *
 * @return as nd_endpoint_fetch_and_add(), but ND_INVALID_PARAMETER_7 for unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_compare_and_swap(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *original, const struct nd_mw_descriptor *remote_descriptor,
	uint64_t offset, uint64_t compare, uint64_t swap, uint32_t flags);

/**
 * Open a window as nd_endpoint_bind() does, before the connection is there, so that its descriptor
 * can be in the private data of nd_connector_connect() or nd_connector_accept(). It is executed at
 * once and has no result. The peer can use the window from its first packet on; nothing else
 * distinguishes it from one of nd_endpoint_bind(). It stays bound when a connect fails and may be
 * tried again, and is closed when the endpoint is released.
 *
 * @param flags ALLOW_READ, ALLOW_WRITE, ALLOW_ATOMIC, at least one of them
 * @param[out] descriptor unchanged after a failure
 * @return as nd_endpoint_bind(), with the same numbers; ND_INVALID_DEVICE_STATE: mw is bound, or
 *         nd_connector_connect() or nd_connector_accept() was called before
 * @note Threads: owner.
 */
nd_status nd_endpoint_bind_early(struct nd_endpoint *endpoint, struct nd_mr *mr, struct nd_mw *mw,
	const void *buffer, size_t buffer_size, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/**
 * Say how a connection recovers from a loss, in place of nd_adapter_config.recovery. Both ends
 * choose for themselves: the requests of each are sent again as it says, and those of its peer are
 * kept, or not. To be called before nd_connector_connect() or nd_connector_accept().
 *
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: unknown recovery; ND_INVALID_DEVICE_STATE: the
 *         connection is there or under way
 * @note Threads: any.
 */
nd_status nd_endpoint_set_recovery(struct nd_endpoint *endpoint, enum nd_recovery recovery);

/**
 * Watch the peer of this connector's connection, also if it is established already, with another
 * interval than struct nd_adapter_config.keepalive_ms, which says what it does.
 *
 * @param interval_ms without a packet of the peer, 1..86400000; 0 = do not watch
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: interval_ms is too long
 * @note Threads: control.
 */
nd_status nd_connector_set_keepalive(struct nd_connector *connector, uint32_t interval_ms);

/** Where an endpoint's connection is. New states are added at the end. */
enum nd_endpoint_state {
	ND_ENDPOINT_IDLE = 0,   /**< nothing has begun, or an attempt of this side has failed */
	ND_ENDPOINT_CONNECTING, /**< from connect, or the peer's request, until it is there */
	/**
	 * Requests may be posted. Of an accepted connection with several engines, the result of a
	 * receive may be there a turn earlier: it may be answered then.
	 */
	ND_ENDPOINT_CONNECTED,
	ND_ENDPOINT_DISCONNECTING, /**< nd_connector_disconnect() waits for the peer */
	ND_ENDPOINT_ENDED,         /**< it is over, and there will be no other one */
};

/** An endpoint at the moment of nd_endpoint_query(). Inbound: receives; outbound: all else. */
struct nd_endpoint_info {
	enum nd_endpoint_state state; /**< of its connection */
	/**
	 * Why the connection, or the last attempt, has ended; its reason is ND_END_NONE while
	 * nothing has: nd_connector_get_end_reason().
	 */
	struct nd_end end;
	/** posted and not complete; of a shared receive queue the one that a message has taken */
	size_t inbound_outstanding;
	size_t inbound_free;         /**< how many more may be posted */
	size_t outbound_outstanding; /**< silent ones, too, until their success is known */
	size_t outbound_free;        /**< 0: posting returns ND_NO_MORE_ENTRIES */
	uint16_t path_mtu; /**< payload bytes of a packet; 0: no connection has been there */
};

/**
 * Ask an endpoint where it is. A request is complete as soon as its result is in the completion
 * queue, whether or not it was taken from there.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: info is NULL
 * @note Threads: control. On the thread that owns the engine it takes no lock and no memory, and
 *       makes no system call: an application may ask in its loop.
 */
nd_status nd_endpoint_query(struct nd_endpoint *endpoint, struct nd_endpoint_info *info);

/**
 * @return a word or two for a message to the user, static text, never NULL.
 * @note Threads: any.
 */
const char *nd_endpoint_state_text(enum nd_endpoint_state state);

/**
 * When a message has come in: one that took a receive, so a write only with immediate data. Its
 * packet is the last one of the message, or, behind a loss, the one that was missing. What a
 * result says of anything else, and of a receive that failed, is 0.
 */
struct nd_timestamp {
	/**
	 * rte_rdtsc() as soon as the burst with this packet was received; rte_get_tsc_hz() is its
	 * rate. The burst was taken by nd_engine_poll(), given to nd_engine_input(), or passed on
	 * by another engine of the adapter.
	 */
	uint64_t tsc;
	uint64_t
		hardware; /**< of the packet's mbuf, in units of the port; only with has_hardware */
	/** The driver has marked the mbuf: rte_mbuf_dyn_rx_timestamp_register(). */
	bool has_hardware;
};

/**
 * Keep the time of each message that comes in from now on, for
 * nd_cq_get_results_with_timestamps(). Until this call it costs nothing. Hardware times are those
 * of a port that the application has configured with RTE_ETH_RX_OFFLOAD_TIMESTAMP
 * (nd_adapter_config.port_configured), before this call; others have none.
 *
 * @return ND_SUCCESS, also when it was called before; ND_INSUFFICIENT_RESOURCES
 * @note Threads: control.
 */
nd_status nd_cq_enable_timestamps(struct nd_cq *cq);

/**
 * nd_cq_get_results(), and when the messages have come in.
 *
 * @param[out] results filled up to the number that is returned
 * @param[out] timestamps of the results at the same places; all 0 for a queue without timestamps
 * @return as there
 * @note Threads: owner.
 */
size_t nd_cq_get_results_with_timestamps(struct nd_cq *cq, struct nd_result *results[],
	struct nd_timestamp *timestamps, size_t count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
