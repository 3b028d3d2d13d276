// The schemes bench: one impact of a point mass under each time scheme, and what the step does to it.

import { byId, colour, html, onWidth, widthOf } from "./dom";
import { exportBar } from "./exports";
import { drawFigure, type Curve, type Figure } from "./figure";
import type { Cells } from "./files";
import { Form } from "./form";
import { count, type Page, type View } from "./page";
import { shown } from "./quantities";
import { Refusals } from "./refusals";
import type { Key } from "./schema";
import type { Mapping } from "./tree";

interface Run {
    scheme: string;
    status: string;
    cor: number | null;
    steps: number;
    evaluations: number;
    path: { [column: string]: Float64Array };
}
interface Answered {
    sample_rate: number; // Hz
    reference: { cor: number | null; path: { [column: string]: Float64Array } };
    schemes: Run[];
}

const startingImpact: Mapping = {
    sample_rate: "200 kHz",
    mass: "10 g",
    speed: "1 m/s",
    contact: { law: "hunt_crossley", stiffness: "1e8", restitution: "0.8" },
};
const colours = ["#1565a8", "#c8553d", "#2a9d5c", "#8a5cd1", "#c77700", "#00838f", "#ad1457", "#6d4c41", "#546e7a"];
const fewest = 2; // steps of a contact
const most = 500;
const layers: { [column: string]: { label: string; unit: string } } = {
    energy_J: { label: "kinetic and stored energy", unit: "J" },
    overlap_m: { label: "overlap", unit: "m" },
    velocity_m_per_s: { label: "velocity", unit: "m/s" },
};

function words(name: string): string {
    return name.replace(/_/g, " ");
}

export class Bench implements View {
    private readonly form: Form;
    private readonly refusals: Refusals;
    private answered: Answered | undefined;
    private readonly hidden = new Set<string>();
    private slides = false; // the slider of the step is in the hand

    constructor(private readonly page: Page, keys: Key[]) {
        this.form = new Form(byId("bench-form"), keys, () => this.renew(), "bench");
        this.refusals = new Refusals(this.form, "bench-problems", "bench-results");
        const layer = byId<HTMLSelectElement>("bench-layer");
        for (const [column, { label }] of Object.entries(layers)) layer.append(html("option", { value: column }, label));
        layer.addEventListener("change", () => this.draw());
        const step = byId<HTMLInputElement>("bench-step");
        step.addEventListener("input", () => {
            this.slides = true;
            this.setSteps(fewest * (most / fewest) ** Number(step.value));
        });
        step.addEventListener("change", () => {
            this.slides = false;
            this.form.show(this.tree);
        });
        onWidth(byId("bench-figure"), () => this.draw());
        exportBar(page, "bench-", {
            name: "stoss-schemes",
            request: () => ({ do: "bench_yaml", case: this.tree }),
            table: () => this.answered && tableOf(this.answered),
            figure: () => this.answered && drawFigure(this.figure(this.answered)),
        });
    }

    show(): void {
        this.form.show(this.tree);
        this.ask();
    }

    private get tree(): Mapping {
        return (this.page.state.bench ??= structuredClone(startingImpact));
    }
    /** Duration of the contact [s]; 0 if it is not known. */
    private get duration(): number {
        return this.answered?.reference.path["time_s"]!.at(-1) ?? 0;
    }

    private setSteps(steps: number): void {
        if (!(this.duration > 0)) return;
        this.tree["sample_rate"] = (steps / this.duration).toPrecision(5);
        this.renew();
    }

    /** How many steps the contact has, in words and by the slider. */
    private steps({ sample_rate }: Answered): void {
        const steps = sample_rate * this.duration;
        const words = steps > 0 ? `${Number(steps.toPrecision(3))} steps in a contact` : "";
        byId("bench-step-words").textContent = words;
        const step = byId<HTMLInputElement>("bench-step");
        step.setAttribute("aria-valuetext", words);
        if (steps > 0 && !this.slides) step.value = String(Math.log(steps / fewest) / Math.log(most / fewest));
    }

    private renew(): void {
        this.page.remember();
        this.ask();
    }

    private ask(): void {
        const asked = this.refusals.wait();
        this.page.quick.ask({ do: "bench", case: this.tree }, (answer) => {
            if (!this.refusals.accept(answer, asked)) return;
            this.answered = answer as unknown as Answered;
            this.steps(this.answered);
            this.table(this.answered);
            this.draw();
            count("benches");
        }, "view");
    }

    private table({ reference, schemes }: Answered): void {
        const off = (run: Run) => (run.cor === null || reference.cor === null ? words(run.status) : (run.cor - reference.cor).toExponential(2));
        const energy = (run: Run) => run.path["energy_J"]!.reduce((all, each) => Math.max(all, each), 0) / run.path["energy_J"]![0]! - 1;
        byId("bench-schemes").replaceChildren(...schemes.map((run, i) => {
            const box = html("input", { type: "checkbox", id: `bench-${run.scheme}`, checked: !this.hidden.has(run.scheme), change: () => {
                if (!this.hidden.delete(run.scheme)) this.hidden.add(run.scheme);
                this.draw();
            } });
            const name = html("label", { for: `bench-${run.scheme}` }, words(run.scheme));
            const key = html("span", { class: "key" });
            key.style.background = colours[i % colours.length]!;
            const row = html("tr", { "data-scheme": run.scheme, "data-cor": String(run.cor) }, html("th", { scope: "row" }, box, key, name));
            for (const text of [run.cor?.toFixed(5) ?? "none", off(run), energy(run).toExponential(1), String(run.steps), String(run.evaluations)]) row.append(html("td", {}, text));
            return row;
        }));
        byId("bench-reference").textContent = reference.cor === null ? "The body does not come back." :
            `Reference: e = ${reference.cor.toFixed(8)}, contact of ${shown(this.duration, "s")}.`;
        byId("bench-reference").dataset["cor"] = String(reference.cor);
    }

    private figure({ reference, schemes }: Answered): Figure {
        const column = byId<HTMLSelectElement>("bench-layer").value;
        const { label, unit } = layers[column]!;
        const ink = colour("--ink");
        const curves = schemes.map((run, i): Curve => ({ label: words(run.scheme), x: run.path["time_s"]!, y: run.path[column]!, colour: colours[i % colours.length]! }));
        return {
            title: `${label} over time under ${schemes.length} schemes`,
            x: { label: "time", unit: "s" },
            y: { label, unit },
            curves: [
                ...curves.filter((_, i) => !this.hidden.has(schemes[i]!.scheme)),
                { label: "reference", x: reference.path["time_s"]!, y: reference.path[column]!, colour: ink, dash: "5 4" },
            ],
        };
    }

    private draw(): void {
        const holder = byId("bench-figure");
        if (this.answered) holder.replaceChildren(drawFigure(this.figure(this.answered), widthOf(holder)));
    }
}

/** Samples of the reference and of all schemes, one after the other, each with its name. */
function tableOf({ reference, schemes }: Answered): Cells {
    const table: { [column: string]: (number | string)[] } = { scheme: [] };
    for (const { scheme, path } of [{ scheme: "reference", path: reference.path }, ...schemes]) {
        for (const [name, values] of Object.entries(path)) (table[name] ??= []).push(...values);
        table["scheme"]!.push(...Array.from(path["time_s"]!, () => scheme));
    }
    return table;
}
