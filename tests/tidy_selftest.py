#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test that tidy.py can fail: run it on small offences and check that each is found.

Every case is a small clean tree with added or changed files, and the (path, line) at which exactly
one rule must report an offence, and no other rule.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rules  # noqa: E402
import tidy  # noqa: E402

LICENCE = "/* %s */\n/* %s */\n" % (tidy.SPDX, tidy.COPYRIGHT)
MESON = "# %s\n# %s\n" % (tidy.SPDX, tidy.COPYRIGHT)


def source(*lines):
    return LICENCE + "\n".join(lines) + "\n"


def header(guard, *lines):
    return source("#ifndef " + guard, "#define " + guard, *lines, "#endif")


def function(name, body_lines, parameters="void"):
    return ["void", "%s(%s)" % (name, parameters), "{"] + ["\tstep();"] * body_lines + ["}"]


def rules_document(*rows):
    """Return a document with two rules and a table with these rows."""
    table = ["| rule | code | tests |", "| --- | --- | --- |", *rows]
    return "* **RC-001** a rule. Not built: here.\n* **RC-002** another. No test: x\n%s%s\n%s" % (
        rules.TABLE_BEGIN,
        "\n".join(table),
        rules.TABLE_END,
    )


PARAMETERS_6 = "int a, int b, int c, int d, int (*e)(int, int), int f"
PARAMETERS_7 = PARAMETERS_6 + ", int g"

# A tree without offences. It contains text that a naive check would report: banned words in
# comments and strings, a function with exactly the maximum length, and a ternary and a label that
# look like bit-fields.
CLEAN = {
    "lib/base/meson.build": MESON + "base_sources = files('psn.c')\n",
    "lib/base/psn.h": header("NDPDK_BASE_PSN_H", "#include <stdint.h>", "void psn_check(void);"),
    "lib/base/psn.c": source(
        '#include "base/psn.h"',
        "/* no printf( or volatile here, sprintf(x) is in a comment */",
        'static const char text[] = "strcpy(a, b) // volatile";',
        *function("psn_check", tidy.FUNCTION_LINES_MAX - 3),
        *function("psn_many", 1, PARAMETERS_6),
    ),
    "lib/wire/meson.build": MESON + "wire_sources = files('bth.c')\n",
    "lib/wire/bth.h": header(
        "NDPDK_WIRE_BTH_H",
        "#include <rte_byteorder.h>",
        "struct wire_bth {",
        "\tuint8_t opcode;",
        "\trte_be16_t pkey;",
        "\tuint8_t psn[3];",
        "} __rte_packed;",
    ),
    "lib/wire/bth.c": source(
        '#include "wire/bth.h"',
        '#include "base/psn.h"',
        "int",
        "wire_pick(int a)",
        "{",
        "\tswitch (a) {",
        "\tcase 1:",
        "\t\treturn a ? 1 : 2;",
        "\tdefault:",
        "\t\treturn 0;",
        "\t}",
        "}",
    ),
    "lib/nd/meson.build": MESON + "nd_sources = files('endpoint.c')\n",
    "lib/nd/endpoint.c": source(
        "#include <unistd.h>",
        "#include <rte_ethdev.h>",
        "#include <ndpdk/nd.h>",
        '#include "wire/bth.h"',
        *function("nd_endpoint_write", 1, PARAMETERS_7),
    ),
    "include/ndpdk/nd.h": header(
        "NDPDK_ND_H",
        "#include <stdint.h>",
        "/** Writes. */",
        "void nd_endpoint_write(%s);" % PARAMETERS_7,
    ),
    "apps/ndpmd/meson.build": MESON + "executable('ndpmd', 'main.c', dependencies: ndpdk_dep)\n",
    "apps/ndpmd/options.h": header("NDPDK_NDPMD_OPTIONS_H"),
    "apps/ndpmd/main.c": source(
        "#include <stdio.h>",
        "#include <rte_eal.h>",
        "#include <json-c/json.h>",
        "#include <ndpdk/nd.h>",
        '#include "options.h"',
        *function("report", 1),
    ),
    "tests/unit/meson.build": MESON + "unit_tests = {\n  'psn': [ base_dep ],\n}\n",
    "tests/unit/test_psn.c": source('#include "base/psn.h"', "Test(psn, wraps)", "{", "}"),
    "docs/rules.md": rules_document(),
    "README.md": "Code lives in `lib/base/psn.c`, psn.h and bth.c; a program writes report.json.\n",
}

TYPEDEF = "typedef struct x {\n\tint a;\n} x_t;"

# {name of the case: (rule, path and line of the offence, changed or added files)}
CASES = {
    "no licence in C": ("spdx", ("lib/base/psn.c", 1), {"lib/base/psn.c": "int x;\n"}),
    "no licence in a script": ("spdx", ("tools/x", 1), {"tools/x": "#!/bin/sh\ntrue\n"}),
    "long .c": (
        "file-length",
        ("lib/base/psn.c", 701),
        {"lib/base/psn.c": source(*["int x;"] * 699)},
    ),
    "long .h": (
        "file-length",
        ("lib/base/psn.h", 301),
        {"lib/base/psn.h": header("NDPDK_BASE_PSN_H", *["int x;"] * 296)},
    ),
    "long function": (
        "function-length",
        ("lib/base/psn.c", 4),
        {"lib/base/psn.c": source(*function("f", tidy.FUNCTION_LINES_MAX - 2))},
    ),
    "long test": (
        "function-length",
        ("tests/unit/test_psn.c", 4),
        {
            "tests/unit/test_psn.c": source(
                '#include "base/psn.h"', "Test(psn, a)", "{", *["\tstep();"] * 70, "}"
            )
        },
    ),
    "parameters of a definition": (
        "parameter-count",
        ("lib/base/psn.c", 4),
        {"lib/base/psn.c": source(*function("f", 1, PARAMETERS_7))},
    ),
    "parameters of a prototype": (
        "parameter-count",
        ("lib/base/psn.h", 5),
        {"lib/base/psn.h": header("NDPDK_BASE_PSN_H", "void f(%s);" % PARAMETERS_7)},
    ),
    "long line": (
        "line-length",
        ("lib/base/psn.c", 3),
        {"lib/base/psn.c": source("\t/* " + "x" * (tidy.COLUMNS_MAX - 13) + " */")},
    ),
    "long paragraph": (
        "document-line",
        ("README.md", 1),
        {"README.md": "x" * (tidy.COLUMNS_MAX + 1) + "\n"},
    ),
    "dialect in a comment": (
        "words",
        ("lib/base/psn.c", 3),
        {"lib/base/psn.c": source("/* The thread goes " + "on. */")},
    ),
    "trailing blank": (
        "white-space",
        ("README.md", 2),
        {"README.md": "a\nb \n"},
    ),
    "no last newline": ("white-space", ("README.md", 1), {"README.md": "a"}),
    "no guard": (
        "include-guard",
        ("lib/base/psn.h", 1),
        {"lib/base/psn.h": source("int x;")},
    ),
    "pragma once": (
        "include-guard",
        ("lib/base/psn.h", 1),
        {"lib/base/psn.h": source("#pragma once")},
    ),
    "wrong guard": (
        "include-guard",
        ("lib/base/psn.h", 3),
        {"lib/base/psn.h": header("NDPDK_BASE_PNS_H")},
    ),
    "guard used twice": (
        "include-guard",
        ("lib/nd/adapter.h", 3),
        {
            "include/ndpdk/nd_adapter.h": header("NDPDK_ND_ADAPTER_H"),
            "include/ndpdk/nd.h": header("NDPDK_ND_H", "#include <ndpdk/nd_adapter.h>"),
            "lib/nd/adapter.h": header("NDPDK_ND_ADAPTER_H"),
            "lib/nd/endpoint.c": source('#include "nd/adapter.h"', "#include <ndpdk/nd.h>"),
        },
    ),
    "include upward": (
        "include-direction",
        ("lib/base/psn.c", 3),
        {"lib/base/psn.c": source('#include "wire/bth.h"')},
    ),
    "include sideways": (
        "include-direction",
        ("lib/cm/path.c", 3),
        {
            "lib/cm/meson.build": MESON + "cm_sources = files('path.c')\n",
            "lib/cm/path.c": source('#include "rc/qp.h"'),
            "lib/rc/qp.h": header("NDPDK_RC_QP_H"),
        },
    ),
    "include not from lib/": (
        "include-direction",
        ("lib/wire/bth.c", 3),
        {"lib/wire/bth.c": source('#include "bth.h"', '#include "wire/bth.h"')},
    ),
    "unknown module": (
        "include-direction",
        ("lib/extra/x.c", 1),
        {
            "lib/extra/meson.build": MESON + "x = files('x.c')\n",
            "lib/extra/x.c": source("int x;"),
        },
    ),
    "DPDK header in the core": (
        "include-direction",
        ("lib/wire/bth.c", 4),
        {"lib/wire/bth.c": source('#include "wire/bth.h"', "#include <rte_ethdev.h>")},
    ),
    "clock in the core": (
        "include-direction",
        ("lib/wire/bth.c", 4),
        {"lib/wire/bth.c": source('#include "wire/bth.h"', "#include <time.h>")},
    ),
    "public header in the core": (
        "include-direction",
        ("lib/wire/bth.c", 4),
        {"lib/wire/bth.c": source('#include "wire/bth.h"', "#include <ndpdk/nd.h>")},
    ),
    "foreign public header in trace": (
        "include-direction",
        ("lib/trace/answer.c", 4),
        {
            "lib/trace/meson.build": MESON + "trace_sources = files('answer.c')\n",
            "lib/trace/answer.c": source("#include <ndpdk/nd_trace.h>", "#include <ndpdk/nd.h>"),
            "include/ndpdk/nd_trace.h": header("NDPDK_ND_TRACE_H"),
        },
    ),
    "DPDK header in a public header": (
        "include-direction",
        ("include/ndpdk/nd.h", 5),
        {"include/ndpdk/nd.h": header("NDPDK_ND_H", "#include <rte_mbuf.h>")},
    ),
    "inner header in an application": (
        "include-direction",
        ("apps/ndpmd/main.c", 4),
        {"apps/ndpmd/main.c": source('#include "options.h"', '#include "wire/bth.h"')},
    ),
    "stray header in an application": (
        "include-direction",
        ("apps/ndpmd/main.c", 4),
        {"apps/ndpmd/main.c": source('#include "options.h"', "#include <infiniband/verbs.h>")},
    ),
    "judge that includes the player": (
        "include-direction",
        ("apps/ndreplay/judge/check.c", 3),
        {
            "apps/ndreplay/judge/meson.build": MESON + "files('check.c')\n",
            "apps/ndreplay/judge/check.c": source('#include "ndreplay/player/play.h"'),
            "apps/ndreplay/player/play.h": header("NDPDK_PLAYER_PLAY_H"),
        },
    ),
    "inner library in an application": (
        "include-direction",
        ("apps/ndpmd/meson.build", 3),
        {"apps/ndpmd/meson.build": MESON + "executable('ndpmd', 'main.c', dependencies: rc_dep)\n"},
    ),
    "empty comment": (
        "empty-doc",
        ("lib/base/psn.c", 3),
        {"lib/base/psn.c": source("/**", " *", " */")},
    ),
    "stray slash in a comment": (
        "comment-slash",
        ("lib/base/psn.c", 4),
        {"lib/base/psn.c": source("/*", " * Twice. /", " */")},
    ),
    "public function without comment": (
        "public-doc",
        ("include/ndpdk/nd.h", 9),
        {
            "include/ndpdk/nd.h": header(
                "NDPDK_ND_H",
                "#ifdef __cplusplus",
                'extern "C" {',
                "#endif",
                "/* no doc comment */",
                "int",
                "nd_poll(void);",
            )
        },
    ),
    "comment of the function before": (
        "public-doc",
        ("include/ndpdk/nd.h", 7),
        {
            "include/ndpdk/nd.h": header(
                "NDPDK_ND_H", "/** One turn. */", "int nd_poll(void);", "int nd_stop(void);"
            )
        },
    ),
    "inline function without comment": (
        "public-doc",
        ("include/ndpdk/nd.h", 6),
        {
            "include/ndpdk/nd.h": header(
                "NDPDK_ND_H",
                "typedef void (*nd_loop_fn)(void *arg);",
                "static inline int nd_failed(int status)",
                "{",
                "\treturn status < 0;",
                "}",
            )
        },
    ),
    "public member without comment": (
        "public-doc",
        ("include/ndpdk/nd.h", 8),
        {
            "include/ndpdk/nd.h": header(
                "NDPDK_ND_H",
                "struct nd_sge {",
                "\t/** Where. */",
                "\tvoid *address;",
                "\tlong length;",
                "\tint mr; /**< of what */",
                "};",
            )
        },
    ),
    "last member of a packed structure without comment": (
        "public-doc",
        ("include/ndpdk/nd.h", 7),
        {
            "include/ndpdk/nd.h": header(
                "NDPDK_ND_H",
                "struct __attribute__((packed)) nd_key {",
                "\tlong base; /**< first byte */",
                "\tint token;",
                "};",
                "/** Of it. */",
                "int nd_key(void);",
            )
        },
    ),
    "bit-field": (
        "bit-field",
        ("lib/wire/bth.h", 6),
        {
            "lib/wire/bth.h": header(
                "NDPDK_WIRE_BTH_H", "struct wire_x {", "\tuint8_t se : 1;", "};"
            )
        },
    ),
    "wide member of a packed struct": (
        "wire-member",
        ("lib/wire/bth.h", 7),
        {
            "lib/wire/bth.h": header(
                "NDPDK_WIRE_BTH_H",
                "struct wire_x {",
                "\tuint8_t a;",
                "\tuint16_t b; /* host order */",
                "} __rte_packed;",
            )
        },
    ),
    "typedef of a struct": (
        "struct-typedef",
        ("lib/base/psn.c", 3),
        {"lib/base/psn.c": source(TYPEDEF)},
    ),
    "vague name": (
        "file-name",
        ("lib/base/list_util.c", 1),
        {
            "lib/base/meson.build": MESON + "base_sources = files('psn.c', 'list_util.c')\n",
            "lib/base/list_util.c": source("int x;"),
        },
    ),
    "dead .c": (
        "dead-file",
        ("lib/base/psn.c", 1),
        {"lib/base/meson.build": MESON + "base_sources = files() # psn\n"},
    ),
    "dead test": (
        "dead-file",
        ("tests/unit/test_psn.c", 1),
        {"tests/unit/meson.build": MESON + "unit_tests = {\n}\n"},
    ),
    "dead .h": (
        "dead-file",
        ("lib/base/window.h", 1),
        {"lib/base/window.h": header("NDPDK_BASE_WINDOW_H")},
    ),
    "rule that is not defined": ("rule-number", ("README.md", 2), {"README.md": "a\nRC-003\n"}),
    "rule that is defined twice": (
        "rule-number",
        ("docs/rules.md", 1),
        {"docs/rules.md": "* **RC-001** a rule. No test: x\n" + rules_document()},
    ),
    "rules without marks of the table": (
        "rule-table",
        ("docs/rules.md", 1),
        {"docs/rules.md": "* **RC-001** a rule. No test: x\n"},
    ),
    "table out of date": (
        "rule-table",
        ("docs/rules.md", 4),
        {"lib/base/psn.c": source('#include "base/psn.h"', "/* RC-001: a reason. */")},
    ),
    "rule without a test": (
        "rule-tested",
        ("docs/rules.md", 1),
        {"docs/rules.md": "* **RC-009** a rule\n" + rules_document()},
    ),
    "comment that is a number": (
        "rule-comment",
        ("lib/base/psn.c", 4),
        {
            "lib/base/psn.c": source('#include "base/psn.h"', "/* RC-001, RC-002. */"),
            "docs/rules.md": rules_document(
                "| RC-001 | base/psn.c | - |", "| RC-002 | base/psn.c | - |"
            ),
        },
    ),
    "comment that names no file": (
        "file-reference",
        ("lib/base/psn.c", 4),
        {"lib/base/psn.c": source('#include "base/psn.h"', "/* See base/window.c. */")},
    ),
    "document that names no file": (
        "file-reference",
        ("README.md", 2),
        {"README.md": "a\n[b](docs/design.md)\n"},
    ),
    "document that names no file above": (
        "file-reference",
        ("docs/design.md", 1),
        {"docs/design.md": "[a](../lib/design.md)\n"},
    ),
}

BANNED_EVERYWHERE = (
    "rand(); srand(1); sprintf(a, b); strcpy(a, b); strcat(a, b); gets(a); alloca(1); printf(a);"
    " fprintf(f, a); puts(a); exit(1); rte_exit(1, a); rte_panic(a); volatile int x;"
)
BANNED_IN_CORE = "rte_rdtsc(); rte_get_timer_cycles(); rte_log(1, 2, a); RTE_LOG(ERR, EAL, a);"
for token in BANNED_EVERYWHERE.split("; ") + BANNED_IN_CORE.split("; "):
    CASES["token " + token] = (
        "banned-token",
        ("lib/base/psn.c", 4),
        {"lib/base/psn.c": source("", "static int f = " + token.rstrip(";") + ";")},
    )
for token in BANNED_EVERYWHERE.split("; "):
    CASES["token in nd " + token] = (
        "banned-token",
        ("lib/nd/endpoint.c", 3),
        {"lib/nd/endpoint.c": source("static int f = " + token.rstrip(";") + ";")},
    )
for marker in ("TO" + "DO", "FIX" + "ME", "X" + "XX"):
    CASES["marker " + marker] = ("leftover", ("README.md", 2), {"README.md": "a\n%s: b\n" % marker})
for reader in ("head -1", "grep -q a", "grep -v -qi a", "grep -m1 a", "sed 1q", "sed -n '/a/{p;q}'",
               "awk '{ exit }'"):
    script = "#!/bin/sh\n%sls |\n\t%s\n" % (MESON, reader)
    CASES["reader " + reader] = ("pipe", ("tools/x", 4), {"tools/x": script})
for place in ("../" + "shared", "/wor" + "k/x", "/tmp/" + "bash_jobs", "see issue" + " 12"):
    CASES["place " + place] = ("workplace", ("README.md", 2), {"README.md": "a\n(%s)\n" % place})


def offences_in(tree, exceptions=frozenset()):
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as stream:
                stream.write(text)
        return tidy.check(root, exceptions)


def failures():
    """Yield one line of text per failed expectation."""
    found = offences_in(CLEAN)
    if found:
        yield "the clean tree has offences: %s" % found
    for name, (rule, (path, line), changes) in CASES.items():
        found = offences_in({**CLEAN, **changes})
        # A changed list or include may leave other files of the tree unused, so dead-file may also
        # report.
        hits = [offence for offence in found if offence[2] == rule]
        if [(offence[0], offence[1]) for offence in hits] != [(path, line)]:
            yield "%s: want %s at %s:%d alone, got %s" % (name, rule, path, line, found)
        strangers = [o for o in found if o[2] != rule and o[2] not in ("dead-file",)]
        if strangers:
            yield "%s: unexpected %s" % (name, strangers)
    untested = set(tidy.RULES) - {case[0] for case in CASES.values()}
    if untested:
        yield "rules without a case: %s" % sorted(untested)

    bad = {**CLEAN, "README.md": "a \n"}
    if offences_in(bad, frozenset({("README.md", "white-space")})):
        yield "an exception does not silence its offence"
    unused = offences_in(CLEAN, frozenset({("README.md", "white-space")}))
    if [offence[2] for offence in unused] != ["exception"]:
        yield "an exception that nothing needs is not reported: %s" % unused


def main():
    lines = list(failures())
    for line in lines:
        print(line)
    if not lines:
        print("%d cases, %d rules" % (len(CASES), len(tidy.RULES)))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
