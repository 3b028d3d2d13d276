// What the pointer or the arrow keys reach in a figure, in numbers. Without scripts the figures do not change.
'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const EDGE = 1e-4; // the numbers are rounded: a point at the edge of a panel may be so far outside [of its size]
  const REACH = 4; // a curve has a value where the cursor is if a point of it is so near [px of the figure]
  const {figures} = JSON.parse(document.getElementById('figure-data').textContent);

  const place = (axis, value) => axis.logarithmic ? Math.log10(value) : value;
  const fraction = (axis, value) => value === null ? NaN
    : (place(axis, value) - place(axis, axis.low)) / (place(axis, axis.high) - place(axis, axis.low));
  const number = (value, digits = 5) => Number(value.toPrecision(digits)).toString().replace(/-/g, '\u2212');

  // A number of an axis: nearly equal ones need more digits.
  function numberOn(axis, value) {
    const size = Math.max(Math.abs(axis.low), Math.abs(axis.high));
    const shared = axis.logarithmic ? 0 : Math.floor(Math.log10(size / (axis.high - axis.low)));
    return number(value, 5 + Math.min(Math.max(shared, 0), 9));
  }

  // False also of NaN, which has no place.
  const isInside = part => part >= -EDGE && part <= 1 + EDGE;

  // The points of all curves of a panel that are seen, where they are drawn. The lines of nodes end beyond the panel.
  function pointsOf(figure, panel, [left, top, width, height]) {
    return panel.curves.map(curve => figure.columns[curve.x].map((x, i) => {
      const y = figure.columns[curve.y][i], along = fraction(panel.x, x), up = fraction(panel.y, y);
      return {x, y, isSeen: isInside(along) && isInside(up), px: left + width * along, py: top + height * (1 - up)};
    }).filter(point => point.isSeen));
  }

  // The point next to a place; along the axis a distance counts more, so that the cursor follows the pointer.
  function nearest(points, x, y) {
    let best = null, least = Infinity;
    for (const point of points) {
      const distance = Math.hypot(point.px - x, 0.2 * (point.py - y));
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  }

  function drawn(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // A small picture of one quantity against time: [ms], `scale` times the numbers.
  function traced(history, key, label, scale, color) {
    const width = 320, height = 96, left = 52, bottom = 18, unit = 1000;
    const values = history[key].map(value => scale * value), times = history.time.map(value => unit * value);
    const low = Math.min(0, ...values), span = Math.max(0, ...values) - low || 1, end = times.at(-1) || 1;
    const x = value => left + (width - left - 6) * value / end;
    const y = value => 6 + (height - bottom - 10) * (1 - (value - low) / span);
    const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img',
      'aria-label': `${label} against time, from ${number(low)} to ${number(low + span)}, ${number(end)} ms long`});
    const words = (text, at) => svg.appendChild(drawn('text', at)).textContent = text;
    svg.append(drawn('path', {d: `M${left},${y(0)}H${width - 6}M${left},6V${height - bottom - 4}`, 'class': 'axis'}),
      drawn('path', {d: `M${times.map((time, i) => `${x(time).toFixed(1)},${y(values[i]).toFixed(1)}`).join('L')}`, stroke: color}));
    words(number(low + span), {x: left - 4, y: 14, 'text-anchor': 'end'});
    if (low < 0) words(number(low), {x: left - 4, y: height - bottom - 4, 'text-anchor': 'end'});
    words(label, {x: left + 4, y: 14});
    words(`${number(end)} ms`, {x: width - 6, y: height - 4, 'text-anchor': 'end'});
    words('0', {x: left, y: height - 4, 'text-anchor': 'middle'});
    return svg;
  }

  // The collision at the kept place next to a point of a curve.
  function openHistory(figure, panel, curve, point, box) {
    const own = figure.histories.filter(each => each.curve === curve);
    if (!own.length) return;
    const history = own.reduce((best, each) => Math.abs(each.x - point.x) < Math.abs(best.x - point.x) ? each : best);
    const title = panel.curves[curve].title, heading = document.createElement('b');
    heading.textContent = `Collision at ${panel.x.label}: ${numberOn(panel.x, history.x)}${title ? `, ${title}` : ''}`;
    const note = document.createElement('span');
    note.textContent = `the nearest of ${own.length} places whose history the report holds`;
    box.replaceChildren(heading, note, traced(history, 'force', 'force (N)', 1, '#d55e00'),
      traced(history, 'gap', 'gap (\u00b5m)', 1e6, '#0072b2'));
    box.hidden = false;
  }

  // One drawing of a figure: the wide one or the narrow one.
  function follow(svg, figure, places, values, box) {
    const panels = figure.panels.map((panel, i) => ({panel, place: places[i], points: pointsOf(figure, panel, places[i])}));
    // All curves with points, from the upper panel to the lowest one.
    const curves = panels.flatMap(where => where.points.filter(list => list.length).map(list => ({where, list})));
    let pinned = false, reached = null;
    const cursor = svg.appendChild(drawn('g', {'class': 'cursor'}));

    function clear() {
      cursor.replaceChildren();
      values.hidden = true;
      pinned = false;
      reached = null;
    }

    function rowsAt({panel, points}, at) {
      const rows = [];
      points.forEach((list, i) => {
        const point = nearest(list.filter(each => Math.abs(each.px - at.px) <= REACH), at.px, at.py);
        if (point) rows.push({curve: panel.curves[i], point, distance: Math.abs(point.py - at.py)});
      });
      return rows.sort((a, b) => a.distance - b.distance).slice(0, 9);
    }

    function write(panel, at, rows) {
      values.replaceChildren();
      const head = values.appendChild(document.createElement('b'));
      head.textContent = `${panel.x.label}: ${numberOn(panel.x, at.x)}`;
      for (const {curve, point} of rows) {
        const line = values.appendChild(document.createElement('span'));
        const swatch = line.appendChild(document.createElement('i'));
        swatch.style.background = curve.color;
        line.append(`${curve.title || panel.y.label}: ${numberOn(panel.y, point.y)}`);
      }
      values.hidden = false;
      const box = svg.getBoundingClientRect(), frame = values.parentElement.getBoundingClientRect();
      const scale = box.width / svg.viewBox.baseVal.width;
      const room = frame.width - values.offsetWidth;
      const right = box.left - frame.left + at.px * scale + 14;
      values.style.left = `${Math.max(0, right <= room ? right : right - 28 - values.offsetWidth)}px`;
      values.style.top = `${box.top - frame.top + at.py * scale + 14}px`;
    }

    // Only curves of the first panel have histories.
    function open() {
      if (!figure.histories || !reached || reached.where !== panels[0]) return;
      const curve = reached.where.points.findIndex(list => list.includes(reached.at));
      openHistory(figure, reached.where.panel, curve, reached.at, box);
    }

    function show(where, at) {
      const [left, top, width, height] = where.place, rows = rowsAt(where, at);
      cursor.replaceChildren(drawn('path', {d: `M${at.px},${top}v${height}`}),
        ...rows.map(({curve, point}) => drawn('circle', {cx: point.px, cy: point.py, r: 2.6, fill: curve.color})));
      reached = {where, at};
      write(where.panel, at, rows);
    }

    // From the pointer's place on the screen to that in the figure.
    function placeOf(event) {
      const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    }

    function point(event) {
      if (pinned) return;
      const [x, y] = placeOf(event);
      const where = panels.find(({place: [left, top, width, height]}) =>
        x >= left && x <= left + width && y >= top && y <= top + height);
      const at = where && nearest(where.points.flat(), x, y);
      at ? show(where, at) : clear();
    }

    const kept = (list, index) => list[Math.min(Math.max(index, 0), list.length - 1)];
    const reachedCurve = () => curves.findIndex(({list}) => list.includes(reached.at));

    // The first point of the first curve, or another point of the curve that was reached.
    function step(by) {
      if (!curves.length) return;
      const {where, list} = curves[reached ? reachedCurve() : 0];
      show(where, reached ? kept(list, list.indexOf(reached.at) + by) : list[0]);
    }

    // The next curve, or that before, at the same place along the axis.
    function change(by) {
      if (!reached) return step(0);
      const {where, list} = kept(curves, reachedCurve() + by), px = reached.at.px;
      show(where, list.reduce((best, each) => Math.abs(each.px - px) < Math.abs(best.px - px) ? each : best));
    }

    svg.addEventListener('pointermove', point);
    svg.addEventListener('pointerdown', event => {
      const was = pinned;
      pinned = false;
      point(event);
      pinned = !was && reached !== null;
      if (pinned) open();
    });
    svg.addEventListener('pointerleave', () => pinned || clear());
    svg.addEventListener('blur', () => pinned || clear());
    svg.addEventListener('keydown', event => {
      const steps = {ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20};
      const changes = {ArrowDown: 1, ArrowUp: -1};
      if (event.key in steps) step(steps[event.key]);
      else if (event.key in changes) change(changes[event.key]);
      else if (event.key === 'Enter') open();
      else if (event.key === 'Escape') { clear(); box.hidden = true; }
      else return;
      event.preventDefault();
    });
    svg.setAttribute('tabindex', '0');
  }

  document.querySelectorAll('figure').forEach((element, i) => {
    const values = element.appendChild(document.createElement('div'));
    values.className = 'values';
    values.setAttribute('role', 'status');
    values.hidden = true;
    const box = element.appendChild(document.createElement('div'));
    box.className = 'history';
    box.setAttribute('role', 'status');
    box.hidden = true;
    if (figures[i].histories) element.querySelector('figcaption').append(' A click on a curve (or Enter) shows the collision there.');
    for (const size of ['wide', 'narrow']) {
      const svg = element.querySelector(`.${size} svg`);
      if (svg) follow(svg, figures[i], figures[i].places[size], values, box);
    }
  });
})();
