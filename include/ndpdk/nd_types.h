/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_TYPES_H
#define NDPDK_ND_TYPES_H

/**
 * @file
 * Handles, flags, results, descriptors, and asynchronous operations.
 *
 * Compatibility with other versions of the library. Later versions add members at the end of
 * configurations, and of structures that the library fills outside of the data path. Functions
 * that take such a structure are inline: each passes the structure's size to an exported function
 * with a name that ends in _sized. The exception is nd_adapter_query(), whose caller passes the
 * size. So a compiled program works with other versions of the library:
 *
 * - The configuration of an older program lacks members. The library uses their defaults.
 * - The configuration of a newer program is accepted if the members that the library does not know
 *   are 0. Otherwise the function returns ND_INVALID_PARAMETER_n, where n is the position of the
 *   size among the arguments of the exported function. nd_model_open() and nd_trace_open() then
 *   return NULL.
 * - The library fills as many bytes as the program's structure has. Members that the library does
 *   not know become 0; only nd_adapter_query() leaves them unchanged, and returns the number of
 *   bytes that it filled.
 *
 * These structures never grow: structures of the data path, elements of arrays that the program
 * fills, and structures that a member of another structure contains or points to.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_status.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_types
 * @{
 */

struct nd_adapter;   /**< port with a local address */
struct nd_engine;    /**< loop that executes the protocol of an adapter */
struct nd_mr;        /**< registered memory */
struct nd_mw;        /**< memory window */
struct nd_cq;        /**< completion queue */
struct nd_listener;  /**< waits for connection requests */
struct nd_connector; /**< establishes and ends one connection */
struct nd_endpoint;  /**< queue pair of a connection */
struct nd_srq;       /**< receive queue that endpoints share */

/*
 * Flags of requests. The lower 16 bits have the values of Network Direct and NDK. Flags above the
 * lower 16 bits are extensions of this library.
 */
#define ND_OP_FLAG_SILENT_SUCCESS         0x00000001u /**< no result when the request succeeds */
#define ND_OP_FLAG_READ_FENCE             0x00000002u /**< start after earlier reads and atomics */
/** the peer's receive is solicited (ND_CQ_NOTIFY_SOLICITED) */
#define ND_OP_FLAG_SEND_AND_SOLICIT_EVENT 0x00000004u
#define ND_OP_FLAG_ALLOW_READ             0x00000008u /**< a bind lets the peer read */
#define ND_OP_FLAG_ALLOW_WRITE            0x00000010u /**< a bind lets the peer write */
#define ND_OP_FLAG_ALLOW_ATOMIC           0x00010000u /**< a bind lets the peer use atomics */
#define ND_OP_FLAG_ALLOW_ANY_ENDPOINT     0x00020000u /**< bind only: nd_region.h */
#define ND_OP_FLAG_ALLOW_NOTHING          0x00040000u /**< bind only: nd_region.h */
#define ND_OP_FLAG_ALLOW_LOCAL_WRITE      0x00080000u /**< fast register only: nd_region.h */
#define ND_OP_FLAG_RDMA_READ_SINK         0x00100000u /**< fast register only: nd_region.h */

/* Results that complete an nd_cq_notify(). */
#define ND_CQ_NOTIFY_ERRORS    0u /**< failures only */
#define ND_CQ_NOTIFY_ANY       1u /**< all results */
#define ND_CQ_NOTIFY_SOLICITED 2u /**< failures, and receives of messages with SOLICIT_EVENT */

/* Flags in the results of receives; see nd_extension.h. */
#define ND_RESULT_WITH_IMM 0x00000001u /**< the message had immediate data */
#define ND_RESULT_WRITE    0x00000002u /**< with WITH_IMM if the message was a write */
#define ND_RESULT_INVALIDATED                                                                      \
	0x00000004u /**< the message has invalidated a token, which is in imm_data */

/** What a sender retransmits after a loss. Every peer accepts both methods. */
enum nd_recovery {
	/**
	 * Retransmit only the lost packets, if the peer turns out to keep packets after a gap. This
	 * side also keeps request packets that arrive after a gap.
	 */
	ND_RECOVERY_SELECTIVE = 0,
	/**
	 * Retransmit everything from the first lost packet on. This side drops request packets that
	 * arrive after a gap.
	 */
	ND_RECOVERY_GO_BACK_N = 1,
};

/** Version for nd_adapter_query(). */
#define ND_VERSION_1 1u

/**
 * Result of one request. The caller owns the structure, and uses a separate one for each
 * outstanding request. The structure must stay valid until nd_cq_get_results() has returned it; for
 * a silent request, until a later request has completed in the same direction (inbound or
 * outbound). An application can embed the structure in its own structure, and so find its context
 * for the result. Corresponds to ND_RESULT of ND version 1.
 */
struct nd_result {
	nd_status status;         /**< ND_SUCCESS, or why the request failed */
	size_t bytes_transferred; /**< message length in bytes; 0 for bind and invalidate */
	/*
	 * Extensions of ND, see nd_extension.h. Both members are 0 if the message had no immediate
	 * data and invalidated no token.
	 */
	uint32_t flags;         /**< ND_RESULT_ */
	uint32_t imm_data;      /**< with ND_RESULT_WITH_IMM or _INVALIDATED; network byte order */
	void *endpoint_context; /**< nd_endpoint_set_context() of the endpoint */
};

/**
 * One piece of registered memory. address is in mr's address space (struct nd_mr_info) and the
 * library does not dereference it; the library accesses the registered buffer that begins there.
 *
 * mr NULL means inline data: the bytes are copied from unregistered memory at address during the
 * call. Either all entries of a request are inline data or none. Their total length is at most the
 * endpoint's inline limit. Only send, send_and_invalidate and write accept inline data.
 */
struct nd_sge {
	void *address;    /**< in mr's address space */
	size_t length;    /**< bytes */
	struct nd_mr *mr; /**< NULL: inline data */
};

/**
 * Describes a bound window for the peer. An application sends the 20 bytes unchanged in a message.
 * All members are in network byte order. Corresponds to ND_MW_DESCRIPTOR.
 */
struct __attribute__((packed)) nd_mw_descriptor {
	uint64_t base;   /**< address of the window's first byte */
	uint64_t length; /**< bytes */
	uint32_t token;  /**< key of the window; each bind has a new key */
};

static_assert(sizeof(struct nd_mw_descriptor) == 20, "the descriptor is 20 bytes");

/** Maximum number of buffers of one registration. */
#define ND_REGION_BUFFERS_MAX 65536u

/** One buffer of a registration, see nd_adapter_register_memory_chain(). */
struct nd_buffer {
	void *address; /**< address of the first byte; not NULL */
	size_t length; /**< bytes, > 0 */
};

/** Registered memory at the time of nd_mr_query(). */
struct nd_mr_info {
	const void *base;     /**< first address of mr's address space */
	size_t length;        /**< bytes of all buffers together */
	size_t buffer_count;  /**< number of buffers of the registration */
	size_t windows_bound; /**< number of bound windows; must be 0 for deregistration */
	size_t binds_queued;  /**< number of queued binds; must be 0 for deregistration */
	uint32_t flags;       /**< ND_MR_FLAG_, see nd_region.h */
};

/** A memory window at the time of nd_mw_query(). */
struct nd_mw_info {
	bool bound;         /**< true: a bind was executed; false: all other members are 0 */
	struct nd_mr *mr;   /**< memory that the window opens */
	const void *buffer; /**< first address of the window, in mr's address space */
	size_t length;      /**< bytes */
	uint32_t flags;     /**< ND_OP_FLAG_ALLOW_READ, _WRITE, _ATOMIC, _ANY_ENDPOINT */
	struct nd_mw_descriptor descriptor; /**< descriptor returned by the bind */
};

/**
 * Limits of an adapter: maximum numbers, and maximum sizes and lengths in bytes. Corresponds to
 * ND_ADAPTER_INFO.
 */
struct nd_adapter_info {
	uint32_t vendor_id;           /**< PCI vendor of the port; 0: not a PCI device */
	uint32_t device_id;           /**< PCI device of the port; 0: not a PCI device */
	size_t max_inbound_sge;       /**< list entries of a receive */
	size_t max_inbound_requests;  /**< outstanding receives, per endpoint */
	size_t max_inbound_length;    /**< longest message that a receive can take */
	size_t max_outbound_sge;      /**< list entries of a request that is no receive */
	size_t max_outbound_requests; /**< outstanding requests other than receives, per endpoint */
	size_t max_outbound_length;   /**< longest message of a send, read or write */
	size_t max_inline_data;       /**< inline data of one request */
	size_t max_inbound_read_limit;  /**< reads and atomics of the peer in progress at a time */
	size_t max_outbound_read_limit; /**< own reads and atomics in progress at a time */
	size_t max_cq_entries;          /**< results that a completion queue can hold */
	size_t max_registration_size;   /**< bytes of one registration with all its buffers */
	size_t max_window_size;         /**< one window */
	size_t large_request_threshold; /**< size above which registering is cheaper than copying */
	size_t max_caller_data;         /**< private data of a connect */
	size_t max_callee_data;         /**< private data of an accept or a reject */
	size_t max_srq_entries;         /**< receives that a shared receive queue can hold */
};

/**
 * One asynchronous operation. Before the call that takes the structure, zero it, then set
 * event_fd, callback or both.
 *
 * If the call returns ND_PENDING, the structure belongs to the library and must not be moved until
 * the operation is complete. The operation is complete when the callback is called or the eventfd
 * is written or, if neither is set, when the status is no longer ND_PENDING. If the call returns
 * another status, the operation is already complete and is not reported.
 */
struct nd_overlapped {
	int event_fd; /**< eventfd to which 1 is added at completion; 0 or negative = none */
	/**
	 * Called at completion, in nd_engine_poll() or in the call that completes the operation.
	 * May be NULL.
	 */
	void (*callback)(struct nd_overlapped *overlapped, void *arg);
	void *callback_arg; /**< second argument of callback */

	/* Owned by the library. */
	nd_status status;  /**< read it with nd_overlapped_get_result() */
	void *internal[6]; /**< not for applications */
};

/**
 * Return the status of an operation. INDOverlapped::GetOverlappedResult
 *
 * @param[out] bytes always set to 0 (no operation reports a count); may be NULL
 * @param wait wait for the end of the operation. Meanwhile the call polls the engines that the
 *        calling thread owns, and shared engines. If the calling thread is inside a shared engine,
 *        other threads may enter this engine between two turns
 * @return status of the operation. ND_PENDING: the operation is pending and wait is false; or wait
 *         is true but the caller is a callback, because the engine cannot make progress in a
 *         callback. ND_INVALID_PARAMETER_1: overlapped is NULL
 * @note Threads: any.
 */
nd_status nd_overlapped_get_result(struct nd_overlapped *overlapped, size_t *bytes, bool wait);

/**
 * Cancel one pending operation. The operation completes with ND_CANCELED before the call returns
 * or, if a callback makes the call, after that callback. If the operation is a connect or accept,
 * the connection attempt is abandoned.
 *
 * @return ND_SUCCESS, also if the operation was already complete; ND_INVALID_PARAMETER_1:
 *         overlapped is NULL
 * @note Threads: control.
 */
nd_status nd_overlapped_cancel(struct nd_overlapped *overlapped);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
