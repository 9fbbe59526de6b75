// The threads study, run here: a loop of waits in direct style and by Lwt's bind.
const PUBLISHED = Object.fromEntries(["delimcc", "lwt"].map((subject) => [subject,
  /*THREADS_CSV*/[].filter(([s, test]) => s === subject && test === "basic-medium").map(([, , n, s]) => [Number(n), (Number(s) * 1e9) / (15000 * Number(n))])]));

function startThreads(box, button, said) {
  const depths = PUBLISHED.lwt.map(([n]) => n), c = colours();
  const column = (subject) => depths.map((n) => { const found = PUBLISHED[subject].find(([m]) => m === n); return found ? found[1] : null; });
  const data = [depths, depths.map(() => null), depths.map(() => null), column("delimcc"), column("lwt")];
  const line = (label, stroke, dash) => ({ label, stroke, width: 2, dash, spanGaps: true, points: { show: true, size: 6 } });
  box.textContent = "";
  const u = new uPlot({
    title: "ns a wait, against the number of waits", width: Math.max(260, box.clientWidth), height: 260,
    scales: { x: { time: false }, y: { range: (_, low, high) => [0, (high || 1) * 1.1] } },
    axes: [{ stroke: c.dim, grid: { stroke: c.line, width: 0.5 } }, { stroke: c.dim, grid: { stroke: c.line, width: 0.5 }, size: 60 }],
    series: [{ label: "waits" }, line("direct style, here", c.data), line("bind, here", c.again), line("direct style, 2011", c.data, [4, 4]), line("bind, 2011", c.again, [4, 4])],
  }, data, box);
  const canvas = box.querySelector("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Time of a wait in direct style and by bind, measured here and as published");
  window.addEventListener("resize", () => u.setSize({ width: Math.max(260, box.clientWidth), height: 260 }));
  button.onclick = () => {
    button.disabled = true;
    for (const direct of [true, false]) weirMachine.wait(direct, true, 1000);
    let i = 0;
    const next = () => {
      if (i === 2 * depths.length) {
        button.disabled = false;
        const mean = (l) => Math.round(l.reduce((a, b) => a + b, 0) / l.length);
        said.textContent = "A wait takes " + mean(data[1]) + " ns in direct style and " + mean(data[2]) + " ns by bind.";
        return;
      }
      const direct = i % 2 === 0, at = i >> 1;
      weirMachine.wait(direct, true, depths[at]);
      data[direct ? 1 : 2][at] = weirMachine.wait(direct, true, depths[at]);
      u.setData(data);
      i++;
      setTimeout(next, 10);
    };
    next();
  };
}
startThreads($("threads-plot"), $("threads-run"), $("threads-said"));
