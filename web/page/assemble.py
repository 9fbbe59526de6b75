#!/usr/bin/env python3
"""assemble MODULES MACHINE OUT: puts the page into one HTML file."""

import json, os, sys

modules, machine, out = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def script(source):
    return source.replace("</script", "<\\/script").replace("<!--", "<\\!--")


parts = ["settings.js", "picture.js", "play.js", "sides.js", "packets.js", "tours.js", "page.js", "threads.js"]
published = os.path.join(here, "..", "..", "lab", "data", "published", "threads.csv")
rows = [line.split(",") for line in text(published).splitlines() if line and not line.startswith("#")]
page = text(os.path.join(here, "page.html"))
plot = os.path.join(modules, "uplot", "dist")
for mark, content in [
    ("/*STYLE*/", text(os.path.join(plot, "uPlot.min.css")) + text(os.path.join(here, "page.css"))),
    ("/*UPLOT*/", script(text(os.path.join(plot, "uPlot.iife.min.js")))),
    ("/*MACHINE*/", script(text(machine))),
    ("/*PAGE*/", '"use strict";\n' + script("\n".join(text(os.path.join(here, p)) for p in parts)).replace("/*THREADS_CSV*/[]", json.dumps(rows), 1)),
]:
    page = page.replace(mark, content, 1) if mark in page else sys.exit("no %s in page.html" % mark)
with open(out, "w", encoding="utf-8") as file:
    file.write(page)
