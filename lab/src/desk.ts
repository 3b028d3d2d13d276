// The restitution desk: an impact of a point mass, what it shows, and its law for other programs.

import { byId, html } from "./dom";
import type { Answer, Engine } from "./engine";
import { drawFigure, pngOf, svgText, type Figure } from "./figure";
import { csvOf, save } from "./files";
import { Form } from "./form";
import type { Table } from "./map";
import { shown } from "./quantities";
import type { Key } from "./schema";
import { isMapping, setAt, type Mapping } from "./tree";

interface Program {
    program: string;
    law: string;
    separation: string;
    lines: string;
    why: string;
}
interface Impact {
    status: string;
    numbers: { [name: string]: number | string | null };
    critical_load_N: number | string;
    law: { key: string; value: number; unit: string }[];
    path: { [column: string]: number[] };
    programs: Program[];
}

/** Where the desk begins. */
export const startingImpact: Mapping = {
    cor: "0.8",
    speed: "1 m/s",
    body: { shape: "sphere", radius: "5 mm", material: "steel" },
    contact: { law: "tsuji" },
};

/** The engine writes an infinite number as a word. */
function numberOf(value: number | string | null | undefined): number {
    return value === "inf" ? Infinity : typeof value === "number" ? value : NaN;
}

export class Desk {
    private tree: Mapping = structuredClone(startingImpact);
    private readonly form: Form;
    private impact: Impact | undefined;

    constructor(private readonly engine: Engine, private readonly keys: Key[], private readonly changed: (tree: Mapping) => void) {
        this.form = new Form(byId("desk-form"), keys, () => this.renew(), "desk");
        byId("desk-layer").addEventListener("change", () => this.draw());
        byId("desk-svg").addEventListener("click", () => this.impact && save("stoss-impact.svg", svgText(this.figure()), "image/svg+xml"));
        byId("desk-png").addEventListener("click", async () => this.impact && save("stoss-impact.png", await pngOf(this.figure())));
        byId("desk-csv").addEventListener("click", () => this.impact && save("stoss-impact.csv", csvOf(this.impact.path as Table), "text/csv"));
        byId("desk-yaml").addEventListener("click", () => {
            this.engine.ask({ do: "impact_yaml", case: this.tree }, (answer) => {
                save("stoss-impact.yaml", String(answer["text"]));
                this.ask();
            });
        });
    }

    show(tree: Mapping): void {
        this.tree = tree;
        this.form.show(tree);
        this.ask();
    }

    private renew(): void {
        this.changed(this.tree);
        this.ask();
    }

    ask(): void {
        this.engine.ask({ do: "impact", case: this.tree }, (answer) => {
            if (!this.accept(answer)) return;
            this.impact = answer as unknown as Impact;
            this.facts(this.impact);
            this.law(this.impact);
            this.programs(this.impact.programs);
            this.draw();
            const count = Number(document.body.dataset["impacts"] ?? 0) + 1;
            document.body.dataset["impacts"] = String(count);
        });
    }

    /** False if the engine refused; what was shown stays. */
    private accept(answer: Answer): boolean {
        const rest = this.form.complain(answer.problems ?? []);
        const words = rest.map((each) => `${each.key}: ${each.value} ${each.rule}. ${each.hint}`);
        if (answer.failure) words.push(answer.failure);
        byId("desk-problems").textContent = words.join("\n");
        const refused = answer.problems !== undefined || answer.failure !== undefined;
        byId("desk-results").classList.toggle("stale", refused);
        return !refused;
    }

    private facts(impact: Impact): void {
        const value = (name: string) => numberOf(impact.numbers[name]);
        const quantity = (number: number, unit: string) => (Number.isFinite(number) ? shown(number, unit) : number === Infinity ? "without end" : "not known");
        const load = numberOf(impact.critical_load_N);
        const facts: [string, string][] = [
            ["Restitution e", Number.isFinite(value("cor")) ? value("cor").toFixed(6) : impact.status],
            ["The body", impact.status],
            ["Duration", quantity(value("duration_s"), "s")],
            ["Largest force", quantity(value("peak_force_N"), "N")],
            ["Largest overlap", quantity(value("peak_overlap_m"), "m")],
            ["Energy lost", quantity(value("energy_lost_J"), "J")],
            ["Sticks from a load of", load === Infinity ? "none" : quantity(load, "N")],
        ];
        byId("desk-facts").replaceChildren(...facts.map(([name, text]) => html("div", {}, html("dt", {}, name), html("dd", {}, text))));
        byId("desk-facts").dataset["e"] = String(value("cor"));
    }

    private law(impact: Impact): void {
        const rows = impact.law.map(({ key, value, unit }) => html("tr", {}, html("th", { scope: "row" }, key.replace(/_/g, " ")), html("td", {}, `${value} ${unit}`)));
        byId("desk-law").replaceChildren(...rows);
        for (const { key, value } of impact.law) byId("desk-law").dataset[key.replace(/_./g, (two) => two[1]!.toUpperCase())] = String(value);
    }

    private programs(programs: Program[]): void {
        byId("desk-programs").replaceChildren(...programs.map((each) => {
            const name = html("h3", {}, each.program);
            if (each.lines) {
                const copy = html("button", { type: "button", click: () => void navigator.clipboard.writeText(each.lines).catch(() => undefined) }, "Copy");
                return html("div", { class: "program" }, name, html("pre", { tabindex: 0, "aria-label": `lines for ${each.program}` }, each.lines), copy);
            }
            const take = html("button", { type: "button", click: () => this.take(each) }, "Take its law");
            return html("div", { class: "program" }, name, html("p", { class: "hint" }, `No lines: ${each.why}.`), take);
        }));
    }

    /** Law and separation of a program; what the old law alone has goes. */
    private take(program: Program): void {
        const laws = this.keys.find((each) => each.key === "contact")!.value.keys.find((each) => each.key === "law")!.value.choices;
        const contact = this.tree["contact"];
        const kept = laws.find((each) => each.name === program.law)!.keys.map((each) => each.key);
        const same = isMapping(contact) && contact["law"] === program.law;
        const held = isMapping(contact) && same ? Object.entries(contact).filter(([key]) => kept.includes(key)) : [];
        setAt(this.tree, "contact", { law: program.law, separation: program.separation, ...Object.fromEntries(held) });
        this.form.show(this.tree);
        this.renew();
    }

    private figure(): Figure {
        const { path } = this.impact!;
        const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
        const force = { label: "contact force", unit: "N" };
        const over = byId<HTMLSelectElement>("desk-layer").value === "time_s" ? { column: "time_s", label: "time", unit: "s" } : { column: "overlap_m", label: "overlap", unit: "m" };
        return {
            title: `Contact force over ${over.label}`,
            x: over,
            y: force,
            curves: [{ label: "contact force", x: path[over.column]!, y: path["force_N"]!, colour: accent }],
        };
    }

    private draw(): void {
        if (this.impact) byId("desk-figure").replaceChildren(drawFigure(this.figure()));
    }
}
