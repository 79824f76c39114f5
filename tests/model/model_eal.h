/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_MODEL_MODEL_EAL_H
#define NDPDK_MODEL_MODEL_EAL_H

/**
 * Start EAL in a program that does not use Criterion. Call once per process.
 * @return < 0 on failure
 */
int model_eal_start(void);

#endif
