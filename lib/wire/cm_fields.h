/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_CM_FIELDS_H
#define NDPDK_WIRE_CM_FIELDS_H

/*
 * Fields of the CM messages, from the tables of IBTA vol 1, chapter 12.6:
 *
 *    FIELD(member of struct wire_cm_msg, byte, bit, width)
 *
 * byte: offset from the start of the CM message, which is byte 24 of the MAD. bit: most significant
 * bit of the field in that byte (7 = most significant bit of the byte). width: number of bits; a
 * field wider than 64 bits is an array of bytes. All other fields are reserved and sent as zero.
 */

#define WIRE_CM_REQ_FIELDS(FIELD)                                                                  \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(req.vendor_id, 5, 7, 24)                                                             \
	FIELD(req.service_id, 8, 7, 64)                                                            \
	FIELD(req.local_ca_guid, 16, 7, 64)                                                        \
	FIELD(req.local_qkey, 28, 7, 32)                                                           \
	FIELD(req.local_qpn, 32, 7, 24)                                                            \
	FIELD(req.responder_resources, 35, 7, 8)                                                   \
	FIELD(req.initiator_depth, 39, 7, 8)                                                       \
	FIELD(req.remote_cm_timeout, 43, 7, 5)                                                     \
	FIELD(req.transport_service, 43, 2, 2)                                                     \
	FIELD(req.flow_control, 43, 0, 1)                                                          \
	FIELD(req.starting_psn, 44, 7, 24)                                                         \
	FIELD(req.local_cm_timeout, 47, 7, 5)                                                      \
	FIELD(req.retry_count, 47, 2, 3)                                                           \
	FIELD(req.pkey, 48, 7, 16)                                                                 \
	FIELD(req.path_mtu, 50, 7, 4)                                                              \
	FIELD(req.rdc_exists, 50, 3, 1)                                                            \
	FIELD(req.rnr_retry_count, 50, 2, 3)                                                       \
	FIELD(req.max_cm_retries, 51, 7, 4)                                                        \
	FIELD(req.srq, 51, 3, 1)                                                                   \
	FIELD(req.extended_transport, 51, 2, 3)                                                    \
	FIELD(req.local_lid, 52, 7, 16)                                                            \
	FIELD(req.remote_lid, 54, 7, 16)                                                           \
	FIELD(req.local_gid, 56, 7, 128)                                                           \
	FIELD(req.remote_gid, 72, 7, 128)                                                          \
	FIELD(req.flow_label, 88, 7, 20)                                                           \
	FIELD(req.packet_rate, 91, 5, 6)                                                           \
	FIELD(req.traffic_class, 92, 7, 8)                                                         \
	FIELD(req.hop_limit, 93, 7, 8)                                                             \
	FIELD(req.service_level, 94, 7, 4)                                                         \
	FIELD(req.subnet_local, 94, 3, 1)                                                          \
	FIELD(req.ack_timeout, 95, 7, 5)                                                           \
	FIELD(req.alternate_local_lid, 96, 7, 16)                                                  \
	FIELD(private_data, 140, 7, 92 * 8)

#define WIRE_CM_MRA_FIELDS(FIELD)                                                                  \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(remote_comm_id, 4, 7, 32)                                                            \
	FIELD(mra.message, 8, 7, 2)                                                                \
	FIELD(mra.service_timeout, 9, 7, 5)                                                        \
	FIELD(private_data, 10, 7, 222 * 8)

#define WIRE_CM_REJ_FIELDS(FIELD)                                                                  \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(remote_comm_id, 4, 7, 32)                                                            \
	FIELD(rej.message, 8, 7, 2)                                                                \
	FIELD(rej.info_bytes, 9, 7, 7)                                                             \
	FIELD(rej.reason, 10, 7, 16)                                                               \
	FIELD(rej.info, 12, 7, 72 * 8)                                                             \
	FIELD(private_data, 84, 7, 148 * 8)

#define WIRE_CM_REP_FIELDS(FIELD)                                                                  \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(remote_comm_id, 4, 7, 32)                                                            \
	FIELD(rep.local_qkey, 8, 7, 32)                                                            \
	FIELD(rep.local_qpn, 12, 7, 24)                                                            \
	FIELD(rep.starting_psn, 20, 7, 24)                                                         \
	FIELD(rep.responder_resources, 24, 7, 8)                                                   \
	FIELD(rep.initiator_depth, 25, 7, 8)                                                       \
	FIELD(rep.target_ack_delay, 26, 7, 5)                                                      \
	FIELD(rep.failover, 26, 2, 2)                                                              \
	FIELD(rep.flow_control, 26, 0, 1)                                                          \
	FIELD(rep.rnr_retry_count, 27, 7, 3)                                                       \
	FIELD(rep.srq, 27, 4, 1)                                                                   \
	FIELD(rep.local_ca_guid, 28, 7, 64)                                                        \
	FIELD(private_data, 36, 7, 196 * 8)

#define WIRE_CM_RTU_FIELDS(FIELD)                                                                  \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(remote_comm_id, 4, 7, 32)                                                            \
	FIELD(private_data, 8, 7, 224 * 8)

#define WIRE_CM_DREQ_FIELDS(FIELD)                                                                 \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(remote_comm_id, 4, 7, 32)                                                            \
	FIELD(dreq.remote_qpn, 8, 7, 24)                                                           \
	FIELD(private_data, 12, 7, 220 * 8)

#define WIRE_CM_DREP_FIELDS(FIELD)                                                                 \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(remote_comm_id, 4, 7, 32)                                                            \
	FIELD(private_data, 8, 7, 224 * 8)

#define WIRE_CM_SIDR_REQ_FIELDS(FIELD)                                                             \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(sidr_req.pkey, 4, 7, 16)                                                             \
	FIELD(sidr_req.service_id, 8, 7, 64)                                                       \
	FIELD(private_data, 16, 7, 216 * 8)

#define WIRE_CM_SIDR_REP_FIELDS(FIELD)                                                             \
	FIELD(local_comm_id, 0, 7, 32)                                                             \
	FIELD(sidr_rep.status, 4, 7, 8)                                                            \
	FIELD(sidr_rep.info_bytes, 5, 7, 8)                                                        \
	FIELD(sidr_rep.qpn, 8, 7, 24)                                                              \
	FIELD(sidr_rep.service_id, 12, 7, 64)                                                      \
	FIELD(sidr_rep.qkey, 20, 7, 32)                                                            \
	FIELD(sidr_rep.info, 24, 7, 72 * 8)                                                        \
	FIELD(private_data, 96, 7, 136 * 8)

#endif
