# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Drawings in SVG: lines over a logarithmic axis, and bars.

A drawing has a background and two sets of colours, for light and dark pages; the viewer selects a
set. Series differ in colour and in mark. Floors are dashed.
"""

import collections
import math
from xml.sax.saxutils import escape, quoteattr

# A line. points: pairs (x, y). is_floor: dashed and grey.
Series = collections.namedtuple("Series", "name points is_floor")
# A group of bars. values: in the order of the names of the bars.
Group = collections.namedtuple("Group", "name values")

WIDTH = 760
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 64, 52
PLOT_HEIGHT = 300
BAR_LEFT = 150
BAR_HEIGHT = 11
GROUP_GAP = 10

# Light and dark: background, text, grid, floor, then series. Colours of Okabe and Ito, which
# readers with red-green colour blindness can distinguish.
COLOURS = (
    ("#ffffff", "#1f2328", "#d1d9e0", "#6e7781", "#0072b2", "#c04a00", "#00775a", "#a03d7c"),
    ("#0d1117", "#e6edf3", "#30363d", "#9198a1", "#56b4e9", "#e69f00", "#2dc79b", "#e08fc0"),
)
SERIES_MAX = len(COLOURS[0]) - 4
MARKS = ("circle", "square", "triangle", "diamond")


def style_of(colours):
    background, text, grid, floor = colours[:4]
    rules = [
        ".background{fill:%s}" % background,
        "text{fill:%s}" % text,
        ".grid{stroke:%s}" % grid,
        ".axis{stroke:%s}" % text,
        ".floor{stroke:%s;fill:%s}" % (floor, floor),
    ]
    for number, colour in enumerate(colours[4:]):
        rules.append(".s%u{stroke:%s;fill:%s}" % (number, colour, colour))
    return "".join(rules)


def document(title, height, parts):
    """Return the file, a well-formed SVG."""
    style = (
        "text{font:13px sans-serif}.title{font-weight:bold;font-size:15px}.grid{stroke-width:1}"
        ".line{fill:none;stroke-width:2}.dashed{stroke-dasharray:6 4}"
        + style_of(COLOURS[0])
        + "@media (prefers-color-scheme:dark){" + style_of(COLOURS[1]) + "}"
        # After the colours, which set fill, because lines must not be filled.
        + ".line{fill:none}"
    )
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="%u" height="%u" viewBox="0 0 %u %u" '
        'role="img" aria-label=%s>' % (WIDTH, height, WIDTH, height, quoteattr(title))
    )
    return "\n".join(
        [head, "<title>%s</title>" % escape(title), "<style>%s</style>" % style]
        + ['<rect class="background" width="%u" height="%u"/>' % (WIDTH, height)]
        + [text(LEFT, 22, title, css="title")]
        + parts
        + ["</svg>", ""]
    )


def text(x, y, words, anchor="start", css="", turn=None):
    more = ' transform="rotate(%d %.1f %.1f)"' % (turn, x, y) if turn is not None else ""
    if css:
        more += ' class="%s"' % css
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>' % (
        x, y, anchor, more, escape(words))


def line(x1, y1, x2, y2, css):
    return '<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>' % (css, x1, y1, x2, y2)


def mark(kind, x, y, css):
    if kind == "circle":
        return '<circle class="%s" cx="%.1f" cy="%.1f" r="4"/>' % (css, x, y)
    corners = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "triangle": ((0, -5), (5, 4), (-5, 4)),
        "diamond": ((0, -6), (5, 0), (0, 6), (-5, 0)),
    }[kind]
    points = " ".join("%.1f,%.1f" % (x + dx, y + dy) for dx, dy in corners)
    return '<polygon class="%s" points="%s"/>' % (css, points)


def short(number):
    """Return a number as on the axes: 64, 4096, 16 Ki, 1 Mi, 10 k, 1 M, 0.5."""
    for unit, size in (("Mi", 1 << 20), ("Ki", 1 << 10)):
        if number >= 16 << 10 and number % size == 0 and number % 1000 != 0:
            return "%u %s" % (number // size, unit)
    for unit, size in (("M", 10 ** 6), ("k", 10 ** 3)):
        if number >= 10 * 10 ** 3 and number >= size and number % size == 0:
            return "%u %s" % (number // size, unit)
    return "%g" % number


class LogAxis:
    """Return positions on a logarithmic axis. 0 has a separate position before the smallest
    number."""

    def __init__(self, numbers, begin, end):
        positive = [number for number in numbers if number > 0]
        if not positive:
            raise ValueError("an axis without a number above 0")
        self.least = min(positive)
        low = math.log(self.least)
        high = math.log(max(positive))
        if min(numbers) == 0:
            low -= max((high - low) / 8, 0.5)
        if high - low < 0.1:
            low, high = low - 0.5, high + 0.5
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def place(self, number):
        value = self.low if number == 0 else math.log(number)
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def decades(least, most):
    """Return the powers of ten around the numbers, which are the ends of a vertical axis."""
    first = math.floor(math.log10(least) + 1e-9)
    last = max(math.ceil(math.log10(most) - 1e-9), first + 1)
    return [10.0 ** power for power in range(first, last + 1)]


def css_of(number, series):
    return "floor" if series.is_floor else "s%u" % number


def legend(series, css_of_series, begin):
    """Return the legend: names in one line, each after a sample of its series."""
    parts, x = [], begin
    for number, one in enumerate(series):
        css = css_of_series[number]
        dashed = " dashed" if one.is_floor else ""
        parts.append(line(x, 42, x + 26, 42, "line %s%s" % (css, dashed)))
        parts.append(mark(MARKS[number % len(MARKS)], x + 13, 42, css))
        parts.append(text(x + 32, 46, one.name))
        x += 50 + 7.2 * len(one.name)
    return parts


def lines(title, x_label, y_label, series):
    """Lines over two logarithmic axes. The ticks of the x axis are at the points."""
    if not series or any(not one.points for one in series):
        raise ValueError("%s: a line without points" % title)
    css_of_series, colour = [], 0
    for one in series:
        css_of_series.append(css_of(colour, one))
        colour += not one.is_floor
    if colour > SERIES_MAX:
        raise ValueError("%s: more lines than colours" % title)
    xs = sorted({x for one in series for x, _ in one.points})
    ys = [y for one in series for _, y in one.points]
    ticks = decades(min(ys), max(ys))
    bottom = TOP + PLOT_HEIGHT
    across = LogAxis(xs, LEFT + 14, WIDTH - RIGHT - 14)
    up = LogAxis(ticks, bottom, TOP)
    parts = []
    for tick in ticks:
        parts.append(line(LEFT, up.place(tick), WIDTH - RIGHT, up.place(tick), "grid"))
        parts.append(text(LEFT - 8, up.place(tick) + 4, short(tick), "end"))
    parts += x_ticks(xs, across, bottom)
    parts.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    parts.append(line(LEFT, TOP, LEFT, bottom, "axis"))
    for number, one in enumerate(series):
        places = [(across.place(x), up.place(y)) for x, y in one.points]
        dashed = " dashed" if one.is_floor else ""
        parts.append('<polyline class="line %s%s" points="%s"/>' % (
            css_of_series[number], dashed, " ".join("%.1f,%.1f" % place for place in places)))
        parts += [mark(MARKS[number % len(MARKS)], x, y, css_of_series[number]) for x, y in places]
    parts += legend(series, css_of_series, LEFT)
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, bottom + 42, x_label, "middle"))
    parts.append(text(18, TOP + PLOT_HEIGHT / 2, y_label, "middle", turn=-90))
    return document(title, bottom + BOTTOM, parts)


def x_ticks(xs, axis, bottom):
    """Draw a tick at each point. Omits names for which there is no room."""
    parts, free = [], -math.inf
    for x in xs:
        place = axis.place(x)
        parts.append(line(place, TOP, place, bottom, "grid"))
        name = short(x)
        half = 4 * len(name)
        if place - half > free:
            parts.append(text(place, bottom + 18, name, "middle"))
            free = place + half + 4
    return parts


def bars(title, x_label, names, groups):
    """Horizontal bars from 0, in groups. The last name is the floor."""
    if not groups or any(len(group.values) != len(names) for group in groups):
        raise ValueError("%s: a group has other bars than the drawing" % title)
    most = max(value for group in groups for value in group.values)
    step = nice_step(most / 5)
    end = WIDTH - RIGHT - 50
    scale = (end - BAR_LEFT) / (math.ceil(most / step) * step)
    height = len(groups) * (len(names) * (BAR_HEIGHT + 2) + GROUP_GAP)
    bottom = TOP + height
    parts = []
    for number in range(math.ceil(most / step) + 1):
        x = BAR_LEFT + number * step * scale
        parts.append(line(x, TOP, x, bottom, "grid"))
        parts.append(text(x, bottom + 18, short(number * step), "middle"))
    y = TOP + GROUP_GAP / 2
    for group in groups:
        middle = y + len(names) * (BAR_HEIGHT + 2) / 2
        parts.append(text(BAR_LEFT - 8, middle + 4, group.name, "end"))
        for number, value in enumerate(group.values):
            css = "floor" if number == len(names) - 1 else "s%u" % number
            width = max(value, 0) * scale
            parts.append('<rect class="%s" x="%u" y="%.1f" width="%.1f" height="%u"/>' % (
                css, BAR_LEFT, y, width, BAR_HEIGHT))
            parts.append(text(BAR_LEFT + width + 5, y + BAR_HEIGHT - 1, "%.0f" % value))
            y += BAR_HEIGHT + 2
        y += GROUP_GAP
    parts.append(line(BAR_LEFT, TOP, BAR_LEFT, bottom, "axis"))
    parts += bar_legend(names)
    parts.append(text((BAR_LEFT + end) / 2, bottom + 40, x_label, "middle"))
    return document(title, bottom + BOTTOM, parts)


def bar_legend(names):
    parts, x = [], LEFT
    for number, name in enumerate(names):
        css = "floor" if number == len(names) - 1 else "s%u" % number
        parts.append('<rect class="%s" x="%.1f" y="36" width="14" height="10"/>' % (css, x))
        parts.append(text(x + 20, 46, name))
        x += 40 + 7.2 * len(name)
    return parts


def nice_step(least):
    """Return 1, 2 or 5 times a power of ten, not less than least."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999999)
