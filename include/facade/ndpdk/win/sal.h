/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SAL_H
#define NDPDK_SAL_H

/**
 * @file
 * Annotations of Windows sources for static analysis (SAL). Here, these macros are empty.
 *
 * The names of older annotations begin with two underscores. In C++, these names collide with names
 * in the C++ library of GCC. A C++ program that needs the older annotations defines NDWIN_OLD_SAL
 * after the last standard header, and then includes this file again.
 */

#define _In_
#define _In_z_
#define _In_opt_
#define _In_opt_z_
#define _In_bytecount_(size)
#define _In_opt_bytecount_(size)
#define _In_count_(size)
#define _In_opt_count_(size)
#define _In_reads_(size)
#define _In_reads_opt_(size)
#define _In_reads_bytes_(size)
#define _In_reads_bytes_opt_(size)
#define _In_range_(low, high)
#define _Out_
#define _Out_opt_
#define _Out_bytecap_(size)
#define _Out_opt_bytecap_(size)
#define _Out_bytecap_post_bytecount_(cap, count)
#define _Out_opt_bytecap_post_bytecount_(cap, count)
#define _Out_cap_(size)
#define _Out_opt_cap_(size)
#define _Out_cap_post_count_(cap, count)
#define _Out_opt_cap_post_count_(cap, count)
#define _Out_writes_(size)
#define _Out_writes_opt_(size)
#define _Out_writes_bytes_(size)
#define _Out_writes_bytes_opt_(size)
#define _Out_writes_to_(size, count)
#define _Out_writes_to_opt_(size, count)
#define _Out_writes_bytes_to_(size, count)
#define _Out_writes_bytes_to_opt_(size, count)
#define _Out_writes_z_(size)
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Inout_
#define _Inout_opt_
#define _Inout_z_
#define _Inout_bytecount_(size)
#define _Inout_updates_(size)
#define _Inout_updates_bytes_(size)
#define _COM_Outptr_
#define _Deref_out_
#define _Deref_out_opt_
#define _Deref_opt_out_
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Ret_z_
#define _Reserved_
#define _Success_(expression)
#define _When_(expression, annotations)
#define _At_(target, annotations)
#define _On_failure_(annotations)
#define _Always_(annotations)
#define _Pre_
#define _Post_
#define _Post_invalid_
#define _Post_ptr_invalid_
#define _Pre_satisfies_(expression)
#define _Post_satisfies_(expression)
#define _Must_inspect_result_
#define _Check_return_
#define _Check_return_opt_
#define _Use_decl_annotations_
#define _Null_terminated_
#define _Notnull_
#define _Maybenull_
#define _Printf_format_string_
#define _Function_class_(name)
#define _Field_size_(size)
#define _Field_size_bytes_(size)
#define _Field_size_opt_(size)
#define _Struct_size_bytes_(size)
#define _Interlocked_operand_
#define _Frees_ptr_
#define _Frees_ptr_opt_
#define _Acquires_lock_(lock)
#define _Releases_lock_(lock)
#define _Requires_lock_held_(lock)
#define _Requires_lock_not_held_(lock)
#define _Acquires_exclusive_lock_(lock)
#define _Releases_exclusive_lock_(lock)
#define _Acquires_shared_lock_(lock)
#define _Releases_shared_lock_(lock)
#define _Guarded_by_(lock)
#define _IRQL_requires_(level)
#define _IRQL_requires_max_(level)
#define _IRQL_requires_min_(level)
#define _IRQL_requires_same_
#define _Analysis_assume_(expression)
#define _Analysis_noreturn_
#define __analysis_assume(expression)
#define __analysis_noreturn
#define __callback
#define __format_string
#if !defined(__fallthrough)
#define __fallthrough __attribute__((__fallthrough__))
#endif

#endif

/* This part is outside of the include guard, so that a second inclusion can define the macros. */
#if (!defined(__cplusplus) || defined(NDWIN_OLD_SAL)) && !defined(NDWIN_OLD_SAL_DONE)
#define NDWIN_OLD_SAL_DONE
#define __in
#define __in_opt
#define __in_z
#define __in_bcount(size)
#define __in_bcount_opt(size)
#define __in_ecount(size)
#define __in_ecount_opt(size)
#define __out
#define __out_opt
#define __out_bcount(size)
#define __out_bcount_opt(size)
#define __out_bcount_part(size, count)
#define __out_bcount_part_opt(size, count)
#define __out_ecount(size)
#define __out_ecount_opt(size)
#define __out_ecount_part(size, count)
#define __out_ecount_part_opt(size, count)
#define __inout
#define __inout_opt
#define __inout_bcount(size)
#define __inout_ecount(size)
#define __deref_out
#define __deref_out_opt
#define __deref_opt_out
#define __deref_inout
#define __reserved
#define __checkReturn
#define __success(expression)
#define __bcount(size)
#define __ecount(size)
#endif
