// Beam, supports and striker to scale; striker and supports can be dragged and moved by the arrow keys.

import { onWidth, svg } from "./dom";
import { lengthOf } from "./quantities";
import { isMapping, valueAt, type Mapping, type Tree } from "./tree";

const least = 320; // width
const most = 1000; // on a wider screen the drawing is enlarged
const margin = 60;
const axis = 130; // y of the axis of the beam

type Move = (xi: number, moving: boolean) => void;

/** Half the height of a section [m], NaN if the drawing does not know it. */
function halfHeight(section: Tree | undefined): number {
    if (!isMapping(section)) return NaN;
    for (const key of ["radius", "outer_radius"]) if (key in section) return lengthOf(section[key]);
    return 0.5 * lengthOf(section["height"]);
}

/** Places x/l along the beam with half its height there as it is drawn; between two places the height is linear. */
export function outlineOf(section: Tree | undefined, scale: number): [number, number][] {
    const half = (tree: Tree | undefined) => {
        const height = halfHeight(tree) * scale;
        return Number.isFinite(height) ? Math.min(60, Math.max(1.5, height)) : 6;
    };
    const stations = isMapping(section) && Array.isArray(section["stations"]) ? section["stations"] : [];
    if (stations.length === 0) return [[0, half(section)], [1, half(section)]];
    return stations.map((each) => [(isMapping(each) && Number(each["xi"])) || 0, half(each)]);
}

/** Half the height at a place of an outline; at a step that before it. */
export function heightAt(outline: [number, number][], xi: number): number {
    const next = outline.findIndex(([place]) => place >= xi);
    if (next < 1) return outline.at(next)![1]; // before the first or behind the last place
    const [[from, before], [to, after]] = [outline[next - 1]!, outline[next]!];
    return before + ((xi - from) / (to - from)) * (after - before);
}

export class Drawing {
    private width = most;
    private shown: [Mapping, number] | undefined;

    constructor(
        private readonly root: SVGSVGElement,
        private readonly moveStriker: Move,
        private readonly moveSupport: (path: string, xi: number, moving: boolean) => void,
    ) {
        onWidth(root, () => this.shown && this.show(...this.shown));
    }

    show(tree: Mapping, xi: number): void {
        this.shown = [tree, xi];
        this.width = Math.min(most, Math.max(least, this.root.clientWidth));
        this.root.setAttribute("viewBox", `0 0 ${this.width} 230`);
        const focused = this.root.querySelector(":focus")?.getAttribute("data-path");
        const length = lengthOf(valueAt(tree, "beam.length"));
        const known = Number.isFinite(length) && length > 0;
        const scale = known ? (this.width - 2 * margin) / length : 500;
        const parts: SVGElement[] = [this.beam(tree, scale), this.ruler(length)];
        for (const kind of ["supports", "springs", "dashpots", "masses"]) {
            const items = valueAt(tree, `beam.${kind}`);
            if (!Array.isArray(items)) continue;
            items.forEach((item, i) => parts.push(this.support(kind, item, `beam.${kind}[${i}].xi`)));
        }
        parts.push(this.striker(tree, xi, scale));
        this.root.replaceChildren(...parts);
        if (focused) this.root.querySelector<SVGElement>(`[data-path="${focused}"]`)?.focus();
    }

    private x(xi: number): number {
        return margin + xi * (this.width - 2 * margin);
    }

    private beam(tree: Mapping, scale: number): SVGElement {
        const outline = outlineOf(valueAt(tree, "beam.section"), scale);
        const upper = outline.map(([xi, half]) => `${this.x(xi)},${axis - half}`);
        const lower = [...outline].reverse().map(([xi, half]) => `${this.x(xi)},${axis + half}`);
        return svg("polygon", { class: "beam", points: [...upper, ...lower].join(" ") });
    }

    private ruler(length: number): SVGElement {
        const numbers = this.width < 600 ? 4 : 10;
        const ticks = Array.from({ length: numbers + 1 }, (_, i) => i / numbers).flatMap((xi) => [
            svg("line", { x1: this.x(xi), x2: this.x(xi), y1: 208, y2: 212 }),
            svg("text", { x: this.x(xi), y: 225, "text-anchor": "middle" }, xi === 1 && Number.isFinite(length) ? `1 = ${Number((1000 * length).toPrecision(6))} mm` : String(xi)),
        ]);
        return svg("g", { class: "ruler" }, svg("line", { x1: margin, x2: this.width - margin, y1: 208, y2: 208 }), ...ticks);
    }

    private support(kind: string, item: Tree, path: string): SVGElement {
        const xi = isMapping(item) ? Number(item["xi"]) : NaN;
        const type = kind === "supports" && isMapping(item) ? String(item["type"]) : kind.slice(0, -1);
        const shapes: { [type: string]: string } = {
            pin: "M0,0 L-13,24 L13,24 Z M-18,28 L18,28",
            clamp: "M-4,-34 L-4,34 M-4,-34 l-9,9 M-4,-17 l-9,9 M-4,0 l-9,9 M-4,17 l-9,9",
            slider: "M-4,-24 L-4,24 M-11,-24 L-11,24",
            spring: "M0,6 l0,5 l-8,4 l16,7 l-16,7 l16,7 l-8,4 l0,5 M-14,46 L14,46",
            dashpot: "M0,6 l0,16 M-8,22 L8,22 M-11,16 l0,18 l22,0 l0,-18 M0,34 l0,10 M-14,46 L14,46",
            mass: "M-8,-8 L8,-8 L8,8 L-8,8 Z",
        };
        const group = svg("g", { class: "handle support", transform: `translate(${this.x(xi || 0)},${axis})` },
            svg("rect", { x: -22, y: -36, width: 44, height: 86, class: "grip" }),
            svg("path", { d: shapes[type] ?? "M-6,-6 L6,6 M6,-6 L-6,6" }));
        this.handle(group, path, `${type} of the beam`, xi, (to, moving) => this.moveSupport(path, to, moving));
        return group;
    }

    private striker(tree: Mapping, xi: number, scale: number): SVGElement {
        const radius = lengthOf(valueAt(tree, "striker.radius"));
        const r = Number.isFinite(radius) ? Math.min(45, Math.max(5, radius * scale)) : 12;
        const y = axis - heightAt(outlineOf(valueAt(tree, "beam.section"), scale), xi) - r;
        const group = svg("g", { class: "handle striker", transform: `translate(${this.x(xi)},0)` },
            svg("rect", { x: -25, y: 0, width: 50, height: axis, class: "grip" }),
            svg("circle", { cx: 0, cy: y, r }),
            svg("line", { class: "place", x1: 0, x2: 0, y1: axis, y2: 206 }),
            svg("text", { x: 0, y: Math.max(12, y - r - 8), "text-anchor": "middle" }, `ξ = ${xi.toFixed(3)}`));
        this.handle(group, "striker", "place of the striker", xi, this.moveStriker);
        return group;
    }

    private handle(group: SVGElement, path: string, label: string, xi: number, move: Move): void {
        const at = xi || 0; // what is no number is drawn at the left end
        const now = Number(at.toFixed(4));
        const attributes = { tabindex: 0, role: "slider", "aria-label": `${label}, x over length`, "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": now, "aria-valuetext": `${now} of the length`, "data-path": path };
        for (const [name, value] of Object.entries(attributes)) group.setAttribute(name, String(value));
        group.addEventListener("pointerdown", (event) => this.drag(event, move));
        group.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -0.005, ArrowDown: -0.005, ArrowRight: 0.005, ArrowUp: 0.005, PageDown: -0.05, PageUp: 0.05, Home: -1, End: 1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            move(rounded(at + step), false);
        });
    }

    private drag(start: PointerEvent, move: Move): void {
        if (start.button !== 0) return;
        start.preventDefault();
        const place = (event: PointerEvent) => {
            const box = this.root.getBoundingClientRect();
            return rounded((((event.clientX - box.left) / box.width) * this.width - margin) / (this.width - 2 * margin));
        };
        const ended = new AbortController();
        const on = (name: "pointermove" | "pointerup" | "pointercancel", act: (event: PointerEvent) => void) =>
            window.addEventListener(name, act, { signal: ended.signal });
        let last = place(start);
        on("pointermove", (event) => move((last = place(event)), true));
        on("pointerup", (event) => {
            ended.abort();
            move(place(event), false);
        });
        on("pointercancel", () => { // it has no place of its own
            ended.abort();
            move(last, false);
        });
    }
}

function rounded(xi: number): number {
    return Math.round(1000 * Math.min(1, Math.max(0, xi))) / 1000;
}
