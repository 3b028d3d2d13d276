// The friction cone: cone, energy ellipsoids and solutions of one rigid impact, turned by hand; the rod of Painleve.

import { byId, factsIn, html, onWidth, widthOf } from "./dom";
import { exportBar } from "./exports";
import type { Table } from "./files";
import { Form } from "./form";
import { count, type Page, type View } from "./page";
import { shown } from "./quantities";
import { Refusals } from "./refusals";
import { drawCone, type Contact, type Solution } from "./scene";
import type { Key } from "./schema";
import type { Mapping } from "./tree";

/** The body of six masses of Preclik, Eibl & Ruede (2017), section 4.1: three Coulomb solutions, none of maximum dissipation. */
const startingContact: Mapping = {
    given: "operator",
    A: {
        nn: "0.861990700792433", nt: "0.069485543076977", n_o: "0.221195130857186",
        tt: "0.768344548954738", to: "0.017921029750132", oo: "0.061395170816764",
    },
    b: { n: "0.059937099051675", t: "-0.735353539181125", o: "-0.046505016622541" },
    mu: "3.7",
};
const startingTurn: [number, number] = [-0.6, 0.35];

const names: { [branch: string]: string } = { separate: "separates", frictionless: "without friction", stick: "sticks", slide: "slides" };

export class ConeView implements View {
    private readonly form: Form;
    private readonly refusals: Refusals;
    private contact: Contact | undefined;
    private ofRod: Mapping | undefined; // the contact, while it is that of the rod
    private zoom = 1;

    constructor(private readonly page: Page, keys: Key[]) {
        this.form = new Form(byId("cone-form"), keys, () => {
            this.leaveRod();
            this.renew();
        }, "cone");
        this.refusals = new Refusals(this.form, "cone-problems", "cone-results");
        this.turning(byId("cone-figure"));
        for (const id of ["rod-angle", "rod-friction"]) byId(id).addEventListener("input", () => this.rod());
        onWidth(byId("cone-figure"), () => this.draw());
        exportBar(page, "cone-", {
            name: "stoss-contact",
            request: () => ({ do: "yaml", case: { problem: "rigid_contact", ...this.tree } }),
            table: () => this.contact && tableOf(this.contact),
            figure: () => this.contact && drawCone(this.contact, ...this.turned, this.zoom),
        });
    }

    show(): void {
        if (this.tree !== this.ofRod) this.leaveRod();
        this.form.show(this.tree);
        this.ask();
    }

    private get tree(): Mapping {
        return (this.page.state.cone ??= structuredClone(startingContact));
    }
    private get turned(): [number, number] {
        return (this.page.state.turned ??= [...startingTurn]);
    }

    private renew(): void {
        this.page.remember();
        this.ask();
    }

    private ask(): void {
        const asked = this.refusals.wait();
        this.page.quick.ask({ do: "cone", case: this.tree }, (answer) => {
            if (!this.refusals.accept(answer, asked)) return;
            this.contact = answer as unknown as Contact;
            this.facts(this.contact);
            this.table(this.contact);
            this.draw();
            count("contacts");
        }, "view");
    }

    private rod(): void {
        const value = (id: string) => byId<HTMLInputElement>(id).value;
        const [angle, mu] = [value("rod-angle"), value("rod-friction")];
        const rod = { mass: "1 kg", length: "1 m", speed: "1 m/s", angles: [`${angle} deg`], friction: [mu] };
        this.page.quick.ask({ do: "rod", case: rod }, (answer) => {
            if (answer.failure || answer.problems) return;
            this.page.state.cone = this.ofRod = answer["case"] as Mapping;
            const critical = Number(answer["critical_friction"]);
            byId("rod-words").textContent =
                `${angle}° and μ = ${mu}. Critical at this angle: μ = ${critical.toFixed(4)}` +
                (Number(mu) >= critical
                    ? "; no finite force keeps the sliding tip out of the plane. The impulse may be zero (separates), or stop the tip (sticks)."
                    : "; a finite force keeps the sliding tip out of the plane.");
            byId("rod-words").dataset["critical"] = String(critical);
            this.form.show(this.tree);
            this.renew();
        }, "rod");
    }

    /** The contact may be that of the rod no more. */
    private leaveRod(): void {
        this.ofRod = undefined;
        byId("rod-words").textContent = "Move a slider to take the rod.";
    }

    private facts(contact: Contact): void {
        const best = contact.maximum_dissipation;
        factsIn("cone-facts", [
            ["Maximum dissipation", names[best.branch] ?? best.branch],
            ["Energy dissipated", shown(best.dissipated_energy_J, "J")],
            ["Normal impulse", shown(best.impulse[0], "N s")],
            ["Coulomb solutions", contact.continuum ? "a continuum" : String(contact.coulomb.length)],
            ["Section at full compression", contact.conic],
        ]);
        byId("cone-facts").dataset["solutions"] = String(contact.coulomb.length);
        byId("cone-facts").dataset["branches"] = contact.coulomb.map((each) => each.branch).join(" ");
        byId("cone-facts").dataset["energy"] = String(best.dissipated_energy_J);
    }

    private table(contact: Contact): void {
        const cells = (solution: Solution) => [
            names[solution.branch] ?? solution.branch,
            ...solution.impulse.map((each) => each.toPrecision(5)),
            Math.hypot(solution.velocity[1], solution.velocity[2]).toPrecision(5),
            solution.dissipated_energy_J.toPrecision(5),
        ];
        byId("cone-solutions").replaceChildren(...solutionsOf(contact).map(([name, solution]) =>
            html("tr", {}, html("th", { scope: "row" }, name), ...cells(solution).map((text) => html("td", {}, text)))));
    }

    private draw(): void {
        const holder = byId("cone-figure");
        if (this.contact) holder.replaceChildren(drawCone(this.contact, ...this.turned, this.zoom, widthOf(holder)));
    }

    private turn(yaw: number, pitch: number): void {
        const [old_yaw, old_pitch] = this.turned;
        this.page.state.turned = [old_yaw + yaw, Math.min(1.57, Math.max(-1.57, old_pitch + pitch))];
        this.draw();
        this.page.remember();
    }

    private enlarge(factor: number): void {
        this.zoom = Math.min(50, Math.max(0.5, this.zoom * factor));
        this.draw();
    }

    private turning(holder: HTMLElement): void {
        const follow = (event: PointerEvent) => this.turn(0.01 * event.movementX, 0.01 * event.movementY);
        holder.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            holder.setPointerCapture(event.pointerId);
            holder.addEventListener("pointermove", follow);
        });
        const end = () => holder.removeEventListener("pointermove", follow);
        holder.addEventListener("pointerup", end);
        holder.addEventListener("pointercancel", end);
        holder.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.enlarge(event.deltaY < 0 ? 1.1 : 1 / 1.1);
        }, { passive: false });
        holder.addEventListener("keydown", (event) => {
            if (event.key === "+" || event.key === "-") this.enlarge(event.key === "+" ? 1.25 : 0.8);
            const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
            if (!step) return;
            event.preventDefault();
            this.turn(step[0]!, step[1]!);
        });
    }
}

/** Maximum dissipation first, then those of Coulomb's friction. */
function solutionsOf(contact: Contact): [string, Solution][] {
    return [["maximum dissipation", contact.maximum_dissipation], ...contact.coulomb.map((each, i): [string, Solution] => [`Coulomb ${i + 1}`, each])];
}

function tableOf(contact: Contact): Table {
    const solutions = solutionsOf(contact).map(([, each]) => each);
    const column = (of: (each: Solution) => number) => solutions.map(of);
    return {
        coulomb: solutions.map((_, i) => i), // 0: maximum dissipation
        impulse_n_N_s: column((each) => each.impulse[0]),
        impulse_t_N_s: column((each) => each.impulse[1]),
        impulse_o_N_s: column((each) => each.impulse[2]),
        velocity_n_m_per_s: column((each) => each.velocity[0]),
        velocity_t_m_per_s: column((each) => each.velocity[1]),
        velocity_o_m_per_s: column((each) => each.velocity[2]),
        dissipated_energy_J: column((each) => each.dissipated_energy_J),
    };
}
