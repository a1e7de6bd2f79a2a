// Draws the pictures of a page with uPlot, which shows the value under the pointer.
"use strict";
(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const line = (plot, x0, y0, x1, y1, text) => {
    const to = plot.ctx;
    to.save();
    to.strokeStyle = to.fillStyle = colour("--quiet");
    to.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    to.setLineDash([4, 4]);
    to.beginPath();
    to.moveTo(x0, y0);
    to.lineTo(x1, y1);
    to.stroke();
    to.textAlign = x0 > plot.bbox.left + plot.bbox.width * 0.8 ? "right" : "left";
    to.fillText(text, x0 + (to.textAlign === "left" ? 4 : -4), y1 + 12 * devicePixelRatio);
    to.restore();
  };
  const notes = (data) => (plot) => {
    const { left, top, width, height } = plot.bbox;
    data.levels.forEach(([value, text]) => {
      const y = plot.valToPos(value, "y", true);
      line(plot, left, y, left + width, y, text);
    });
    data.marks.forEach(([at, text], number) => {
      const x = plot.valToPos(at, "x", true);
      line(plot, x, top + height, x, top + number * 13 * devicePixelRatio, text);
    });
  };
  const draw = async (figure) => {
    const answer = await fetch(`${figure.querySelector("img").getAttribute("src")}&points=true`);
    if (!answer.ok) return;
    const data = await answer.json();
    const ink = colour("--ink");
    const [day, hour] = ["{YYYY}-{MM}-{DD}", "{HH}:{mm}"];
    const dates = [
      [86400 * 365, "{YYYY}", ...Array(6).fill(null), 1],
      [86400 * 28, "{YYYY}-{MM}", ...Array(6).fill(null), 1],
      [86400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
      [60, hour, `\n${day}`, null, `\n{MM}-{DD}`, null, null, null, 1],
    ];
    const axis = { stroke: ink, grid: { stroke: colour("--line") }, ticks: { stroke: colour("--line") } };
    const series = { label: data.title, stroke: colour("--link"), width: 2, points: { show: data.times.length < 100 } };
    if (data.kind === "bars") series.paths = uPlot.paths.bars({ size: [0.7, 40] });
    const all = [...data.times, ...data.marks.map(([at]) => at)];
    const [first, last] = [Math.min(...all), Math.max(...all)];
    const width = () => Math.max(240, figure.clientWidth);
    const options = {
      title: data.title, width: width(), height: 260, axes: [{ ...axis, values: dates }, axis],
      series: [{ value: `${day} ${hour}` }, series], tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "Etc/UTC"),
      scales: { x: { range: first < last ? [first, last] : [first - 86400, last + 86400] }, y: { range: data.range } },
      hooks: { draw: [notes(data)] },
    };
    const place = document.createElement("div");
    figure.prepend(place);
    const plot = new uPlot(options, [data.times, data.values], place);
    place.querySelector("canvas").setAttribute("aria-hidden", "true");
    figure.querySelector("img").classList.add("unseen");
    new ResizeObserver(() => plot.setSize({ width: width(), height: 260 })).observe(figure);
  };
  document.querySelectorAll("figure.plot").forEach((figure) => draw(figure));
})();
