/* rxetest: a scripted RC verbs peer over rdma_cm.
 *
 *   rxetest server [-p port] [-B addr] [-n conns] [-T ack_timeout] [-o tos] [-R rr] [-I id]
 *   rxetest client ADDR -S scenario [-p port] [-z size] [-c count] [-a arg] [...]
 *   rxetest list
 *
 * The client's CM private data names the scenario, so one server serves them all;
 * the server's private data names its buffer.  Layouts (big endian):
 *
 *   REQ  0 "RXT1"  4 u8 scenario  5 u8 0  6 u16 arg  8 u32 size  12 u32 count
 *        16 u64 client buffer  24 u32 client rkey  28 u32 client buffer length
 *        32 char name[12]                                               (44 bytes)
 *   REP  0 "RXT1"  4 u32 rkey  8 u64 buffer  16 u32 length  20 u32 0
 *        24 "ACCEPTED"                                                  (32 bytes)
 *   REJ  0 "RXT1"  4 "REJECTED-BY-USER"                                 (20 bytes)
 *
 * Byte i of the payload of operation k (from the client) is (31*k + i + (i >> 8)) & 255;
 * data that the server sources (its buffer before the connection) uses k = 200.
 * Each side prints one JSON line per connection, and one line per unexpected event. */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netdb.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

enum scenario {
    S_SEND, S_SENDIMM, S_PINGPONG, S_WRITE, S_WRITEIMM, S_READ, S_FADD, S_CSWAP,
    S_INLINE, S_MIXED, S_BIDIR, S_SOLICIT,
    S_MW2, S_MW2LINV, S_MW1, S_MWPERM, S_MWBOUND, S_SINVBAD,
    S_RNR, S_BADRKEY, S_OOB, S_NOPERM, S_QPPERM, S_LENERR,
    S_REJ, S_DEADQP, S_SRVDISC, S_N
};
static const struct { const char *name, *what; } scen[S_N] = {
    [S_SEND] = { "send", "count SENDs" },
    [S_SENDIMM] = { "sendimm", "count SENDs with immediate 0x1000+k" },
    [S_PINGPONG] = { "pingpong", "count SENDs, each echoed" },
    [S_WRITE] = { "write", "count RDMA WRITEs, then a 4-byte SEND" },
    [S_WRITEIMM] = { "writeimm", "count RDMA WRITEs with immediate 0x1000+k" },
    [S_READ] = { "read", "count RDMA READs, posted at once, then a 4-byte SEND" },
    [S_FADD] = { "fadd", "count FETCH_ADD of k+1, then a 4-byte SEND" },
    [S_CSWAP] = { "cswap", "count CMP_SWAP (every third compares unequal), then a 4-byte SEND" },
    [S_INLINE] = { "inline", "count of inline WRITE + inline SEND" },
    [S_MIXED] = { "mixed", "count rounds of WRITE READ FADD SEND WRITE_IMM SENDIMM READ CSWAP, posted back to back" },
    [S_BIDIR] = { "bidir", "both sides: count of WRITE READ SEND at once" },
    [S_SOLICIT] = { "solicit", "count SENDs, odd ones solicited" },
    [S_MW2] = { "mw2", "type 2 MW: WRITE x count + READ through it, SEND_WITH_INV, then a WRITE that must be NAKed" },
    [S_MW2LINV] = { "mw2linv", "type 2 MW: WRITE, SEND, server LOCAL_INV, then a READ that must be NAKed" },
    [S_MW1] = { "mw1", "type 1 MW: WRITE x count + READ through it, rebind elsewhere, old rkey must be NAKed" },
    [S_MWPERM] = { "mwperm", "type 2 MW with remote read only: READ works, WRITE must be NAKed" },
    [S_MWBOUND] = { "mwbound", "type 2 MW over half the buffer: WRITE inside it, then WRITE across its end (rxe 6.1 lets it pass: ok is false)" },
    [S_SINVBAD] = { "sinvbad", "SEND_WITH_INV of an rkey that does not exist" },
    [S_RNR] = { "rnr", "SENDs with no receive posted; server posts after arg ms (0: never)" },
    [S_BADRKEY] = { "badrkey", "op arg (0 WRITE 1 READ 2 FADD) with an rkey that does not exist" },
    [S_OOB] = { "oob", "op arg beyond the end of the region" },
    [S_NOPERM] = { "noperm", "op arg on a region registered without any remote access" },
    [S_QPPERM] = { "qpperm", "op arg on a QP whose access flags forbid it" },
    [S_LENERR] = { "lenerr", "SEND longer than the receive posted" },
    [S_REJ] = { "rej", "server calls rdma_reject with private data" },
    [S_DEADQP] = { "deadqp", "server destroys its QP; SEND ends in retry exceeded" },
    [S_SRVDISC] = { "srvdisc", "count SENDs, then the server disconnects" },
};

#define REQ_LEN 44
#define REP_LEN 32
#define BUFMAX (4u << 20)

static int opt_port = 7471, opt_conns = 1, opt_rr = 16, opt_id = 16, opt_retry = 7, opt_rnr = 7;
static int opt_ackto = -1, opt_tos = -1, opt_rnrtimer = -1, opt_gap, opt_depth = 16, opt_scen, opt_delay;
static uint32_t opt_size = 64, opt_count = 4, opt_arg;
static const char *opt_bind;

struct conn {
    struct rdma_cm_id *id;
    struct rdma_event_channel *ec;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_mr *mr, *rmr, *tmr; /* buf, recv buffer, region for `noperm` */
    struct ibv_mw *mw;
    uint8_t *buf, *rbuf;
    uint32_t buflen, rlen;
    enum scenario s;
    uint32_t size, count, arg;
    uint64_t raddr;
    uint32_t rrkey, rbuflen;
    uint32_t sq_posted, sq_done, rq_posted, rq_done;
    int bad, server, pdlen;
    uint32_t last_rlen, last_imm, last_inv;
    struct ibv_qp_attr a0;
};

static char js[1 << 16];
static size_t jn;
static void jadd(const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    if (jn < sizeof js - 512)
        jn += (size_t)vsnprintf(js + jn, sizeof js - jn, f, ap);
    va_end(ap);
}
static void die(const char *w)
{
    fprintf(stderr, "rxetest: %s: %s\n", w, strerror(errno));
    exit(1);
}
static uint8_t pat(uint32_t k, uint32_t i) { return (uint8_t)(31 * k + i + (i >> 8)); }
static void fill(uint8_t *p, uint32_t k, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        p[i] = pat(k, i);
}
static int check(const uint8_t *p, uint32_t k, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (p[i] != pat(k, i))
            return 0;
    return 1;
}
static void put32(uint8_t *p, uint32_t v) { v = htobe32(v); memcpy(p, &v, 4); }
static void put64(uint8_t *p, uint64_t v) { v = htobe64(v); memcpy(p, &v, 8); }
static uint32_t get32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return be32toh(v); }
static uint64_t get64(const uint8_t *p) { uint64_t v; memcpy(&v, p, 8); return be64toh(v); }
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct rdma_cm_event *next_event(struct conn *c, int ms)
{
    struct rdma_cm_event *e;
    struct pollfd p = { .fd = c->ec->fd, .events = POLLIN };
    if (poll(&p, 1, ms) <= 0)
        return NULL;
    if (rdma_get_cm_event(c->ec, &e))
        die("rdma_get_cm_event");
    return e;
}
static void want(struct conn *c, enum rdma_cm_event_type t)
{
    struct rdma_cm_event *e = next_event(c, 30000);
    if (!e) {
        fprintf(stderr, "rxetest: no event while waiting for %s\n", rdma_event_str(t));
        exit(1);
    }
    if (e->event != t) {
        fprintf(stderr, "rxetest: event %s status %d, wanted %s\n", rdma_event_str(e->event), e->status, rdma_event_str(t));
        printf("{\"role\":\"%s\",\"event\":\"%s\",\"status\":%d}\n", c->server ? "server" : "client", rdma_event_str(e->event), e->status);
        exit(1);
    }
    rdma_ack_cm_event(e);
}

static void setup(struct conn *c)
{
    uint32_t per = c->size > 8 ? c->size : 8;
    uint64_t n = (uint64_t)per * (c->count + 4) * (c->s == S_MIXED || c->s == S_BIDIR ? 4 : 1);
    c->buflen = n < 4096 ? 4096 : n > BUFMAX ? BUFMAX : (uint32_t)n;
    c->rlen = c->s == S_LENERR ? per / 2 : per;
    if (posix_memalign((void **)&c->buf, 4096, c->buflen + 4096) ||
        posix_memalign((void **)&c->rbuf, 4096, (size_t)c->rlen * 64 + 4096))
        die("memory");
    memset(c->rbuf, 0, (size_t)c->rlen * 64);
    fill(c->buf, c->server ? 200 : 0, c->buflen);
    if (c->server && (c->s == S_FADD || c->s == S_CSWAP))
        memset(c->buf, 0, c->buflen);
    c->pd = ibv_alloc_pd(c->id->verbs);
    c->cq = ibv_create_cq(c->id->verbs, 512, NULL, NULL, 0);
    if (!c->pd || !c->cq)
        die("pd/cq");
    int all = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    c->mr = ibv_reg_mr(c->pd, c->buf, c->buflen, all | IBV_ACCESS_MW_BIND);
    c->rmr = ibv_reg_mr(c->pd, c->rbuf, (size_t)c->rlen * 64, IBV_ACCESS_LOCAL_WRITE);
    if (!c->mr || !c->rmr)
        die("ibv_reg_mr");
    if (c->server && c->s == S_NOPERM) {
        c->tmr = ibv_reg_mr(c->pd, c->buf, c->buflen, IBV_ACCESS_LOCAL_WRITE);
        if (!c->tmr)
            die("ibv_reg_mr");
    }
    struct ibv_qp_init_attr a = {
        .send_cq = c->cq, .recv_cq = c->cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = 128, .max_recv_wr = 128, .max_send_sge = 2, .max_recv_sge = 2, .max_inline_data = 256 },
    };
    if (rdma_create_qp(c->id, c->pd, &a))
        die("rdma_create_qp");
    int fl = fcntl(c->id->verbs->async_fd, F_GETFL);
    fcntl(c->id->verbs->async_fd, F_SETFL, fl | O_NONBLOCK);
}

static void post_recv(struct conn *c)
{
    struct ibv_sge g = { (uintptr_t)(c->rbuf + (size_t)(c->rq_posted % 64) * c->rlen), c->rlen, c->rmr->lkey };
    struct ibv_recv_wr w = { .wr_id = (1ull << 32) | c->rq_posted, .sg_list = &g, .num_sge = 1 }, *b;
    if (ibv_post_recv(c->id->qp, &w, &b))
        die("ibv_post_recv");
    c->rq_posted++;
}

struct op {
    enum ibv_wr_opcode o;
    uint32_t off, len, k, imm, rkey;
    uint64_t raddr, a, b;
    int inl, se;
};
static const char *opname(enum ibv_wr_opcode o)
{
    static const char *n[] = {
        [IBV_WR_RDMA_WRITE] = "WRITE", [IBV_WR_RDMA_WRITE_WITH_IMM] = "WRITE_IMM", [IBV_WR_SEND] = "SEND",
        [IBV_WR_SEND_WITH_IMM] = "SEND_IMM", [IBV_WR_RDMA_READ] = "READ", [IBV_WR_ATOMIC_CMP_AND_SWP] = "CSWAP",
        [IBV_WR_ATOMIC_FETCH_AND_ADD] = "FADD", [IBV_WR_LOCAL_INV] = "LOCAL_INV", [IBV_WR_BIND_MW] = "BIND_MW",
        [IBV_WR_SEND_WITH_INV] = "SEND_INV" };
    return n[o];
}
static enum ibv_wr_opcode sq_op[4096];

static void post(struct conn *c, struct op p)
{
    struct ibv_sge g = { (uintptr_t)(c->buf + p.off), p.len, c->mr->lkey };
    struct ibv_send_wr w = { .wr_id = c->sq_posted, .sg_list = &g, .num_sge = 1, .opcode = p.o, .send_flags = IBV_SEND_SIGNALED }, *b;
    if (p.inl) w.send_flags |= IBV_SEND_INLINE;
    if (p.se) w.send_flags |= IBV_SEND_SOLICITED;
    switch (p.o) {
    case IBV_WR_SEND_WITH_IMM: w.imm_data = htobe32(p.imm); break;
    case IBV_WR_SEND_WITH_INV: w.invalidate_rkey = p.rkey; break;
    case IBV_WR_LOCAL_INV: w.invalidate_rkey = p.rkey; w.num_sge = 0; break;
    case IBV_WR_RDMA_WRITE_WITH_IMM: w.imm_data = htobe32(p.imm); /* fall through */
    case IBV_WR_RDMA_WRITE: case IBV_WR_RDMA_READ:
        w.wr.rdma.remote_addr = p.raddr; w.wr.rdma.rkey = p.rkey; break;
    case IBV_WR_ATOMIC_CMP_AND_SWP: case IBV_WR_ATOMIC_FETCH_AND_ADD:
        w.wr.atomic.remote_addr = p.raddr; w.wr.atomic.rkey = p.rkey; w.wr.atomic.compare_add = p.a; w.wr.atomic.swap = p.b; break;
    default: break;
    }
    sq_op[c->sq_posted % 4096] = p.o;
    if (ibv_post_send(c->id->qp, &w, &b))
        die("ibv_post_send");
    c->sq_posted++;
    if (opt_gap)
        usleep((useconds_t)opt_gap);
}

/* rxe 6.1 hands the kernel's IB_WC_WITH_INVALIDATE (1 << 2) to user space unchanged, where
 * that bit means IBV_WC_IP_CSUM_OK and IBV_WC_WITH_INV is 1 << 3. On RC either means the same. */
#define WITH_INV (IBV_WC_WITH_INV | IBV_WC_IP_CSUM_OK)
static uint32_t nwc;
/* Wait until `done` sends and `recv` receives completed, or an error, or ms passed. */
static int reap(struct conn *c, uint32_t done, uint32_t recv, int ms)
{
    double end = now() + ms / 1000.0;
    while ((int32_t)(done - c->sq_done) > 0 || (int32_t)(recv - c->rq_done) > 0) {
        struct ibv_wc w;
        int n = ibv_poll_cq(c->cq, 1, &w);
        if (n < 0)
            die("ibv_poll_cq");
        if (n == 0) {
            struct pollfd ev = { .fd = c->ec->fd, .events = POLLIN };
            if (now() > end || (c->server && poll(&ev, 1, 0) > 0))
                return -1; /* out of time, or the client is gone */
            if (ms > 1000)
                usleep(20);
            continue;
        }
        int isrecv = (int)(w.wr_id >> 32);
        if (w.status != IBV_WC_SUCCESS || nwc < 40) {
            jadd("%s[\"%s\",\"%s\"", nwc ? "," : "", isrecv ? "RECV" : opname(sq_op[w.wr_id % 4096]), ibv_wc_status_str(w.status));
            if (w.status == IBV_WC_SUCCESS && isrecv) {
                jadd(",%u", w.byte_len);
                if (w.wc_flags & IBV_WC_WITH_IMM) jadd(",\"imm=0x%x\"", be32toh(w.imm_data));
                if (w.wc_flags & WITH_INV) jadd(",\"inv=0x%x\"", w.invalidated_rkey);
            }
            jadd("]");
            nwc++;
        }
        if (isrecv) c->rq_done++; else c->sq_done++;
        if (w.status != IBV_WC_SUCCESS) {
            c->bad = 1;
            return -1;
        }
        if (isrecv) {
            c->last_rlen = w.byte_len;
            if (w.wc_flags & IBV_WC_WITH_IMM) c->last_imm = be32toh(w.imm_data);
            if (w.wc_flags & WITH_INV) c->last_inv = w.invalidated_rkey;
        }
    }
    return 0;
}
static int room(struct conn *c) { return c->sq_posted - c->sq_done < (uint32_t)opt_depth ? 0 : reap(c, c->sq_posted - (uint32_t)opt_depth + 1, 0, 60000); }
static int drain(struct conn *c) { return reap(c, c->sq_posted, 0, 60000); }
static uint8_t *rmsg(struct conn *c) { return c->rbuf + (size_t)((c->rq_done - 1) % 64) * c->rlen; }
static uint32_t slot(struct conn *c, uint32_t k)
{
    uint32_t per = (c->size + 7) & ~7u, n = per ? c->buflen / per : 1;
    return n ? per * (k % n) : 0;
}
static void say(struct conn *c, uint32_t v) /* a 4-byte SEND (at most 8) */
{
    uint32_t off = c->buflen - 8;
    put32(c->buf + off, v);
    post(c, (struct op){ .o = IBV_WR_SEND, .off = off, .len = 4 });
}

static void common(struct conn *c)
{
    struct ibv_qp_init_attr ia;
    if (ibv_query_qp(c->id->qp, &c->a0, IBV_QP_PATH_MTU | IBV_QP_AV | IBV_QP_TIMEOUT, &ia))
        die("ibv_query_qp");
    struct ibv_qp_attr *a = &c->a0;
    jadd("{\"role\":\"%s\",\"scenario\":\"%s\",\"size\":%u,\"count\":%u,\"arg\":%u,\"qpn\":%u,\"dest_qpn\":%u,\"path_mtu\":%d,"
         "\"sq_psn\":%u,\"rq_psn\":%u,\"timeout\":%u,\"retry_cnt\":%u,\"rnr_retry\":%u,\"min_rnr_timer\":%u,"
         "\"max_rd_atomic\":%u,\"max_dest_rd_atomic\":%u,\"addr\":\"0x%llx\",\"rkey\":\"0x%x\",\"len\":%u,"
         "\"hop_limit\":%u,\"traffic_class\":%u,\"private_data_len\":%d,\"wc\":[",
         c->server ? "server" : "client", scen[c->s].name, c->size, c->count, c->arg, c->id->qp->qp_num, a->dest_qp_num,
         128 << a->path_mtu, a->sq_psn & 0xffffff, a->rq_psn & 0xffffff, a->timeout, a->retry_cnt, a->rnr_retry, a->min_rnr_timer,
         a->max_rd_atomic, a->max_dest_rd_atomic, (unsigned long long)(uintptr_t)c->buf, c->mr->rkey, c->buflen,
         a->ah_attr.grh.hop_limit, a->ah_attr.grh.traffic_class, c->pdlen);
}
static void finish(struct conn *c, int ok)
{
    struct ibv_async_event ev;
    jadd("],\"async\":[");
    for (int n = 0; ibv_get_async_event(c->id->verbs, &ev) == 0; n++) {
        jadd("%s\"%s\"", n ? "," : "", ibv_event_type_str(ev.event_type));
        ibv_ack_async_event(&ev);
    }
    jadd("],\"ok\":%s}", ok ? "true" : "false");
    puts(js);
    fflush(stdout);
    jn = 0;
    nwc = 0;
}
static void teardown(struct conn *c)
{
    if (c->mw) ibv_dealloc_mw(c->mw);
    if (c->id->qp) rdma_destroy_qp(c->id);
    if (c->cq) ibv_destroy_cq(c->cq);
    if (c->tmr) ibv_dereg_mr(c->tmr);
    if (c->rmr) ibv_dereg_mr(c->rmr);
    if (c->mr) ibv_dereg_mr(c->mr);
    if (c->pd) ibv_dealloc_pd(c->pd);
    free(c->buf);
    free(c->rbuf);
    rdma_destroy_id(c->id);
}
static void options(struct rdma_cm_id *id)
{
    uint8_t v;
    if (opt_ackto >= 0) {
        v = (uint8_t)opt_ackto;
        if (rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &v, 1)) perror("rxetest: ack timeout");
    }
    if (opt_tos >= 0) {
        v = (uint8_t)opt_tos;
        if (rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &v, 1)) perror("rxetest: tos");
    }
}

/* ------------------------------------------------------------------ server */
static int bind_mw(struct conn *c, int type, uint32_t off, uint32_t len, int access)
{
    struct ibv_mw_bind_info bi = { c->mr, (uintptr_t)(c->buf + off), len, (unsigned)access };
    if (!c->mw && !(c->mw = ibv_alloc_mw(c->pd, type == 1 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2)))
        die("ibv_alloc_mw");
    sq_op[c->sq_posted % 4096] = IBV_WR_BIND_MW;
    if (type == 1) {
        struct ibv_mw_bind b = { .wr_id = c->sq_posted, .send_flags = IBV_SEND_SIGNALED, .bind_info = bi };
        if (ibv_bind_mw(c->id->qp, c->mw, &b))
            die("ibv_bind_mw");
    } else {
        struct ibv_send_wr w = { .wr_id = c->sq_posted, .opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED }, *b;
        w.bind_mw.mw = c->mw;
        w.bind_mw.rkey = ibv_inc_rkey(c->mw->rkey);
        w.bind_mw.bind_info = bi;
        if (ibv_post_send(c->id->qp, &w, &b))
            die("bind post");
        c->mw->rkey = w.bind_mw.rkey;
    }
    c->sq_posted++;
    return drain(c);
}
static int is_error(enum scenario s) { return s == S_SINVBAD || (s >= S_BADRKEY && s <= S_LENERR) || s == S_DEADQP; }

static int server_run(struct conn *c)
{
    int ok = 1, all = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    uint32_t k, n = c->count;
    switch (c->s) {
    case S_SEND: case S_SENDIMM: case S_SOLICIT: case S_SRVDISC:
        for (k = 0; k < n; k++) {
            if (reap(c, 0, k + 1, 60000)) return 0;
            ok &= c->last_rlen == c->size && check(rmsg(c), k, c->size);
            if (c->s == S_SENDIMM) ok &= c->last_imm == 0x1000 + k;
            if (c->rq_posted < n) post_recv(c);
        }
        if (c->s == S_SRVDISC) rdma_disconnect(c->id);
        return ok;
    case S_PINGPONG:
        for (k = 0; k < n; k++) {
            if (reap(c, 0, k + 1, 60000)) return 0;
            ok &= check(rmsg(c), k, c->size);
            memcpy(c->buf, rmsg(c), c->size);
            if (c->rq_posted < n) post_recv(c);
            post(c, (struct op){ .o = IBV_WR_SEND, .len = c->size });
            if (drain(c)) return 0;
        }
        return ok;
    case S_WRITE: case S_READ: case S_FADD: case S_CSWAP:
        if (reap(c, 0, 1, 120000)) return 0;
        if (c->s == S_WRITE)
            for (k = n > 8 ? n - 8 : 0; k < n; k++) ok &= check(c->buf + slot(c, k), k, c->size);
        if (c->s == S_FADD) {
            uint64_t v;
            memcpy(&v, c->buf, 8);
            ok &= v == (uint64_t)n * (n + 1) / 2;
        }
        return ok;
    case S_WRITEIMM:
        for (k = 0; k < n; k++) {
            if (reap(c, 0, k + 1, 60000)) return 0;
            ok &= c->last_imm == 0x1000 + k && c->last_rlen == c->size && check(c->buf + slot(c, k), k, c->size);
            if (c->rq_posted < n) post_recv(c);
        }
        return ok;
    case S_INLINE:
        for (k = 0; k < n; k++) {
            if (reap(c, 0, k + 1, 60000)) return 0;
            ok &= check(rmsg(c), k, c->size) && check(c->buf + slot(c, k), k, c->size);
            if (c->rq_posted < n) post_recv(c);
        }
        return ok;
    case S_MIXED:
        return reap(c, 0, 3 * n, 120000) == 0;
    case S_BIDIR:
        for (k = 0; k < n; k++) {
            if (room(c)) return 0;
            fill(c->buf + slot(c, k), 100 + k, c->size);
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE, .off = slot(c, k), .len = c->size, .raddr = c->raddr + c->rbuflen / 2, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_RDMA_READ, .off = c->buflen / 2, .len = c->size, .raddr = c->raddr, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_SEND, .off = slot(c, k), .len = c->size });
        }
        return reap(c, c->sq_posted, n, 120000) == 0;
    case S_MW2: case S_MW2LINV: case S_MW1: case S_MWPERM: case S_MWBOUND: {
        uint32_t len = c->s == S_MWBOUND ? c->buflen / 2 : c->buflen;
        if (bind_mw(c, c->s == S_MW1 ? 1 : 2, 0, len, c->s == S_MWPERM ? IBV_ACCESS_REMOTE_READ : all)) return 0;
        jadd(",[\"mw_rkey\",\"0x%x\"]", c->mw->rkey);
        say(c, c->mw->rkey);
        if (drain(c)) return 0;
        if (c->s == S_MWPERM || c->s == S_MWBOUND) return 1;
        if (reap(c, 0, 1, 60000)) return 0;
        for (k = 0; k < n; k++) ok &= check(c->buf + slot(c, k), k, c->size);
        if (c->s == S_MW2) return ok && c->last_inv == c->mw->rkey;
        if (c->s == S_MW2LINV) post(c, (struct op){ .o = IBV_WR_LOCAL_INV, .rkey = c->mw->rkey });
        if (c->s == S_MW1 && bind_mw(c, 1, 0, 64, all)) return 0;
        if (c->s == S_MW1) jadd(",[\"mw_rkey\",\"0x%x\"]", c->mw->rkey);
        say(c, 0x600d);
        if (drain(c)) return 0;
        return ok;
    }
    case S_RNR:
        if (c->arg == 0) return 1;
        usleep(c->arg * 1000);
        for (k = 0; k < n; k++) post_recv(c);
        for (k = 0; k < n; k++) {
            if (reap(c, 0, k + 1, 60000)) return 0;
            ok &= check(rmsg(c), k, c->size);
        }
        return ok;
    case S_DEADQP:
        rdma_destroy_qp(c->id);
        return 1;
    default:
        return 1;
    }
}

static void serve(struct conn *c, struct rdma_conn_param *rp)
{
    const uint8_t *q = rp->private_data;
    uint8_t rep[REP_LEN] = "RXT1";
    if (rp->private_data_len < REQ_LEN || memcmp(q, "RXT1", 4) || q[4] >= S_N) {
        fprintf(stderr, "rxetest: REQ without our private data (%d bytes)\n", rp->private_data_len);
        rdma_reject(c->id, "RXT1BAD-PRIVATE-DATA", 20);
        return;
    }
    c->server = 1;
    c->pdlen = rp->private_data_len;
    c->s = q[4];
    c->arg = (uint32_t)q[6] << 8 | q[7];
    c->size = get32(q + 8);
    c->count = get32(q + 12);
    c->raddr = get64(q + 16);
    c->rrkey = get32(q + 24);
    c->rbuflen = get32(q + 28);
    uint32_t peer_id = rp->initiator_depth, peer_rr = rp->responder_resources, rnr = rp->rnr_retry_count;
    if (c->size > 1u << 20 || c->count > 2000) {
        rdma_reject(c->id, "RXT1TOO-BIG", 11);
        return;
    }
    if (c->s == S_REJ) {
        rdma_reject(c->id, "RXT1REJECTED-BY-USER", 20);
        printf("{\"role\":\"server\",\"scenario\":\"rej\",\"rejected\":true,\"ok\":true}\n");
        fflush(stdout);
        return;
    }
    usleep((useconds_t)opt_delay * 1000);
    options(c->id);
    setup(c);
    if (c->s != S_RNR) {
        uint32_t nr = c->s == S_MIXED ? 3 * c->count : c->s == S_LENERR || c->count < 1 ? 1 : c->count;
        for (uint32_t i = 0; i < nr && i < 48; i++)
            post_recv(c);
    }
    put32(rep + 4, c->s == S_NOPERM ? c->tmr->rkey : c->mr->rkey);
    put64(rep + 8, (uintptr_t)c->buf);
    put32(rep + 16, c->buflen);
    memcpy(rep + 24, "ACCEPTED", 8);
    struct rdma_conn_param ap = {
        .private_data = rep, .private_data_len = REP_LEN, .flow_control = 1, .rnr_retry_count = (uint8_t)rnr,
        .responder_resources = (uint8_t)(peer_id < (uint32_t)opt_rr ? peer_id : (uint32_t)opt_rr),
        .initiator_depth = (uint8_t)(peer_rr < (uint32_t)opt_id ? peer_rr : (uint32_t)opt_id),
    };
    if (rdma_accept(c->id, &ap))
        die("rdma_accept");
    want(c, RDMA_CM_EVENT_ESTABLISHED);
    if (opt_rnrtimer >= 0) {
        struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTS, .min_rnr_timer = (uint8_t)opt_rnrtimer };
        if (ibv_modify_qp(c->id->qp, &a, IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER)) perror("rxetest: min_rnr_timer");
    }
    if (c->s == S_QPPERM) {
        struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTS, .qp_access_flags = IBV_ACCESS_LOCAL_WRITE };
        if (ibv_modify_qp(c->id->qp, &a, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS)) perror("rxetest: access flags");
    }
    if (c->s != S_DEADQP)
        common(c);
    else
        jadd("{\"role\":\"server\",\"scenario\":\"deadqp\",\"qpn\":%u,\"wc\":[", c->id->qp->qp_num);
    int ok = server_run(c);
    /* stay until the client disconnects; collect what completes meanwhile */
    double end = now() + 120;
    struct rdma_cm_event *e = NULL;
    while (now() < end && !e) {
        e = next_event(c, 5);
        if (!e && c->id->qp && !c->bad)
            reap(c, c->sq_done + 1, 0, 0);
        if (e && e->event != RDMA_CM_EVENT_DISCONNECTED) {
            fprintf(stderr, "rxetest: event %s\n", rdma_event_str(e->event));
            rdma_ack_cm_event(e);
            e = NULL;
        }
    }
    if (e)
        rdma_ack_cm_event(e);
    if (c->s != S_SRVDISC)
        rdma_disconnect(c->id);
    finish(c, ok && e);
}

static struct addrinfo *resolve(const char *host)
{
    char port[16];
    struct addrinfo h = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = host ? 0 : AI_PASSIVE }, *r;
    snprintf(port, sizeof port, "%d", opt_port);
    if (!host)
        h.ai_family = AF_INET6;
    if (getaddrinfo(host, port, &h, &r)) {
        fprintf(stderr, "rxetest: cannot resolve %s\n", host);
        exit(1);
    }
    return r;
}

static int server(void)
{
    struct conn c0 = { .server = 1 };
    struct rdma_cm_id *l;
    if (!(c0.ec = rdma_create_event_channel()) || rdma_create_id(c0.ec, &l, NULL, RDMA_PS_TCP))
        die("rdma_create_id");
    options(l);
    if (rdma_bind_addr(l, resolve(opt_bind)->ai_addr))
        die("rdma_bind_addr");
    if (rdma_listen(l, 16))
        die("rdma_listen");
    fprintf(stderr, "rxetest: listening on %d\n", opt_port);
    for (int i = 0; opt_conns <= 0 || i < opt_conns; i++) {
        struct conn c = c0;
        struct rdma_cm_event *e;
        alarm(opt_conns <= 0 ? 0 : 240);
        while ((e = next_event(&c, -1))->event != RDMA_CM_EVENT_CONNECT_REQUEST) {
            fprintf(stderr, "rxetest: event %s\n", rdma_event_str(e->event));
            rdma_ack_cm_event(e);
        }
        c.id = e->id;
        struct rdma_event_channel *ec = rdma_create_event_channel();
        struct rdma_conn_param rp = e->param.conn;
        uint8_t pd[256];
        memcpy(pd, e->param.conn.private_data, e->param.conn.private_data_len);
        rp.private_data = pd;
        rdma_ack_cm_event(e);
        if (rdma_migrate_id(c.id, ec))
            die("rdma_migrate_id");
        c.ec = ec;
        serve(&c, &rp);
        teardown(&c);
        rdma_destroy_event_channel(ec);
    }
    return 0;
}

/* ------------------------------------------------------------------ client */
static int client_run(struct conn *c)
{
    uint32_t k, n = c->count, sz = c->size, ack = 0;
    int ok = 1;
    struct op bad = { .off = 0, .len = sz, .raddr = c->raddr, .rkey = c->rrkey, .a = 1 };
    static const enum ibv_wr_opcode ops[] = { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD };

    switch (c->s) {
    case S_SEND: case S_SENDIMM: case S_SOLICIT: case S_RNR: case S_SRVDISC: case S_LENERR: case S_DEADQP:
        for (k = 0; k < n; k++) {
            if (room(c)) return c->bad && (c->s == S_RNR || is_error(c->s));
            fill(c->buf + slot(c, k), k, sz);
            post(c, (struct op){ .o = c->s == S_SENDIMM ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND, .off = slot(c, k), .len = sz, .imm = 0x1000 + k, .se = c->s == S_SOLICIT && (k & 1) });
        }
        ok = drain(c) == 0;
        if (is_error(c->s) || (c->s == S_RNR && c->arg == 0)) ok = c->bad;
        return ok;
    case S_PINGPONG:
        for (k = 0; k < n; k++) {
            fill(c->buf, k, sz);
            if (c->rq_posted < n) post_recv(c);
            post(c, (struct op){ .o = IBV_WR_SEND, .len = sz });
            if (reap(c, c->sq_posted, k + 1, 60000)) return 0;
            ok &= check(rmsg(c), k, sz);
        }
        return ok;
    case S_WRITE: case S_WRITEIMM:
        for (k = 0; k < n; k++) {
            if (room(c)) return 0;
            fill(c->buf + slot(c, k), k, sz);
            post(c, (struct op){ .o = c->s == S_WRITE ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_WRITE_WITH_IMM, .off = slot(c, k), .len = sz, .raddr = c->raddr + slot(c, k), .rkey = c->rrkey, .imm = 0x1000 + k });
        }
        if (c->s == S_WRITE) say(c, 0xd0e);
        return drain(c) == 0;
    case S_READ:
        for (k = 0; k < n; k++) {
            if (room(c)) return 0;
            post(c, (struct op){ .o = IBV_WR_RDMA_READ, .off = slot(c, k), .len = sz, .raddr = c->raddr, .rkey = c->rrkey });
        }
        if (drain(c)) return 0;
        for (k = 0; k < n; k++) ok &= check(c->buf + slot(c, k), 200, sz);
        say(c, 0xd0e);
        return drain(c) == 0 && ok;
    case S_FADD: case S_CSWAP: {
        uint64_t cur = 0, v;
        for (k = 0; k < n; k++) {
            struct op p = { .o = c->s == S_FADD ? IBV_WR_ATOMIC_FETCH_AND_ADD : IBV_WR_ATOMIC_CMP_AND_SWP, .off = 0, .len = 8, .raddr = c->raddr, .rkey = c->rrkey, .a = k + 1 };
            uint64_t nv = cur + k + 1;
            if (c->s == S_CSWAP) {
                p.a = k % 3 == 2 ? cur + 99 : cur;
                p.b = 0x1122334455660000ull + k;
                nv = p.a == cur ? p.b : cur;
            }
            post(c, p);
            if (drain(c)) return 0;
            memcpy(&v, c->buf, 8);
            ok &= v == cur;
            cur = nv;
        }
        say(c, 0xd0e);
        return drain(c) == 0 && ok;
    }
    case S_INLINE:
        for (k = 0; k < n; k++) {
            if (room(c)) return 0;
            fill(c->buf + slot(c, k), k, sz);
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE, .inl = 1, .off = slot(c, k), .len = sz, .raddr = c->raddr + slot(c, k), .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_SEND, .inl = 1, .off = slot(c, k), .len = sz });
        }
        return drain(c) == 0;
    case S_MIXED:
        for (k = 0; k < n; k++) {
            uint32_t o = slot(c, k), h = c->buflen / 2;
            while (c->sq_posted - c->sq_done > 100) if (reap(c, c->sq_done + 1, 0, 60000)) return 0;
            fill(c->buf + o, k, sz);
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE, .off = o, .len = sz, .raddr = c->raddr + 64 + o, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_RDMA_READ, .off = h, .len = sz, .raddr = c->raddr + 64 + o, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_ATOMIC_FETCH_AND_ADD, .off = c->buflen - 64, .len = 8, .raddr = c->raddr, .rkey = c->rrkey, .a = 1 });
            post(c, (struct op){ .o = IBV_WR_SEND, .off = o, .len = sz });
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE_WITH_IMM, .off = o, .len = sz, .raddr = c->raddr + 64 + o, .rkey = c->rrkey, .imm = 0x2000 + k });
            post(c, (struct op){ .o = IBV_WR_SEND_WITH_IMM, .off = o, .len = sz, .imm = 0x3000 + k, .se = 1 });
            post(c, (struct op){ .o = IBV_WR_RDMA_READ, .off = h, .len = sz, .raddr = c->raddr + 64 + o, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_ATOMIC_CMP_AND_SWP, .off = c->buflen - 56, .len = 8, .raddr = c->raddr + 8, .rkey = c->rrkey, .a = k, .b = k + 1 });
        }
        return drain(c) == 0;
    case S_BIDIR:
        for (k = 0; k < n; k++) {
            if (room(c)) return 0;
            fill(c->buf + slot(c, k), k, sz);
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE, .off = slot(c, k), .len = sz, .raddr = c->raddr + c->rbuflen / 2, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_RDMA_READ, .off = c->buflen / 2, .len = sz, .raddr = c->raddr, .rkey = c->rrkey });
            post(c, (struct op){ .o = IBV_WR_SEND, .off = slot(c, k), .len = sz });
        }
        return reap(c, c->sq_posted, n, 120000) == 0;
    case S_MW2: case S_MW2LINV: case S_MW1: case S_MWPERM: case S_MWBOUND: {
        uint32_t key;
        if (reap(c, 0, 1, 60000)) return 0;
        key = get32(rmsg(c));
        jadd(",[\"mw_rkey\",\"0x%x\"]", key);
        for (k = 0; k < n && c->s != S_MWPERM; k++) {
            if (room(c)) return 0;
            fill(c->buf + slot(c, k), k, sz);
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE, .off = slot(c, k), .len = sz, .raddr = c->raddr + slot(c, k), .rkey = key });
        }
        post(c, (struct op){ .o = IBV_WR_RDMA_READ, .off = c->buflen - c->size - 8, .len = sz, .raddr = c->raddr, .rkey = key });
        if (drain(c)) return 0;
        bad.rkey = key;
        bad.o = c->s == S_MW2LINV ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE;
        if (c->s == S_MW2) {
            post(c, (struct op){ .o = IBV_WR_SEND_WITH_INV, .off = 0, .len = 8, .rkey = key });
        } else if (c->s == S_MW2LINV || c->s == S_MW1) {
            say(c, 0x90);
            ack = 2;
        } else if (c->s == S_MWBOUND) {
            bad.raddr += c->rbuflen / 2 - sz + 1;
        }
        if (reap(c, c->sq_posted, ack, 60000)) return 0;
        post(c, bad);
        drain(c);
        return c->bad;
    }
    case S_SINVBAD:
        post(c, (struct op){ .o = IBV_WR_SEND_WITH_INV, .off = 0, .len = sz, .rkey = 0x7fff12 });
        reap(c, c->sq_posted, 0, 20000);
        return 1;
    case S_BADRKEY: case S_OOB: case S_NOPERM: case S_QPPERM:
        bad.o = ops[c->arg % 3];
        if (bad.o == IBV_WR_ATOMIC_FETCH_AND_ADD) bad.len = 8;
        if (c->s == S_BADRKEY) bad.rkey = c->rrkey ^ 0x5a;
        if (c->s == S_OOB) bad.raddr = c->raddr + c->rbuflen - bad.len + 8;
        if (c->s != S_QPPERM && c->s != S_NOPERM)
            post(c, (struct op){ .o = IBV_WR_RDMA_WRITE, .off = 0, .len = sz, .raddr = c->raddr, .rkey = c->rrkey });
        if (drain(c)) return 0;
        post(c, bad);
        post(c, (struct op){ .o = IBV_WR_SEND, .off = 0, .len = sz }); /* must be flushed */
        drain(c);
        return c->bad;
    default:
        return 0;
    }
}

static int client(const char *host)
{
    struct conn c = { .size = opt_size, .count = opt_count, .arg = opt_arg };
    struct rdma_cm_event *e;
    uint8_t req[REQ_LEN] = "RXT1";
    c.s = (enum scenario)opt_scen;
    if (!(c.ec = rdma_create_event_channel()) || rdma_create_id(c.ec, &c.id, NULL, RDMA_PS_TCP))
        die("rdma_create_id");
    options(c.id);
    struct addrinfo *bind = opt_bind ? resolve(opt_bind) : NULL;
    if (bind) {
        if (bind->ai_family == AF_INET) ((struct sockaddr_in *)bind->ai_addr)->sin_port = 0;
        else ((struct sockaddr_in6 *)bind->ai_addr)->sin6_port = 0;
    }
    if (rdma_resolve_addr(c.id, bind ? bind->ai_addr : NULL, resolve(host)->ai_addr, 5000))
        die("rdma_resolve_addr");
    want(&c, RDMA_CM_EVENT_ADDR_RESOLVED);
    if (rdma_resolve_route(c.id, 5000))
        die("rdma_resolve_route");
    want(&c, RDMA_CM_EVENT_ROUTE_RESOLVED);
    setup(&c);
    if (c.s == S_BIDIR || (c.s >= S_MW2 && c.s <= S_MWBOUND) || c.s == S_PINGPONG)
        for (uint32_t i = 0; i < (c.s == S_BIDIR ? c.count : c.s == S_PINGPONG ? 1 : 2) && i < 48; i++)
            post_recv(&c);
    req[4] = (uint8_t)c.s;
    req[6] = (uint8_t)(c.arg >> 8);
    req[7] = (uint8_t)c.arg;
    put32(req + 8, c.size);
    put32(req + 12, c.count);
    put64(req + 16, (uintptr_t)c.buf);
    put32(req + 24, c.mr->rkey);
    put32(req + 28, c.buflen);
    memcpy(req + 32, scen[c.s].name, strlen(scen[c.s].name));
    struct rdma_conn_param cp = {
        .private_data = req, .private_data_len = REQ_LEN, .responder_resources = (uint8_t)opt_rr, .initiator_depth = (uint8_t)opt_id,
        .flow_control = 1, .retry_count = (uint8_t)opt_retry, .rnr_retry_count = (uint8_t)opt_rnr,
    };
    if (rdma_connect(c.id, &cp))
        die("rdma_connect");
    if (!(e = next_event(&c, 60000)))
        die("no answer to connect");
    if (e->event != RDMA_CM_EVENT_ESTABLISHED) {
        int ok = e->event == RDMA_CM_EVENT_REJECTED && (c.s == S_REJ || opt_arg == 0xdead);
        printf("{\"role\":\"client\",\"scenario\":\"%s\",\"qpn\":%u,\"event\":\"%s\",\"status\":%d,\"private_data_len\":%d,\"private_data\":\"", scen[c.s].name, c.id->qp->qp_num,
               rdma_event_str(e->event), e->status, e->param.conn.private_data_len);
        const uint8_t *p = e->param.conn.private_data;
        for (int i = 0; p && i < e->param.conn.private_data_len && i < 148; i++)
            printf("%02x", p[i]);
        printf("\",\"ok\":%s}\n", ok ? "true" : "false");
        rdma_ack_cm_event(e);
        teardown(&c);
        return !ok;
    }
    const uint8_t *q = e->param.conn.private_data;
    if (e->param.conn.private_data_len < REP_LEN || memcmp(q, "RXT1", 4)) {
        fprintf(stderr, "rxetest: REP without our private data\n");
        return 1;
    }
    c.pdlen = e->param.conn.private_data_len;
    c.rrkey = get32(q + 4);
    c.raddr = get64(q + 8);
    c.rbuflen = get32(q + 16);
    rdma_ack_cm_event(e);
    common(&c);
    if (c.s == S_DEADQP)
        sleep(1);
    if (c.s == S_QPPERM || opt_rnrtimer >= 0)
        usleep(100000); /* let the server finish changing its QP */
    double t0 = now();
    int ok = client_run(&c);
    double dt = now() - t0;
    if (c.s == S_SRVDISC) {
        want(&c, RDMA_CM_EVENT_DISCONNECTED);
        rdma_disconnect(c.id);
    } else {
        rdma_disconnect(c.id);
        e = next_event(&c, 60000);
        if (e && e->event != RDMA_CM_EVENT_DISCONNECTED)
            fprintf(stderr, "rxetest: event %s\n", rdma_event_str(e->event));
        if (e)
            rdma_ack_cm_event(e);
    }
    jadd("],\"seconds\":%.4f,\"x\":[", dt);
    finish(&c, ok);
    teardown(&c);
    return !ok;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "", *host = NULL;
    int o, i, have = 0;
    if (!strcmp(mode, "list")) {
        for (i = 0; i < S_N; i++)
            printf("%2d %-10s %s\n", i, scen[i].name, scen[i].what);
        return 0;
    }
    argc--;
    argv++;
    if (!strcmp(mode, "client") && argc > 1) {
        host = argv[1];
        argc--;
        argv++;
    } else if (strcmp(mode, "server")) {
        fprintf(stderr, "usage: rxetest server [opts] | client ADDR -S scenario [opts] | list\n"
                        " -p port -B bind -n conns -z size -c count -a arg -d depth -g gap_us -D accept_delay_ms\n"
                        " -T ack_timeout -o tos -r retry_cnt -N rnr_retry -M min_rnr_timer -R resp_res -I init_depth\n");
        return 2;
    }
    while ((o = getopt(argc, argv, "p:B:n:S:z:c:a:T:o:r:N:M:R:I:g:d:D:")) != -1) {
        unsigned long v = optarg ? strtoul(optarg, NULL, 0) : 0;
        switch (o) {
        case 'p': opt_port = (int)v; break;
        case 'B': opt_bind = optarg; break;
        case 'n': opt_conns = (int)v; break;
        case 'z': opt_size = (uint32_t)v; break;
        case 'c': opt_count = (uint32_t)v; break;
        case 'a': opt_arg = (uint32_t)v; break;
        case 'T': opt_ackto = (int)v; break;
        case 'o': opt_tos = (int)v; break;
        case 'r': opt_retry = (int)v; break;
        case 'N': opt_rnr = (int)v; break;
        case 'M': opt_rnrtimer = (int)v; break;
        case 'R': opt_rr = (int)v; break;
        case 'I': opt_id = (int)v; break;
        case 'g': opt_gap = (int)v; break;
        case 'D': opt_delay = (int)v; break;
        case 'd': opt_depth = (int)v; break;
        case 'S':
            for (i = 0; i < S_N; i++)
                if (!strcmp(optarg, scen[i].name)) {
                    opt_scen = i;
                    have = 1;
                }
            if (!have) {
                fprintf(stderr, "rxetest: no scenario %s\n", optarg);
                return 2;
            }
            break;
        default: return 2;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (host && !have) {
        fprintf(stderr, "rxetest: -S is missing\n");
        return 2;
    }
    return host ? client(host) : server();
}
