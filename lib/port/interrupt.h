/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_INTERRUPT_H
#define NDPDK_PORT_INTERRUPT_H

#include "port/port.h"

/** Control the RX interrupt of one queue through ethdev. Parameters: see port_io.interrupt. */
bool interrupt_do(uint16_t port_id, uint16_t queue_id, enum port_interrupt what, int epoll_fd);

#endif
