/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_EXTENSION_H
#define NDPDK_ND_EXTENSION_H

/**
 * @file
 * Beyond Network Direct: the other requests of the RC transport (IBTA volume 1, 9.4) that verbs
 * applications use, with the names of verbs. These requests are posted, ordered, completed and
 * refused like the requests of nd_endpoint.h; n in ND_INVALID_PARAMETER_n counts from the result.
 * The peer may be a verbs program. This side needs only the R_Key, address and length of the peer's
 * window or memory region, in a struct nd_mw_descriptor in network byte order.
 *
 * Immediate data are four bytes that the transport carries with a message, unchanged (network byte
 * order, as ibv_send_wr.imm_data). The result of the receive contains the immediate data:
 *
 *   flags                              message               bytes_transferred
 *   0                                  send                  length of the message
 *   ND_RESULT_WITH_IMM                 send_with_imm         length of the message
 *   ND_RESULT_WITH_IMM, _WRITE         write_with_imm        bytes written
 *
 * write_with_imm (IBV_WC_RECV_RDMA_WITH_IMM) leaves the memory of the receive unchanged.
 */

#include <ndpdk/nd_end.h>
#include <ndpdk/nd_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_extension
 * @{
 */

/**
 * Send a message with immediate data, and otherwise as nd_endpoint_send() does
 * (IBV_WR_SEND_WITH_IMM).
 *
 * @param flags as for nd_endpoint_send()
 * @return as nd_endpoint_send(); ND_INVALID_PARAMETER_2: sgl is NULL with a count; _5: unknown
 *         flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_send_with_imm(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count, uint32_t imm_data, uint32_t flags);

/**
 * Write as nd_endpoint_write() does, and consume one receive of the peer
 * (IBV_WR_RDMA_WRITE_WITH_IMM). The result of this receive tells the peer that the bytes of this
 * and of all earlier writes are in memory. A write of no bytes also consumes a receive, and needs
 * no right.
 *
 * @param flags SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT
 * @return as nd_endpoint_write(); ND_INVALID_PARAMETER_2: sgl is NULL with a count; _4:
 *         remote_descriptor is NULL; _7: unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_write_with_imm(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *sgl, size_t sge_count,
	const struct nd_mw_descriptor *remote_descriptor, uint64_t offset, uint32_t imm_data,
	uint32_t flags);

/*
 * Atomics (IBTA volume 1, 9.4.5) operate on 8 bytes at an offset in the peer's window, as an
 * integer in the byte order of the peer's machine. The window needs ND_OP_FLAG_ALLOW_ATOMIC, and
 * its memory must be writable. This right neither includes another right nor is included in one.
 * base + offset must be a multiple of 8. The previous value is stored in *original: one entry of 8
 * bytes of registered memory (not a list; verbs takes a list but uses 8 bytes). The result has
 * bytes_transferred 8.
 *
 * Each atomic is executed exactly once, even if its packets are lost or retransmitted. If this
 * library executes an atomic, it is atomic with respect to all other accesses that the adapter
 * executes. The operation is also atomic with respect to atomic instructions of CPUs, and to other
 * adapters of this library, if the 8 bytes are in one buffer and aligned. Memory of
 * nd_adapter_register_memory() always fulfils this. In a chain, base and the lengths of the buffers
 * must preserve the alignment of the buffers, and no border may be within the 8 bytes.
 *
 * Atomics count as reads: the read limits of a connection apply to reads and atomics together, and
 * a READ_FENCE waits for both. Flags: SILENT_SUCCESS, READ_FENCE.
 */

/**
 * Add a number, modulo 2^64 (IBV_WR_ATOMIC_FETCH_AND_ADD).
 *
 * @return as the requests of nd_endpoint.h; ND_INVALID_PARAMETER_2: original is NULL or not 8
 *         bytes; _3: remote_descriptor is NULL; _4: base + offset is not a multiple of 8; _6:
 *         unknown flags; ND_ACCESS_VIOLATION: original is not registered memory;
 *         ND_INVALID_DEVICE_REQUEST: the connection's outbound read limit is 0
 * @note Threads: owner.
 */
nd_status nd_endpoint_fetch_and_add(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *original, const struct nd_mw_descriptor *remote_descriptor,
	uint64_t offset, uint64_t add, uint32_t flags);

/**
 * Store swap if the 8 bytes equal compare. The swap has happened if *original then contains compare
 * (IBV_WR_ATOMIC_CMP_AND_SWP).
 *
 * @return as nd_endpoint_fetch_and_add(), but ND_INVALID_PARAMETER_7 for unknown flags
 * @note Threads: owner.
 */
nd_status nd_endpoint_compare_and_swap(struct nd_endpoint *endpoint, struct nd_result *result,
	const struct nd_sge *original, const struct nd_mw_descriptor *remote_descriptor,
	uint64_t offset, uint64_t compare, uint64_t swap, uint32_t flags);

/**
 * Open a window as nd_endpoint_bind() does, but before the connection is established, so that the
 * private data of nd_connector_connect() or nd_connector_accept() can contain the descriptor. The
 * bind is executed at once and has no result. The peer can use the window from its first packet. In
 * all other respects the window is like one of nd_endpoint_bind(). The window stays bound after a
 * failed connect that may be tried again, and is closed when the endpoint is released.
 *
 * @param flags as for nd_endpoint_bind(), without SILENT_SUCCESS and READ_FENCE
 * @param[out] descriptor unchanged after a failure
 * @return as nd_endpoint_bind(), with the same numbers; ND_INVALID_DEVICE_STATE: mw is bound, or a
 *         connect or accept is in progress or has succeeded
 * @note Threads: owner.
 */
nd_status nd_endpoint_bind_early(struct nd_endpoint *endpoint, struct nd_mr *mr, struct nd_mw *mw,
	const void *buffer, size_t buffer_size, uint32_t flags,
	struct nd_mw_descriptor *descriptor);

/**
 * Choose how a connection recovers from a loss, instead of nd_adapter_config.recovery. The choice
 * applies to retransmissions of this side, and to whether this side keeps packets of the peer after
 * a gap; the peer chooses for itself. Must be called before nd_connector_connect() or
 * nd_connector_accept().
 *
 * @return ND_SUCCESS; ND_INVALID_PARAMETER: unknown recovery; ND_INVALID_DEVICE_STATE: a connect or
 *         accept is in progress, or the endpoint is or was connected
 * @note Threads: control.
 */
nd_status nd_endpoint_set_recovery(struct nd_endpoint *endpoint, enum nd_recovery recovery);

/**
 * Set the keepalive interval of a connection, instead of nd_adapter_config.keepalive_ms, which
 * describes keepalives. Also allowed while the connection is established.
 *
 * @param interval_ms time without a packet of the peer, 1..86400000 ms; 0 = no keepalives
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: interval_ms is too long
 * @note Threads: control.
 */
nd_status nd_connector_set_keepalive(struct nd_connector *connector, uint32_t interval_ms);

/** State of an endpoint's connection. New states are added at the end. */
enum nd_endpoint_state {
	ND_ENDPOINT_IDLE = 0,   /**< no connect or accept yet, or a failed connect */
	ND_ENDPOINT_CONNECTING, /**< from connect, or the peer's request, until connected */
	/**
	 * Requests may be posted. With several engines, the first receives of an accepted
	 * connection may complete one turn before the endpoint is in this state. They may be
	 * answered at once.
	 */
	ND_ENDPOINT_CONNECTED,
	ND_ENDPOINT_DISCONNECTING, /**< nd_connector_disconnect() waits for the peer */
	ND_ENDPOINT_ENDED,         /**< ended; the endpoint cannot be connected again */
};

/**
 * State of an endpoint at the time of nd_endpoint_query(). Inbound members count receives, and
 * outbound members all other requests.
 */
struct nd_endpoint_info {
	enum nd_endpoint_state state;  /**< state of its connection */
	enum nd_end_reason end_reason; /**< of nd_connector_get_end_reason() */
	nd_status end_status;          /**< status of nd_connector_get_end_reason() */
	/**
	 * Number of receives that are posted and not complete. With a shared receive queue:
	 * receives that a message has taken.
	 */
	size_t inbound_outstanding;
	size_t inbound_free; /**< number of receives that can still be posted */
	/** Number of posted requests that are not known to be complete. */
	size_t outbound_outstanding;
	/**
	 * Number of requests that can still be posted. If it is 0, posting returns
	 * ND_NO_MORE_ENTRIES.
	 */
	size_t outbound_free;
	uint16_t path_mtu; /**< largest payload of a packet in bytes; 0: never connected */
};

nd_status
nd_endpoint_query_sized(struct nd_endpoint *endpoint, struct nd_endpoint_info *info, size_t size);

/**
 * Return the state of an endpoint. A request is complete as soon as its result is in the completion
 * queue, even if the result was not yet taken.
 *
 * @param[out] info unchanged after a failure
 * @return ND_SUCCESS; ND_INVALID_PARAMETER_1: info is NULL
 * @note Threads: control. On the thread that owns the engine the call takes no lock, allocates no
 *       memory and makes no system call, so it may be called in the application's loop.
 */
static inline nd_status
nd_endpoint_query(struct nd_endpoint *endpoint, struct nd_endpoint_info *info)
{
	return nd_endpoint_query_sized(endpoint, info, sizeof(*info));
}

/**
 * @return a short text about the state for a message to the user; static; never NULL
 * @note Threads: any.
 */
const char *nd_endpoint_state_text(enum nd_endpoint_state state);

/**
 * Arrival time of a message that consumed a receive. A write has an arrival time only with
 * immediate data. The time is that of the last packet of the message or, after a loss, of the
 * packet that completed the message. All members are 0 for other results and for receives that
 * failed.
 */
struct nd_timestamp {
	/**
	 * rte_rdtsc() directly after the engine received the burst with the packet. The rate is
	 * rte_get_tsc_hz(). The burst came from nd_engine_poll(), nd_engine_input() or another
	 * engine of the adapter.
	 */
	uint64_t tsc;
	uint64_t hardware; /**< timestamp of the mbuf in the port's units, if has_hardware */
	/**
	 * True if the driver has set a timestamp in the mbuf: rte_mbuf_dyn_rx_timestamp_register().
	 */
	bool has_hardware;
};

/**
 * Record the arrival time of each later message, for nd_cq_get_results_with_timestamps(). Without
 * this call, timestamps cost nothing. Hardware timestamps require a port that the application has
 * configured with RTE_ETH_RX_OFFLOAD_TIMESTAMP before this call
 * (nd_adapter_config.port_configured).
 *
 * @return ND_SUCCESS, also if timestamps are already enabled; ND_INSUFFICIENT_RESOURCES
 * @note Threads: control.
 */
nd_status nd_cq_enable_timestamps(struct nd_cq *cq);

/**
 * Take results as nd_cq_get_results() does, together with the arrival times of the messages.
 *
 * @param[out] results as for nd_cq_get_results()
 * @param[out] timestamps timestamps[i] belongs to results[i]; all 0 if timestamps are not enabled
 * @return number of results taken, 0..count
 * @note Threads: owner.
 */
size_t nd_cq_get_results_with_timestamps(struct nd_cq *cq, struct nd_result *results[],
	struct nd_timestamp *timestamps, size_t count);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
