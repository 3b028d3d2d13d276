// The restitution desk: an impact of a point mass, what it shows, and its law for other programs.

import { byId, colour, factsIn, html, onWidth, widthOf } from "./dom";
import { exportBar } from "./exports";
import { drawFigure, type Figure } from "./figure";
import { toClipboard } from "./files";
import { Form } from "./form";
import { count, type Page, type View } from "./page";
import { shown } from "./quantities";
import { Refusals } from "./refusals";
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
    path: { [column: string]: Float64Array };
    programs: Program[];
}

/** Where the desk begins. */
const startingImpact: Mapping = {
    cor: "0.8",
    speed: "1 m/s",
    body: { shape: "sphere", radius: "5 mm", material: "steel" },
    contact: { law: "tsuji" },
};

/** The engine writes an infinite number as a word. */
function numberOf(value: number | string | null | undefined): number {
    return value === "inf" ? Infinity : typeof value === "number" ? value : NaN;
}

export class Desk implements View {
    private readonly form: Form;
    private readonly refusals: Refusals;
    private impact: Impact | undefined;

    constructor(private readonly page: Page, private readonly keys: Key[]) {
        this.form = new Form(byId("desk-form"), keys, () => this.renew(), "desk");
        this.refusals = new Refusals(this.form, "desk-problems", "desk-results");
        byId("desk-layer").addEventListener("change", () => this.draw());
        onWidth(byId("desk-figure"), () => this.draw());
        exportBar(page, "desk-", {
            name: "stoss-impact",
            request: () => ({ do: "impact_yaml", case: this.tree }),
            table: () => this.impact?.path,
            figure: () => this.impact && drawFigure(this.figure(this.impact)),
        });
    }

    show(): void {
        this.form.show(this.tree);
        this.ask();
    }

    private get tree(): Mapping {
        return (this.page.state.desk ??= structuredClone(startingImpact));
    }

    private renew(): void {
        this.page.remember();
        this.ask();
    }

    private ask(): void {
        const asked = this.refusals.wait();
        this.page.quick.ask({ do: "impact", case: this.tree }, (answer) => {
            if (!this.refusals.accept(answer, asked)) return;
            this.impact = answer as unknown as Impact;
            this.facts(this.impact);
            this.law(this.impact);
            this.programs(this.impact.programs);
            this.draw();
            count("impacts");
        }, "view");
    }

    private facts(impact: Impact): void {
        const value = (name: string) => numberOf(impact.numbers[name]);
        const quantity = (number: number, unit: string) => (Number.isFinite(number) ? shown(number, unit) : number === Infinity ? "without end" : "not known");
        const load = numberOf(impact.critical_load_N);
        factsIn("desk-facts", [
            ["Restitution e", Number.isFinite(value("cor")) ? value("cor").toFixed(6) : impact.status],
            ["The body", impact.status],
            ["Duration", quantity(value("duration_s"), "s")],
            ["Largest force", quantity(value("peak_force_N"), "N")],
            ["Largest overlap", quantity(value("peak_overlap_m"), "m")],
            ["Energy dissipated", quantity(value("energy_lost_J"), "J")],
            load === Infinity ? ["Under any load", "never sticks"] : ["Sticks from a load of", quantity(load, "N")],
        ]);
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
                const copy = html("button", { type: "button", click: () => void this.copy(each) }, "Copy");
                return html("div", { class: "program" }, name, html("pre", { tabindex: 0, "aria-label": `lines for ${each.program}` }, each.lines), copy);
            }
            const take = html("button", { type: "button", click: () => this.take(each) }, "Take its law");
            return html("div", { class: "program" }, name, html("p", { class: "hint" }, `No lines: ${each.why}.`), take);
        }));
    }

    private async copy({ program, lines }: Program): Promise<void> {
        const copied = await toClipboard(lines);
        this.page.notice(copied ? `The lines for ${program} are in the clipboard.` : `The browser gives no clipboard: select the lines for ${program} and copy them.`);
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

    private figure({ path }: Impact): Figure {
        const accent = colour("--accent");
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
        const holder = byId("desk-figure");
        if (this.impact) holder.replaceChildren(drawFigure(this.figure(this.impact), widthOf(holder)));
    }
}
