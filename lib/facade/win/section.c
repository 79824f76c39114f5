/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Critical sections, reader-writer locks, and thread-local values. */

#include <assert.h>
#include <pthread.h>

#include <ndpdk/win/windows.h>

#include "win/error.h"

void
InitializeCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&section->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

BOOL
InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD spins)
{
	(void)spins;
	InitializeCriticalSection(section);
	return TRUE;
}

BOOL
InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins, DWORD flags)
{
	(void)flags;
	return InitializeCriticalSectionAndSpinCount(section, spins);
}

void
EnterCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutex_lock(&section->lock);
}

BOOL
TryEnterCriticalSection(LPCRITICAL_SECTION section)
{
	return pthread_mutex_trylock(&section->lock) == 0;
}

void
LeaveCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutex_unlock(&section->lock);
}

void
DeleteCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutex_destroy(&section->lock);
}

static_assert(sizeof(pthread_rwlock_t) <= sizeof(SRWLOCK), "SRWLOCK has room for the lock");

static pthread_rwlock_t *
rwlock_of(PSRWLOCK lock)
{
	return (pthread_rwlock_t *)lock->reserved;
}

void
InitializeSRWLock(PSRWLOCK lock)
{
	pthread_rwlock_init(rwlock_of(lock), NULL);
}

void
AcquireSRWLockExclusive(PSRWLOCK lock)
{
	pthread_rwlock_wrlock(rwlock_of(lock));
}

void
AcquireSRWLockShared(PSRWLOCK lock)
{
	pthread_rwlock_rdlock(rwlock_of(lock));
}

void
ReleaseSRWLockExclusive(PSRWLOCK lock)
{
	pthread_rwlock_unlock(rwlock_of(lock));
}

void
ReleaseSRWLockShared(PSRWLOCK lock)
{
	pthread_rwlock_unlock(rwlock_of(lock));
}

DWORD
TlsAlloc(void)
{
	pthread_key_t key;

	if (pthread_key_create(&key, NULL) != 0) {
		win_fail(ERROR_NOT_ENOUGH_MEMORY);
		return TLS_OUT_OF_INDEXES;
	}
	return key;
}

LPVOID
TlsGetValue(DWORD index)
{
	SetLastError(ERROR_SUCCESS);
	return pthread_getspecific(index);
}

BOOL
TlsSetValue(DWORD index, LPVOID value)
{
	return pthread_setspecific(index, value) == 0 ? TRUE : win_fail(ERROR_INVALID_PARAMETER);
}

BOOL
TlsFree(DWORD index)
{
	return pthread_key_delete(index) == 0 ? TRUE : win_fail(ERROR_INVALID_PARAMETER);
}
