// One frictional impact in the space of impulses, seen from any side.

import { colour, svg } from "./dom";

export type Vector = [number, number, number]; // along n, t, o
export interface Solution {
    status: string;
    branch: string;
    impulse: Vector;
    velocity: Vector;
    dissipated_energy_J: number;
}
export interface Contact {
    A: [number, number, number, number, number, number]; // nn, nt, no, tt, to, oo
    b: Vector;
    mu: number;
    maximum_dissipation: Solution;
    coulomb: Solution[];
    continuum: boolean;
    conic: string;
}

const shape = 520 / 760; // height over width
type Point = [number, number];
type Project = (x: Vector) => Point;

const add = (a: Vector, b: Vector, f = 1): Vector => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** L of A = L L^T by its rows, and A x, A^-1 b from it. */
class Operator {
    private readonly L: [number, number, number, number, number, number]; // nn, tn, tt, on, ot, oo

    constructor(private readonly A: Contact["A"]) {
        const [nn, nt, no, tt, to, oo] = A;
        const a = Math.sqrt(nn);
        const [b, d] = [nt / a, no / a];
        const c = Math.sqrt(Math.max(tt - b * b, 0));
        const e = (to - b * d) / c;
        this.L = [a, b, c, d, e, Math.sqrt(Math.max(oo - d * d - e * e, 0))];
    }
    times(x: Vector): Vector {
        const [nn, nt, no, tt, to, oo] = this.A;
        return [nn * x[0] + nt * x[1] + no * x[2], nt * x[0] + tt * x[1] + to * x[2], no * x[0] + to * x[1] + oo * x[2]];
    }
    /** L^-T u: the unit sphere becomes x.A x = 1. */
    ofSphere(u: Vector): Vector {
        const [a, b, c, d, e, f] = this.L;
        const o = u[2] / f;
        const t = (u[1] - e * o) / c;
        return [(u[0] - b * t - d * o) / a, t, o];
    }
    inverse(y: Vector): Vector {
        const [a, b, c, d, e, f] = this.L;
        const n = y[0] / a;
        const t = (y[1] - b * n) / c;
        return this.ofSphere([n, t, (y[2] - d * n - e * t) / f]);
    }
}

function ring(count: number, of: (angle: number) => Vector): Vector[] {
    return Array.from({ length: count + 1 }, (_, i) => of((2 * Math.PI * i) / count));
}

/** The pieces of lines that lie within `reach` of the middle: an ellipsoid may be a thousand times as long as wide. */
function within(lines: Vector[][], middle: Vector, reach: number): Vector[][] {
    return lines.flatMap((each) => {
        const pieces: Vector[][] = [[]];
        for (const x of each) {
            if (Math.hypot(...add(x, middle, -1)) < reach) pieces[pieces.length - 1]!.push(x);
            else if (pieces[pieces.length - 1]!.length) pieces.push([]);
        }
        return pieces.filter((piece) => piece.length > 1);
    });
}

function path(points: Vector[], project: Project): string {
    return points.map((x, i) => `${i ? "L" : "M"}${project(x).map((v) => v.toFixed(1)).join(",")}`).join("");
}

/** Meridians and parallels of x = centre + radius L^-T u. */
function ellipsoid(operator: Operator, centre: Vector, radius: number): Vector[][] {
    const at = (u: Vector) => add(centre, operator.ofSphere(u), radius);
    const parallels = [-0.75, -0.4, 0, 0.4, 0.75].map((n) => ring(144, (p) => at([n, Math.sqrt(1 - n * n) * Math.cos(p), Math.sqrt(1 - n * n) * Math.sin(p)])));
    const meridians = [0, 1, 2, 3].map((i) => ring(144, (p) => at([Math.cos(p), Math.sin(p) * Math.cos((Math.PI * i) / 4), Math.sin(p) * Math.sin((Math.PI * i) / 4)])));
    return [...parallels, ...meridians];
}

/** Edge of the cone where the compression is complete: (A x - b)_n = 0; in pieces where it runs out of the picture. */
function section({ A, b, mu }: Contact, top: number): Vector[][] {
    const pieces: Vector[][] = [[]];
    for (const x of ring(180, (p) => {
        const [t, o] = [mu * Math.cos(p), mu * Math.sin(p)];
        const n = b[0] / (A[0] + A[1] * t + A[2] * o);
        return [n, n * t, n * o];
    })) {
        if (x[0] > 0 && x[0] <= top) pieces[pieces.length - 1]!.push(x);
        else if (pieces[pieces.length - 1]!.length) pieces.push([]);
    }
    return pieces.filter((each) => each.length > 1);
}

/** Yaw and pitch turn the picture [rad]; at 0, 0 n points up, t to the right, o to the eye. `zoom`: 1 shows all of the cone. */
export function drawCone(contact: Contact, yaw: number, pitch: number, zoom: number, width = 760): SVGSVGElement {
    const height = Math.round(shape * width);
    const operator = new Operator(contact.A);
    const centre = operator.inverse(contact.b); // sticks: the relative velocity is 0
    const radius = (x: Vector) => Math.sqrt(Math.max(dot(add(centre, x, -1), operator.times(add(centre, x, -1))), 0));
    const best = contact.maximum_dissipation.impulse;
    const points = [best, ...contact.coulomb.map((each) => each.impulse)];
    const top = 1.3 * Math.max(1e-300, centre[0], ...points.map((x) => x[0]));
    const edge = ring(72, (p) => [top, contact.mu * top * Math.cos(p), contact.mu * top * Math.sin(p)]);
    const middle: Vector = [0.45 * top, 0, 0];
    const size = Math.max(...[...edge, ...points, centre].map((x) => Math.hypot(...add(x, middle, -1))), 1e-300);
    const level = (x: Vector) => within(ellipsoid(operator, centre, radius(x)), middle, 1.15 * size);
    const project: Project = (x) => {
        const [n, t, o] = add(x, middle, -1);
        const [right, depth] = [t * Math.cos(yaw) + o * Math.sin(yaw), o * Math.cos(yaw) - t * Math.sin(yaw)];
        const up = n * Math.cos(pitch) - depth * Math.sin(pitch);
        const scale = (0.6 * zoom * height) / size;
        return [width / 2 + scale * right, height / 2 - scale * up];
    };
    const [ink, soft, accent, alarm] = [colour("--ink"), colour("--soft"), colour("--accent"), colour("--alarm")];
    const line = (lines: Vector[][], stroke: string, more = {}) =>
        svg("path", { d: lines.map((each) => path(each, project)).join(""), fill: "none", stroke, ...more });
    const generators = edge.filter((_, i) => i % 3 === 0).map((x): Vector[] => [[0, 0, 0], x]);
    const axes: [string, Vector][] = [["n", [0.5 * top, 0, 0]], ["t", [0, 0.5 * top, 0]], ["o", [0, 0, 0.5 * top]]];
    const dots = contact.coulomb.map((each, i) => mark(project(each.impulse), 7, `${i + 1}`, alarm, "none"));
    return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-family": "system-ui, sans-serif", "font-size": 13 },
        svg("title", {}, `Friction cone, energy ellipsoids and ${contact.coulomb.length} Coulomb solutions`),
        svg("rect", { width, height, fill: colour("--card") }),
        line(level([0, 0, 0]), soft, { "stroke-opacity": 0.4 }),
        line(radius(best) > 1e-9 * radius([0, 0, 0]) ? level(best) : [], accent, { "stroke-opacity": 0.6 }),
        line([...generators, edge], ink, { "stroke-opacity": 0.25 }),
        line(section(contact, top), "#c77700", { "stroke-width": 2.5 }),
        ...axes.flatMap(([name, x]) => [line([[[0, 0, 0], x]], ink, { "stroke-width": 1.5 }), svg("text", { x: project(x)[0] + 4, y: project(x)[1] - 4, fill: ink }, name)]),
        ...points.map((x) => line([[[0, 0, 0], x]], accent, { "stroke-width": 1.5, "stroke-dasharray": "5 4" })),
        mark(project(centre), 3, "stick", soft, soft),
        mark(project(best), 5, "", accent, accent),
        ...dots,
    ) as SVGSVGElement;
}

function mark([x, y]: Point, r: number, label: string, stroke: string, fill: string): SVGElement {
    return svg("g", {},
        svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r, stroke, fill, "stroke-width": 2 }),
        svg("text", { x: x + r + 3, y: y - r, fill: stroke }, label));
}
