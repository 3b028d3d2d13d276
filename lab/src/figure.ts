// Curves as an SVG that needs no style sheet, so that it can leave the page as a file.

import { colour, svg } from "./dom";

export interface Curve {
    label: string;
    x: ArrayLike<number | null>;
    y: ArrayLike<number | null>;
    colour: string;
    dash?: string;
    points?: boolean; // marks in place of a line
    upper?: ArrayLike<number | null>; // with `y` as the lower edge: an area
}
export interface Figure {
    title: string; // for readers of the screen
    x: { label: string; unit?: string; range?: [number, number] };
    y: { label: string; unit?: string };
    curves: Curve[];
}

const box = { left: 78, top: 16, bottom: 326 };
const rowHeight = 20; // of the legend
const prefixes = ["p", "n", "µ", "m", "", "k", "M", "G"];

function finite(values: ArrayLike<number | null>): number[] {
    return Array.from(values).filter((each): each is number => typeof each === "number" && Number.isFinite(each));
}

class Axis {
    readonly from: number;
    readonly to: number;
    readonly step: number;
    private readonly power: number;

    constructor(values: number[], private readonly what: { label: string; unit?: string; range?: [number, number] }) {
        let [low, high] = what.range ?? [Infinity, -Infinity];
        if (!what.range) for (const each of values) [low, high] = [Math.min(low, each), Math.max(high, each)];
        if (!(low <= high)) [low, high] = [0, 1];
        if (low === high) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
        const rough = (high - low) / 5;
        const ten = 10 ** Math.floor(Math.log10(rough));
        this.step = ten * ([1, 2, 5, 10].find((each) => each * ten >= rough) ?? 10);
        this.from = what.range ? low : this.step * Math.floor(low / this.step + 1e-9);
        this.to = what.range ? high : this.step * Math.ceil(high / this.step - 1e-9);
        const largest = Math.max(Math.abs(this.from), Math.abs(this.to));
        this.power = what.unit ? Math.min(3, Math.max(-4, Math.floor(Math.log10(largest) / 3 + 1e-9))) : 0;
    }
    get label(): string {
        return this.what.unit ? `${this.what.label} [${prefixes[this.power + 4]}${this.what.unit}]` : this.what.label;
    }
    ticks(): number[] {
        const count = Math.round((this.to - this.from) / this.step);
        return Array.from({ length: count + 1 }, (_, i) => this.from + i * this.step);
    }
    words(value: number): string {
        return String(Number((value / 1000 ** this.power).toPrecision(6)));
    }
}

/** The numbers of the rows in which all columns are finite; a gap begins a new piece. */
export function piecesOf(...columns: ArrayLike<number | null>[]): number[][] {
    const pieces: number[][] = [[]];
    for (let i = 0; i < columns[0]!.length; ++i) {
        if (columns.every((each) => Number.isFinite(each[i]))) pieces.at(-1)!.push(i);
        else pieces.push([]);
    }
    return pieces.filter((each) => each.length > 0);
}

function drawn(curve: Curve, toX: (v: number) => number, toY: (v: number) => number): SVGElement[] {
    if (curve.points) {
        return Array.from(curve.x, (each, i) => svg("circle", { cx: toX(each ?? NaN).toFixed(2), cy: toY(curve.y[i] ?? NaN).toFixed(2), r: 3.5, fill: curve.colour }))
            .filter((dot) => dot.getAttribute("cx") !== "NaN" && dot.getAttribute("cy") !== "NaN");
    }
    const line = (rows: number[], y: ArrayLike<number | null>) => rows.map((i) => `${toX(curve.x[i]!).toFixed(2)},${toY(y[i]!).toFixed(2)}`);
    if (curve.upper) {
        const { y, upper } = curve;
        return piecesOf(curve.x, y, upper).map((piece) => {
            const points = [...line(piece, upper), ...line(piece, y).reverse()].join(" ");
            return svg("polygon", { points, fill: curve.colour, "fill-opacity": 0.25, stroke: "none" });
        });
    }
    const d = piecesOf(curve.x, curve.y).map((piece) => `M${line(piece, curve.y).join("L")}`).join("");
    return [svg("path", { d, fill: "none", stroke: curve.colour, "stroke-width": 2, "stroke-linejoin": "round", ...(curve.dash ? { "stroke-dasharray": curve.dash } : {}) })];
}

/** The legend, and the height of the picture with it. */
function legend(curves: Curve[], right: number, ink: string): { parts: SVGElement[]; height: number } {
    let [left, y] = [box.left, box.bottom + 60];
    if (curves.length < 2) return { parts: [], height: y - 6 };
    const parts = curves.flatMap((curve) => {
        const size = 40 + 7.2 * curve.label.length;
        if (left + size > right && left > box.left) [left, y] = [box.left, y + rowHeight];
        const here = left;
        left += size;
        return [
            curve.points
                ? svg("circle", { cx: here + 9, cy: y - 5, r: 3.5, fill: curve.colour })
                : curve.upper
                  ? svg("rect", { x: here, y: y - 7, width: 18, height: 10, fill: curve.colour, "fill-opacity": 0.25 })
                  : svg("line", { x1: here, x2: here + 18, y1: y - 5, y2: y - 5, stroke: curve.colour, "stroke-width": 3, ...(curve.dash ? { "stroke-dasharray": curve.dash } : {}) }),
            svg("text", { x: here + 24, y, fill: ink }, curve.label),
        ];
    });
    return { parts, height: y + 14 };
}

export function drawFigure(figure: Figure, width = 760): SVGSVGElement {
    const right = width - 16;
    const [ink, line, paper] = [colour("--ink"), colour("--line"), colour("--card")];
    const x = new Axis(figure.curves.flatMap((each) => finite(each.x)), figure.x);
    const y = new Axis(figure.curves.flatMap((each) => [...finite(each.y), ...finite(each.upper ?? [])]), figure.y);
    const toX = (v: number) => box.left + ((v - x.from) / (x.to - x.from)) * (right - box.left);
    const toY = (v: number) => box.bottom - ((v - y.from) / (y.to - y.from)) * (box.bottom - box.top);
    const middle = (box.top + box.bottom) / 2;
    const { parts, height } = legend(figure.curves, right, ink);
    return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-family": "system-ui, sans-serif", "font-size": 13 },
        svg("title", {}, figure.title),
        svg("rect", { width, height, fill: paper }),
        ...x.ticks().flatMap((v) => [
            svg("line", { x1: toX(v), x2: toX(v), y1: box.top, y2: box.bottom, stroke: line }),
            svg("text", { x: toX(v), y: box.bottom + 18, "text-anchor": "middle", fill: ink }, x.words(v)),
        ]),
        ...y.ticks().flatMap((v) => [
            svg("line", { x1: box.left, x2: right, y1: toY(v), y2: toY(v), stroke: line }),
            svg("text", { x: box.left - 8, y: toY(v) + 4, "text-anchor": "end", fill: ink }, y.words(v)),
        ]),
        ...figure.curves.flatMap((each) => drawn(each, toX, toY)),
        svg("text", { x: (box.left + right) / 2, y: box.bottom + 38, "text-anchor": "middle", fill: ink }, x.label),
        svg("text", { transform: `translate(18,${middle}) rotate(-90)`, "text-anchor": "middle", fill: ink }, y.label),
        ...parts,
    ) as SVGSVGElement;
}

export function svgText(drawing: SVGSVGElement): string {
    return new XMLSerializer().serializeToString(drawing);
}

/** Twice as large as on the screen. */
export async function pngOf(drawing: SVGSVGElement): Promise<Blob> {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawing))}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * Number(drawing.getAttribute("width"));
    canvas.height = 2 * Number(drawing.getAttribute("height"));
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no image")))));
}
