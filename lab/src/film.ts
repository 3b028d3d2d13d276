// The collision as a film: the beam deforms, below it force and energies over time.

import { colour, onColours } from "./dom";
import { shown } from "./quantities";

export interface Film {
    status: string;
    time: Float64Array;
    overlap: Float64Array;
    force: Float64Array;
    rigid: Float64Array;
    vibration: Float64Array;
    contact: Float64Array;
    structural_loss: Float64Array;
    contact_loss: Float64Array;
    displacement: Float64Array;
    sub_impacts: number[][];
    deflection: Float64Array; // instant after instant, at `stations` places each
    stations: number;
    numbers: { [name: string]: number | string };
}

const parts: { key: "rigid" | "vibration" | "contact" | "structural_loss" | "contact_loss"; label: string; colour: string }[] = [
    { key: "rigid", label: "rigid motion", colour: "#3d7ea6" },
    { key: "vibration", label: "vibration", colour: "#e0a030" },
    { key: "contact", label: "contact", colour: "#c8553d" },
    { key: "structural_loss", label: "dissipated in the beam", colour: "#8a8f98" },
    { key: "contact_loss", label: "dissipated in the contact", colour: "#5b5f66" },
];

interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

const font = "12px system-ui, sans-serif";

/** Where an entry of the legend of the energies is. */
interface Entry {
    left: number;
    row: number;
}

/** Where words begin: on a narrow screen at the edge. */
function leftOf(width: number): number {
    return width < 600 ? 4 : 50;
}

/** Words from there to the right edge of a box, narrower if they are too long. */
function write(context: CanvasRenderingContext2D, words: string, box: Box, y: number): void {
    const left = leftOf(box.right);
    context.fillText(words, left, y, box.right - left);
}

/** As many entries in a row as there is room for. */
function legendOf(context: CanvasRenderingContext2D, width: number): Entry[] {
    const first = leftOf(width);
    let [left, row] = [first, 0];
    return parts.map(({ label }) => {
        const size = context.measureText(label).width + 28;
        if (left + size - 14 > width && left > first) [left, row] = [first, row + 1];
        left += size;
        return { left: left - size, row };
    });
}

function greatest(values: Float64Array, of: (value: number) => number): number {
    let all = 1e-300;
    for (const each of values) all = Math.max(all, of(each));
    return all;
}

/** The last instant that is not later than `time`. */
function instant(times: Float64Array, time: number): number {
    let [first, end] = [0, times.length]; // times[first] is not later
    while (end - first > 1) {
        const middle = (first + end) >> 1;
        if (times[middle]! <= time) first = middle;
        else end = middle;
    }
    return first;
}

export class FilmView {
    private film: Film | undefined;
    private xi = 0.5;
    private largest = 1; // deflection [m]
    private still: HTMLCanvasElement | undefined; // what does not move: curves of force and energies
    private frame = 0; // in which it is drawn next; 0: none is waited for
    private ink = { line: "", ink: "", accent: "" };

    /** `instant`: the slider that chooses it. */
    constructor(private readonly canvas: HTMLCanvasElement, private readonly words: HTMLElement, private readonly instant: HTMLElement) {
        new ResizeObserver(() => this.renew()).observe(canvas);
        onColours(() => this.renew());
    }

    at = 0; // instant shown, 0 to 1

    show(film: Film, xi: number): void {
        this.film = film;
        this.xi = xi;
        this.largest = greatest(film.deflection, Math.abs);
        this.renew();
    }

    /** Once a frame, however often it is asked for. */
    draw(at: number): void {
        this.at = at;
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.paint();
        });
    }

    private renew(): void {
        this.still = undefined;
        this.draw(this.at);
    }

    private paint(): void {
        const film = this.film;
        const context = this.canvas.getContext("2d");
        if (!film || !context) return;
        const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
        if (film.time.length < 2 || w === 0) {
            context.clearRect(0, 0, this.canvas.width, this.canvas.height);
            if (film.time.length < 2) this.words.textContent = `No film here: ${film.status.replace(/_/g, " ")}.`;
            return;
        }
        const ratio = window.devicePixelRatio || 1;
        context.font = font;
        const legend = legendOf(context, w);
        const boxes: { [name in "beam" | "force" | "energy"]: Box } = {
            beam: { left: 50, right: w - 15, top: 25, bottom: 0.34 * h },
            force: { left: 50, right: w - 15, top: 0.42 * h, bottom: 0.64 * h },
            energy: { left: 50, right: w - 15, top: 0.73 * h, bottom: h - 8 - 16 * (legend.at(-1)!.row + 1) },
        };
        if (!this.still) {
            this.ink = { line: colour("--line"), ink: colour("--ink"), accent: colour("--accent") };
            [this.canvas.width, this.canvas.height] = [w * ratio, h * ratio];
            this.still = document.createElement("canvas");
            [this.still.width, this.still.height] = [this.canvas.width, this.canvas.height];
            const below = this.still.getContext("2d")!;
            below.scale(ratio, ratio);
            below.font = font;
            this.force(below, film, boxes.force);
            this.energy(below, film, boxes.energy, legend);
        }
        const end = film.time[film.time.length - 1]!;
        const i = instant(film.time, this.at * end);
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.drawImage(this.still, 0, 0);
        context.scale(ratio, ratio);
        context.font = font;
        this.beam(context, film, i, boxes.beam);
        context.strokeStyle = this.ink.ink;
        context.beginPath();
        for (const box of [boxes.force, boxes.energy]) {
            const x = box.left + (film.time[i]! / end) * (box.right - box.left);
            context.moveTo(x, box.top);
            context.lineTo(x, box.bottom);
        }
        context.stroke();
        const when = `${shown(film.time[i]!, "s")} of ${shown(end, "s")}`;
        this.instant.setAttribute("aria-valuetext", when);
        this.words.textContent =
            `${when}: force ${shown(film.force[i]!, "N")}, ` +
            `${film.overlap[i]! >= 0 ? "overlap" : "gap"} ${shown(Math.abs(film.overlap[i]!), "m")}. ` +
            `${film.sub_impacts.length} sub-impact${film.sub_impacts.length === 1 ? "" : "s"}.`;
    }

    private beam(context: CanvasRenderingContext2D, film: Film, i: number, box: Box): void {
        const row = film.deflection.subarray(i * film.stations, (i + 1) * film.stations);
        const middle = (box.top + box.bottom) / 2 + 8;
        const factor = (0.5 * (box.bottom - box.top) - 12) / this.largest;
        const x = (s: number) => box.left + s * (box.right - box.left);
        const y = (w: number) => middle + factor * w; // a deflection is positive away from the striker, which comes from above
        context.strokeStyle = this.ink.line;
        context.beginPath();
        context.moveTo(box.left, middle);
        context.lineTo(box.right, middle);
        context.stroke();
        context.strokeStyle = this.ink.accent;
        context.lineWidth = 4;
        context.beginPath();
        row.forEach((w, s) => (s ? context.lineTo(x(s / (row.length - 1)), y(w)) : context.moveTo(x(0), y(w))));
        context.stroke();
        context.lineWidth = 1;
        // The gap or overlap is drawn to the scale of the deflection, between the ball and the upper edge of the line.
        const surface = y(film.displacement[i]! + film.overlap[i]!) - 2;
        context.fillStyle = film.force[i]! > 0 ? "#c8553d" : this.ink.ink;
        context.beginPath();
        context.arc(x(this.xi), Math.min(box.bottom, Math.max(box.top, surface - 7)), 7, 0, 7);
        context.fill();
        context.fillStyle = this.ink.ink;
        write(context, `deflection, drawn enlarged; largest ${shown(this.largest, "m")}`, box, 14);
    }

    private axes(context: CanvasRenderingContext2D, film: Film, box: Box, title: string): (t: number) => number {
        const end = film.time[film.time.length - 1]!;
        context.strokeStyle = this.ink.line;
        context.strokeRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
        context.fillStyle = this.ink.ink;
        write(context, title, box, box.top - 6);
        return (t) => box.left + (t / end) * (box.right - box.left);
    }

    private force(context: CanvasRenderingContext2D, film: Film, box: Box): void {
        const peak = greatest(film.force, (each) => each);
        const end = film.time[film.time.length - 1]!;
        for (const [from, to] of film.sub_impacts) {
            context.fillStyle = `${this.ink.accent}26`;
            const left = box.left + (from! / end) * (box.right - box.left);
            context.fillRect(left, box.top, ((to! - from!) / end) * (box.right - box.left), box.bottom - box.top);
        }
        const x = this.axes(context, film, box, `contact force, peak ${shown(peak, "N")}; sub-impacts shaded`);
        context.strokeStyle = this.ink.accent;
        context.lineWidth = 1.5;
        context.beginPath();
        film.time.forEach((t, j) => context.lineTo(x(t), box.bottom - (film.force[j]! / peak) * (box.bottom - box.top) * 0.95));
        context.stroke();
        context.lineWidth = 1;
    }

    private energy(context: CanvasRenderingContext2D, film: Film, box: Box, legend: Entry[]): void {
        const below = new Float64Array(film.time.length);
        const most = film.time.reduce((all, _, j) => Math.max(all, parts.reduce((sum, part) => sum + film[part.key][j]!, 0)), 1);
        const end = film.time[film.time.length - 1]!;
        const x = (t: number) => box.left + (t / end) * (box.right - box.left);
        const y = (e: number) => box.bottom - (e / most) * (box.bottom - box.top);
        for (const [k, part] of parts.entries()) {
            const values = film[part.key];
            context.fillStyle = part.colour;
            context.beginPath();
            film.time.forEach((t, j) => context.lineTo(x(t), y(below[j]! + values[j]!)));
            for (let j = film.time.length - 1; j >= 0; --j) context.lineTo(x(film.time[j]!), y(below[j]!));
            context.fill();
            film.time.forEach((_, j) => (below[j]! += values[j]!));
            const [left, top] = [legend[k]!.left, box.bottom + 8 + 16 * legend[k]!.row];
            context.fillRect(left, top, 10, 10);
            context.fillStyle = this.ink.ink;
            context.fillText(part.label, left + 14, top + 9);
        }
        this.axes(context, film, box, "energy over that before the collision");
    }
}
