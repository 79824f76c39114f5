/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_QUEUE_H
#define NDPDK_NDK_QUEUE_H

/**
 * @file
 * Completion queues, shared receive queues, queue pairs without their requests.
 */

#include <ndpdk/ndk_memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What NdkArmCq() waits for. */
#define NDK_CQ_NOTIFY_ERRORS 0u /**< completions that are failures */
#define NDK_CQ_NOTIFY_ANY    1u /**< all completions */
#define NDK_CQ_NOTIFY_SOLICITED                                                                    \
	2u /**< failures, receives with NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT */

/**
 * Tells that a completion queue which was armed has something. One call for each arming, one at a
 * time. It may take results and arm again.
 *
 * @param CqStatus STATUS_SUCCESS; STATUS_BUFFER_OVERFLOW: the queue has overrun, it and its queue
 *        pairs are dead; STATUS_INTERNAL_ERROR
 */
typedef VOID (*NDK_FN_CQ_NOTIFICATION_CALLBACK)(PVOID CqNotificationContext, NTSTATUS CqStatus);

/**
 * NdkResizeCq: change how many results the queue can hold. Completes at once.
 *
 * @param CqDepth 1 .. MaxCqDepth
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or out of range;
 *         STATUS_BUFFER_OVERFLOW: more results present, nothing changed;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: owner: results wait in it that nobody else may touch.
 */
typedef NTSTATUS (*NDK_FN_RESIZE_CQ)(NDK_CQ *pNdkCq, ULONG CqDepth,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkArmCq: have the notification callback called once: at once, if a completion has come since the
 * last call; else with the next completion of this type. Of two armings without a call between them
 * the second one adds to the first: ANY holds before SOLICITED, which holds before ERRORS. An
 * unknown type, and what is not an open queue, does nothing.
 *
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_ARM_CQ)(NDK_CQ *pNdkCq, ULONG Type);

/**
 * NdkGetCqResults: take completed requests, in the order in which they completed.
 *
 * @param[out] Results filled up to the number that is returned
 * @return how many, 0 .. nResults; 0 for NULL, or what is not an open queue
 * @note Threads: owner.
 */
typedef ULONG (*NDK_FN_GET_CQ_RESULTS)(NDK_CQ *pNdkCq, NDK_RESULT Results[], ULONG nResults);

/**
 * NdkControlCqInterruptModeration: hold the notification callback back until several results have
 * come. The latest setting counts, also for those that have come already.
 *
 * @param ModerationInterval microseconds; MAXULONG: no limit, ModerationCount alone counts. With
 *        any other interval the callback comes with the first result, before the interval is over
 * @param ModerationCount results for one callback; 0 or 1: each
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER_MIX: both are MAXULONG;
 *         STATUS_INVALID_PARAMETER: not an open queue
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION)(
	NDK_CQ *pNdkCq, ULONG ModerationInterval, ULONG ModerationCount);

/**
 * NdkGetCqResultsEx: NdkGetCqResults() with types, and with the token that a peer has invalidated.
 *
 * @param[out] Results filled up to the number that is returned
 * @return as there
 * @note Threads: owner.
 */
typedef ULONG (*NDK_FN_GET_CQ_RESULTS_EX)(NDK_CQ *pNdkCq, NDK_RESULT_EX Results[], ULONG nResults);

/** Functions of a completion queue. */
struct _NDK_CQ_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseCq;                     /**< waits for its queue pairs */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_RESIZE_CQ NdkResizeCq;                       /**< another depth */
	NDK_FN_ARM_CQ NdkArmCq;                             /**< ask for a notification */
	NDK_FN_GET_CQ_RESULTS NdkGetCqResults;              /**< take results */
	NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION NdkControlCqInterruptModeration; /**< count */
	NDK_FN_GET_CQ_RESULTS_EX NdkGetCqResultsEx; /**< take results with types */
};

/** Completion queue. */
struct _NDK_CQ {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeCq */
	CONST NDK_CQ_DISPATCH *Dispatch; /**< its functions */
};

/** Tells that fewer receives are posted than the queue's threshold: once for each arming. */
typedef VOID (*NDK_FN_SRQ_NOTIFICATION_CALLBACK)(PVOID SrqNotificationContext, NTSTATUS SrqStatus);

/**
 * NdkModifySrq: another depth or threshold. Completes at once.
 *
 * @param SrqDepth 0: as it is
 * @param NotifyThreshold > 0: call the callback once when fewer receives are posted, at once if
 *        that is so; 0: threshold and arming stay
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or out of range;
 *         STATUS_BUFFER_OVERFLOW: more receives posted than the new depth;
 *         STATUS_INSUFFICIENT_RESOURCES; STATUS_NOT_SUPPORTED: MaxSrqDepth is 0
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_MODIFY_SRQ)(NDK_SRQ *pNdkSrq, ULONG SrqDepth, ULONG NotifyThreshold,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkSrqReceive: take the next message that comes to any of the queue's queue pairs. The result
 * comes through the receive queue of that queue pair.
 *
 * @return as NdkReceive()
 * @note Threads: owner.
 */
typedef NTSTATUS (*NDK_FN_SRQ_RECEIVE)(
	NDK_SRQ *pNdkSrq, PVOID RequestContext, CONST NDK_SGE *pSgl, ULONG nSge);

/** Functions of a shared receive queue. */
struct _NDK_SRQ_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseSrq;                    /**< waits for its queue pairs */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_MODIFY_SRQ NdkModifySrq;                     /**< depth and threshold */
	NDK_FN_SRQ_RECEIVE NdkSrqReceive;                   /**< post a receive */
};

/** Shared receive queue. */
struct _NDK_SRQ {
	NDK_OBJECT_HEADER Header;         /**< NdkObjectTypeSrq */
	CONST NDK_SRQ_DISPATCH *Dispatch; /**< its functions */
};

#ifdef __cplusplus
}
#endif

#endif
