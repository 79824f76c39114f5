/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_MEMORY_H
#define NDPDK_NDK_MEMORY_H

/**
 * @file
 * Memory of the kernel interface: regions, windows, logical addresses.
 */

#include <ndpdk/ndk_status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rights of NdkRegisterMr(). Reading by the adapter itself is always allowed. */
#define NDK_MR_FLAG_ALLOW_LOCAL_READ   0x00000000u /**< always */
#define NDK_MR_FLAG_ALLOW_LOCAL_WRITE  0x00000001u /**< receives, reads, windows to write */
#define NDK_MR_FLAG_ALLOW_REMOTE_READ  0x00000002u /**< peers with the token may read */
#define NDK_MR_FLAG_ALLOW_REMOTE_WRITE 0x00000005u /**< peers may write; has _LOCAL_WRITE in it */
#define NDK_MR_FLAG_RDMA_READ_SINK     0x00000008u /**< taken, and not needed for reads */

/**
 * NdkRegisterMr: make memory known to the adapter. Completes at once.
 *
 * @param Mdl piece or chain whose virtual addresses are contiguous. The first one's virtual address
 *        is the base of the region: requests and windows name its bytes as [base, base + Length).
 *        It is a number only; not 0. The chain is copied, the memory stays the caller's, who keeps
 *        it until the end of NdkDeregisterMr() or of the close
 * @param Length bytes, 1 .. MaxRegistrationSize, not more than the chain has
 * @param Flags NDK_MR_FLAG_
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or not valid, the chain is
 *         not contiguous or too short, or this is an object for fast registration;
 *         STATUS_INVALID_DEVICE_STATE: it is registered already; STATUS_INSUFFICIENT_RESOURCES;
 *         STATUS_DEVICE_REMOVED
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_REGISTER_MR)(NDK_MR *pNdkMr, MDL *Mdl, SIZE_T Length, ULONG Flags,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkDeregisterMr: end the registration. Completes at once: no access is in progress then, and the
 * memory may be freed. The object may be registered again.
 *
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or not valid;
 *         STATUS_INVALID_DEVICE_STATE: it is not registered; STATUS_DEVICE_BUSY: a window is bound
 *         to it
 * @note Threads: control.
 */
typedef NTSTATUS (*NDK_FN_DEREGISTER_MR)(
	NDK_MR *pNdkMr, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkInitializeFastRegisterMr: prepare an object that was made for fast registration. Completes at
 * once.
 *
 * @param AdapterPageCount most pages that NdkFastRegister() will name, 1 .. FRMRPageCount
 * @param RemoteAccess whether peers may be given rights
 * @return STATUS_SUCCESS; STATUS_INVALID_PARAMETER: an argument is NULL or not valid, or this is
 *         no object for fast registration; STATUS_INVALID_DEVICE_STATE: it is prepared already;
 *         STATUS_IMPLEMENTATION_LIMIT: too many pages; STATUS_INSUFFICIENT_RESOURCES;
 *         STATUS_NOT_SUPPORTED: FRMRPageCount is 0
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_INITIALIZE_FAST_REGISTER_MR)(NDK_MR *pNdkMr, ULONG AdapterPageCount,
	BOOLEAN RemoteAccess, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/**
 * NdkGetRemoteTokenFromMr: what a peer needs beside the address. It travels as it is. Each
 * NdkFastRegister() makes another one, valid as soon as the call has returned.
 *
 * @return 0: not registered, without right for peers, or not a region
 * @note Threads: any.
 */
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MR)(NDK_MR *pNdkMr);

/**
 * NdkGetLocalTokenFromMr: for NDK_SGE.MemoryRegionToken.
 *
 * @return 0: not registered, or not a region
 * @note Threads: any.
 */
typedef UINT32 (*NDK_FN_GET_LOCAL_TOKEN_FROM_MR)(NDK_MR *pNdkMr);

/** Functions of a region. */
struct _NDK_MR_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseMr;                     /**< waits for windows bound to it */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension; /**< none */
	NDK_FN_REGISTER_MR NdkRegisterMr;                   /**< register memory */
	NDK_FN_DEREGISTER_MR NdkDeregisterMr;               /**< the opposite */
	NDK_FN_INITIALIZE_FAST_REGISTER_MR NdkInitializeFastRegisterMr; /**< for fast register */
	NDK_FN_GET_REMOTE_TOKEN_FROM_MR NdkGetRemoteTokenFromMr;        /**< for peers */
	NDK_FN_GET_LOCAL_TOKEN_FROM_MR NdkGetLocalTokenFromMr;          /**< for list entries */
};

/** Memory region. */
struct _NDK_MR {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeMr */
	CONST NDK_MR_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkGetRemoteTokenFromMw: what a peer needs beside the address, from the return of NdkBind() on.
 * It travels as it is. Each bind makes another one.
 *
 * @return 0: never bound, or not a window
 * @note Threads: any.
 */
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MW)(NDK_MW *pNdkMw);

/** Functions of a window. */
struct _NDK_MW_DISPATCH {
	NDK_FN_CLOSE_OBJECT NdkCloseMw;                          /**< invalidates it */
	NDK_FN_QUERY_EXTENSION_INTERFACE NdkQueryExtension;      /**< none */
	NDK_FN_GET_REMOTE_TOKEN_FROM_MW NdkGetRemoteTokenFromMw; /**< for peers */
};

/** Memory window. */
struct _NDK_MW {
	NDK_OBJECT_HEADER Header;        /**< NdkObjectTypeMw */
	CONST NDK_MW_DISPATCH *Dispatch; /**< its functions */
};

/**
 * NdkBuildLAM: tell the pages of a range of memory, for NdkFastRegister() and for list entries with
 * the privileged token. Completes at once. The memory is the caller's, who keeps it until
 * NdkReleaseLAM().
 *
 * @param Mdl, Length as of NdkRegisterMr()
 * @param RequestCompletion may be NULL
 * @param[out] pNdkLAM filled; may be NULL to ask for the size
 * @param[in,out] pLAMSize in: bytes at pNdkLAM; out: bytes needed, also with
 *        STATUS_BUFFER_TOO_SMALL
 * @param[out] pFBO offset of the first byte in the first page
 * @return STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL; STATUS_INVALID_PARAMETER: an argument is NULL or
 *         not valid, or the range is not contiguous: each piece but the first has to begin, and
 *         each but the last to end, at the border of a page, of the memory as well;
 *         STATUS_INSUFFICIENT_RESOURCES
 * @note Threads: any.
 */
typedef NTSTATUS (*NDK_FN_BUILD_LAM)(NDK_ADAPTER *pNdkAdapter, MDL *Mdl, SIZE_T Length,
	NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext,
	NDK_LOGICAL_ADDRESS_MAPPING *pNdkLAM, ULONG *pLAMSize, ULONG *pFBO);

/**
 * NdkReleaseLAM: give a mapping back when all requests that use it have completed.
 *
 * @note Threads: control.
 */
typedef VOID (*NDK_FN_RELEASE_LAM)(NDK_ADAPTER *pNdkAdapter, NDK_LOGICAL_ADDRESS_MAPPING *pNdkLAM);

#ifdef __cplusplus
}
#endif

#endif
