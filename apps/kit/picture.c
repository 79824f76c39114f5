/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "picture.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gnuplot.h"

/* Colours that colour-blind people can distinguish (Okabe and Ito). */
static const char *const colours[PICTURE_COLOURS] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999933"};

static bool
ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text);

	return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

bool
picture_open(struct picture *picture, const char *path, char *why, size_t size)
{
	*picture = (struct picture){.path = path, .is_png = ends_with(path, ".png")};
	if (!gnuplot_check(
		    picture->is_png ? "set terminal pngcairo" : "set terminal svg", why, size))
		return false;
	/* "w+", because is_complete() reads the file after gnuplot has written it. */
	picture->file = fopen(path, "w+");
	if (picture->file == NULL)
		snprintf(why, size, "%s cannot be written: %s", path, strerror(errno));
	return picture->file != NULL;
}

const char *
picture_colour(size_t curve)
{
	return colours[curve % PICTURE_COLOURS];
}

void
picture_write_style(FILE *script, size_t curve)
{
	fprintf(script, " lc rgb \"%s\" lw 2 dt %zu", picture_colour(curve),
		1 + curve / PICTURE_COLOURS);
}

/*
 * gnuplot does not report a full disk. Therefore check that the file contains the end of the
 * picture.
 */
static bool
is_complete(const struct picture *picture)
{
	const char *mark = picture->is_png ? "IEND" : "</svg>";
	char end[64] = {0};
	const off_t length = lseek(fileno(picture->file), 0, SEEK_END);
	const off_t from = length < (off_t)sizeof(end) ? 0 : length - (off_t)sizeof(end);
	const ssize_t count = pread(fileno(picture->file), end, sizeof(end), from);

	return count > 0 && memmem(end, (size_t)count, mark, strlen(mark)) != NULL;
}

void
picture_write_frame(FILE *script, const struct picture *picture, int panels, const char *title)
{
	fprintf(script, "set terminal %s size %d,%d font \"sans,%d\"%s noenhanced\n",
		picture->is_png ? "pngcairo" : "svg", PICTURE_WIDTH,
		panels * PICTURE_PANEL_HEIGHT + 40, picture->is_png ? 10 : 13,
		picture->is_png ? "" : " background \"white\"");
	fprintf(script,
		"set multiplot layout %d,1 title \"%s\"\n"
		"set grid lc rgb \"#cccccc\"\nset key outside right top\nset border 3\n"
		"set tics nomirror\nset rmargin 34\nset lmargin 12\n",
		panels, title);
}

bool
picture_close(struct picture *picture,
	void (*write)(FILE *script, const struct picture *picture, const void *arg),
	const void *arg, char *why, size_t size)
{
	struct gnuplot gnuplot;
	bool drawn = write == NULL;

	if (write != NULL && gnuplot_open(&gnuplot, picture->file, why, size)) {
		write(gnuplot.script, picture, arg);
		fprintf(gnuplot.script, "unset multiplot\n");
		drawn = gnuplot_close(&gnuplot) && is_complete(picture);
		if (!drawn)
			snprintf(why, size, "%s could not be drawn completely", picture->path);
	}
	fclose(picture->file);
	*picture = (struct picture){0};
	return drawn;
}
