/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PORT_PCI_H
#define NDPDK_PORT_PCI_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Read the PCI IDs from the text of rte_dev_bus_info(). A device that is not on a PCI bus has a
 * different text, or NULL.
 * @param vendor_id, device_id written only if the result is true
 * @return true for a PCI device
 */
bool pci_ids_parse(const char *bus_info, uint32_t *vendor_id, uint32_t *device_id);

#endif
