// The map e(xi): the layer that is shown, the band of what further modes may change, frozen curves, measured points.

import uPlot from "uplot";
import { colour, onColours } from "./dom";
import type { Curve, Figure } from "./figure";
import type { Points, Table } from "./files";

export const layers: { column: string; label: string; meaning: string }[] = [
    { column: "cor_kinematic", label: "Restitution e", meaning: "relative velocity of the rigid motion after the last separation over that before, with the sign changed (Newton)" },
    { column: "energy_vibration", label: "Vibration energy / initial energy", meaning: "energy of the vibration modes after the last separation over the initial energy" },
    { column: "energy_contact_loss", label: "Contact loss / initial energy", meaning: "energy that the contact law dissipates over the initial energy" },
    { column: "sub_impacts", label: "Sub-impacts", meaning: "number of intervals with a contact force" },
    { column: "peak_force_N", label: "Peak force [N]", meaning: "largest contact force" },
];

const colours = ["#8a5cd1", "#2a9d5c", "#c77700", "#b3365f"]; // of the frozen curves, as many as are kept
const none: Points = { xi: [], e: [] };

interface Frozen {
    table: Table;
    label: string;
    colour: string;
}

/** Null where a number is not known: uPlot leaves a gap there. */
function numbers(column: ArrayLike<number> | undefined): (number | null)[] {
    return Array.from(column ?? [], (each) => (Number.isNaN(each) ? null : each));
}

export class MapPlot {
    private plot: uPlot;
    private table: Table = {};
    private readonly frozen: Frozen[] = [];
    private freezes = 0; // since the frozen curves were removed
    private measured = none;
    private layer = "cor_kinematic";
    private xi = 0.5;

    constructor(private readonly holder: HTMLElement, private readonly pick: (xi: number) => void) {
        this.plot = this.built(); // empty, while the first map is computed
        new ResizeObserver(() => this.plot.setSize(this.size())).observe(holder);
        onColours(() => this.build());
    }

    show(table: Table, layer: string): void {
        const rebuild = layer !== this.layer;
        this.table = table;
        this.layer = layer;
        if (rebuild) this.build();
        else this.plot.setData(this.data());
    }

    place(xi: number): void {
        if (xi === this.xi) return;
        this.xi = xi;
        this.plot.redraw(false);
    }

    freeze(): void {
        if (this.frozen.length === colours.length) this.frozen.shift();
        const colour = colours[this.freezes % colours.length]!; // that of the curve that goes
        this.frozen.push({ table: this.table, label: `frozen ${++this.freezes}`, colour });
        this.build();
    }
    thaw(): void {
        this.frozen.length = 0;
        this.freezes = 0;
        this.measured = none;
        this.build();
    }
    measure(points: Points): void {
        this.measured = points;
        this.build();
    }
    get current(): Table {
        return this.table;
    }
    get isEmpty(): boolean {
        return this.table["xi"] === undefined;
    }
    /** What is shown, to leave the page. */
    figure(): Figure {
        const [ink, accent] = [colour("--ink"), colour("--accent")];
        const label = layers.find((each) => each.column === this.layer)!.label;
        const [xi, value, high, low] = this.own() as [number[], ...(number | null)[][]];
        const curves: Curve[] = [];
        if (high?.some((each) => each !== null)) curves.push({ label: "with further modes", x: xi, y: low!, upper: high!, colour: accent });
        curves.push({ label, x: xi, y: value!, colour: accent });
        for (const { table, label, colour } of this.frozen) curves.push({ label, x: numbers(table["xi"]), y: numbers(table[this.layer]), colour, dash: "6 4" });
        const { xi: places, e } = this.measurements;
        if (places.length) curves.push({ label: "measured", x: places, y: e, colour: ink, points: true });
        return { title: `${label} along the beam`, x: { label: "place along the beam, x / l", range: [0, 1] }, y: { label }, curves };
    }

    private size(): { width: number; height: number } {
        return { width: Math.max(280, this.holder.clientWidth), height: 300 };
    }

    /** What further modes change is known of the restitution alone. */
    private get hasBand(): boolean {
        return this.layer === "cor_kinematic";
    }
    /** The measured points that belong to the layer: they are restitutions. */
    private get measurements(): Points {
        return this.hasBand ? this.measured : none;
    }

    /** The curve and its band, if it has one. */
    private own(): uPlot.AlignedData {
        const xi = numbers(this.table["xi"]) as number[];
        const value = numbers(this.table[this.layer]);
        if (!this.hasBand) return [xi, value];
        const error = numbers(this.table["cor_truncation"]);
        const band = (sign: number) => value.map((each, i) => (each === null || error[i] == null ? null : each + sign * error[i]!));
        return [xi, value, band(1), band(-1)];
    }

    private data(): uPlot.AlignedData {
        const tables: uPlot.AlignedData[] = [this.own()];
        for (const { table } of this.frozen) tables.push([numbers(table["xi"]) as number[], numbers(table[this.layer])]);
        const [xi, ...values] = tables.length === 1 ? tables[0]! : uPlot.join(tables);
        if (this.measurements.xi.length) values.push(Array.from(xi, () => null));
        return [xi, ...values];
    }

    private build(): void {
        this.plot.destroy();
        this.plot = this.built();
    }

    private built(): uPlot {
        const [ink, accent] = [colour("--ink"), colour("--accent")];
        const label = layers.find((each) => each.column === this.layer)!.label;
        const series: uPlot.Series[] = [
            { label: "ξ" },
            { label, stroke: accent, width: 2, points: { show: false } },
            ...(this.hasBand ? ["with further modes, at most", "at least"] : []).map((label) => ({ label, stroke: "transparent", points: { show: false } })),
            ...this.frozen.map(({ label, colour }) => ({ label, stroke: colour, width: 1.5, dash: [6, 4], spanGaps: true, points: { show: false } })),
        ];
        // For the legend alone: uPlot joins rows at the same place, and there may be several measurements at one.
        if (this.measurements.xi.length) series.push({ label: "measured", stroke: ink, points: { show: false } });
        const grid = { stroke: colour("--line"), width: 1 };
        const made = new uPlot(
            {
                ...this.size(),
                series,
                bands: this.hasBand ? [{ series: [2, 3], fill: `${accent}40` }] : [],
                scales: { x: { time: false, range: [0, 1] }, y: { range: (_, low, high) => this.range(low, high) } },
                axes: [
                    { label: "place along the beam, x / l", stroke: ink, grid, ticks: grid },
                    { label, stroke: ink, grid, ticks: grid, size: 60 },
                ],
                hooks: { draw: [(plot) => this.mark(plot, ink), (plot) => this.points(plot, ink)] },
            },
            this.data(),
            this.holder,
        );
        made.over.addEventListener("click", () => {
            const left = made.cursor.left ?? -1;
            if (left >= 0) this.pick(Math.min(1, Math.max(0, made.posToVal(left, "x"))));
        });
        return made;
    }

    /** With room for the measured points; the numbers of the series are null if there are none yet. */
    private range(low: number | null, high: number | null): uPlot.Range.MinMax {
        let [least, greatest] = [low ?? Infinity, high ?? -Infinity];
        for (const e of this.measurements.e) [least, greatest] = [Math.min(least, e), Math.max(greatest, e)];
        if (least === 0 && greatest === 0) return [0, 1]; // uPlot would take 0 to 100
        return least <= greatest ? uPlot.rangeNum(least, greatest, 0.1, true) : [null, null];
    }

    private points(plot: uPlot, ink: string): void {
        const { xi, e } = this.measurements;
        plot.ctx.save();
        plot.ctx.fillStyle = ink;
        xi.forEach((place, i) => {
            plot.ctx.beginPath();
            plot.ctx.arc(plot.valToPos(place, "x", true), plot.valToPos(e[i]!, "y", true), 3.5 * devicePixelRatio, 0, 7);
            plot.ctx.fill();
        });
        plot.ctx.restore();
    }

    private mark(plot: uPlot, ink: string): void {
        const x = plot.valToPos(this.xi, "x", true);
        plot.ctx.save();
        plot.ctx.strokeStyle = ink;
        plot.ctx.setLineDash([4, 4]);
        plot.ctx.beginPath();
        plot.ctx.moveTo(x, plot.bbox.top);
        plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
        plot.ctx.stroke();
        plot.ctx.restore();
    }
}
