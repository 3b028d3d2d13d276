// The view in which a beam is struck: drawing, form, map and film, and what each change sets off.

import { byId, factsIn, html, listIn } from "./dom";
import { Drawing } from "./drawing";
import { exportBar } from "./exports";
import type { Points, Table } from "./files";
import { drawFigure } from "./figure";
import { FilmView, type Film } from "./film";
import { Form } from "./form";
import { MapPlot, layers } from "./map";
import { count, type Page, type View } from "./page";
import { presets } from "./presets";
import { shown, unknown } from "./quantities";
import { refusalIn, Refusals } from "./refusals";
import type { Key } from "./schema";
import { setAt, type Mapping } from "./tree";

const coarse = 100; // places of a map while something moves
const first = 25; // of the map with which the page opens: the browser has only begun to compile the engine then
const fine = 400;
const filmEvery = 250; // ms between two films while something moves

function placesOf(number: number): number[] {
    return Array.from({ length: number }, (_, i) => (i + 0.5) / number);
}

/** The same case with the time scheme at 1e-4, unless it says how it is integrated. */
function roughly(tree: Mapping): Mapping {
    return tree["integration"] === undefined ? { ...tree, integration: { tolerance: "1e-4" } } : tree;
}

export class BeamView implements View {
    private readonly form: Form;
    private readonly refusals: Refusals;
    private readonly drawing: Drawing;
    private readonly map = new MapPlot(byId("map"), (xi) => this.place(xi, false));
    private readonly film = new FilmView(byId<HTMLCanvasElement>("film"), byId("film-words"), byId("time"));
    private changes = 0; // so many times the case changed
    private fineSince = 0; // the change whose fine map is shown
    private filmedAt = -Infinity; // ms
    private plays = false;

    constructor(private readonly page: Page, keys: Key[]) {
        this.form = new Form(byId("beam-form"), keys, (moving) => this.changed(moving));
        this.refusals = new Refusals(this.form, "beam-problems", "beam-results");
        this.drawing = new Drawing(
            document.querySelector<SVGSVGElement>("#drawing")!,
            (xi, moving) => this.place(xi, moving),
            (path, xi, moving) => {
                setAt(this.page.state.case, path, String(xi));
                if (!moving) this.form.show(this.page.state.case);
                this.changed(moving);
            },
        );
        this.controls();
        this.player();
        exportBar(page, "beam-", {
            name: "stoss-lab",
            request: () => ({ do: "yaml", case: this.whole() }),
            table: () => this.map.current,
            figure: () => drawFigure(this.map.figure()),
        });
    }

    show(): void {
        this.form.show(this.page.state.case);
        this.changed(false);
    }
    measure(points: Points): void {
        this.map.measure(points);
    }

    /** Preset and layer of the state. The case may be none of the presets: one from outside, or one that was changed. */
    private showChoices(): void {
        const { state } = this.page;
        const text = JSON.stringify(state.case);
        const preset = presets.findIndex((each) => JSON.stringify(each.case) === text);
        byId<HTMLSelectElement>("preset").value = preset < 0 ? "" : String(preset);
        byId("preset-words").textContent = presets[preset]?.meaning ?? "";
        byId<HTMLSelectElement>("layer").value = state.layer;
        byId("layer-words").textContent = layers.find((each) => each.column === state.layer)?.meaning ?? "";
    }

    /**
     * A coarse map at once; while something moves, a small film with it a few times a second. When nothing moves any more, what
     * is fine comes after the coarse map: two engines that begin together would delay it.
     */
    private changed(moving: boolean): void {
        const { state } = this.page;
        const change = ++this.changes;
        this.showChoices();
        this.drawing.show(state.case, state.xi);
        this.map.place(state.xi);
        this.page.remember();
        const { xi } = state;
        const filmed = moving && performance.now() - this.filmedAt > filmEvery;
        const places = this.map.isEmpty ? first : coarse;
        const asked = this.refusals.wait();
        for (const id of ["beam-warnings", "film-warnings"]) byId(id).classList.add("stale"); // until the fine map and its film are there
        const film = filmed ? { film: { xi, samples: 120, stations: 41 } } : {};
        this.page.quick.ask({ do: "map", case: roughly(state.case), xi: placesOf(places), ...film }, (answer) => {
            if (this.fineSince >= change || !this.refusals.accept(answer, asked)) return;
            this.showMap(answer["columns"] as Table, places);
            if (filmed) {
                this.showFilm(answer["film"] as Film, xi);
                this.filmedAt = performance.now();
            }
            if (!moving && change === this.changes) this.refine(change);
        }, "view");
    }

    /** The film and the map as fine as they are shown at rest. */
    private refine(change: number): void {
        const { state } = this.page;
        this.askFilm();
        this.page.careful.ask({ do: "map", case: state.case, xi: placesOf(fine), truncation: true }, (answer) => {
            if (change !== this.changes || !this.refusals.accept(answer)) return;
            this.fineSince = change;
            this.showMap(answer["columns"] as Table, fine);
            listIn("beam-warnings", answer["warnings"] as string[]);
        }, "map");
    }

    private place(xi: number, moving: boolean): void {
        this.page.state.xi = xi;
        this.drawing.show(this.page.state.case, xi);
        this.map.place(xi);
        byId("film-warnings").classList.add("stale");
        this.setOutdated(true);
        this.askFilm();
        if (!moving) this.page.remember();
    }

    private askFilm(): void {
        const change = this.changes;
        const { xi } = this.page.state;
        this.page.careful.ask({ do: "collide", case: this.page.state.case, xi, samples: 400, stations: 61 }, (answer) => {
            if (change !== this.changes) return;
            const refusal = refusalIn(answer);
            if (refusal) {
                this.setOutdated(true, refusal);
                return;
            }
            this.showFilm(answer as unknown as Film, xi);
            if (xi === this.page.state.xi) listIn("film-warnings", answer["warnings"] as string[]);
        }, "film");
    }

    /** Marks numbers and film if they are those of an earlier place or case. `why`: no newer ones come. */
    private setOutdated(outdated: boolean, why = ""): void {
        for (const id of ["beam-facts", "film", "film-words"]) byId(id).classList.toggle("stale", outdated);
        byId("film-problems").textContent = why;
    }

    private showMap(table: Table, places: number): void {
        this.map.show(table, this.page.state.layer);
        document.body.dataset["places"] = String(places);
        count("maps");
    }

    private showFilm(film: Film, xi: number): void {
        this.film.show(film, xi);
        this.setOutdated(xi !== this.page.state.xi);
        const value = (name: string) => Number(film.numbers[name]);
        const e = value("cor_kinematic");
        factsIn("beam-facts", [
            ["Restitution e", Number.isFinite(e) ? e.toFixed(5) : film.status.replace(/_/g, " ")],
            ["Sub-impacts", Number.isFinite(value("sub_impacts")) ? String(value("sub_impacts")) : unknown],
            ["Last separation after", shown(value("separation_s"), "s")],
            ["Peak force", shown(value("peak_force_N"), "N")],
            ["Impulse", shown(value("impulse_N_s"), "N s")],
            ["Approach speed", shown(value("approach_speed_m_per_s"), "m/s")],
        ]);
        byId("beam-facts").dataset["e"] = String(e);
        byId("beam-facts").dataset["samples"] = String(film.time.length);
        count("films");
    }

    /** The case as the command takes it, with the places of the fine map. */
    private whole(): Mapping {
        return {
            problem: "beam_impact_map",
            ...this.page.state.case,
            locations: { from: String(0.5 / fine), to: String(1 - 0.5 / fine), points: String(fine) },
        };
    }

    private controls(): void {
        const preset = byId<HTMLSelectElement>("preset");
        presets.forEach((each, i) => preset.append(html("option", { value: i }, each.name)));
        preset.append(html("option", { value: "", disabled: true, hidden: true })); // shown for another case
        preset.addEventListener("change", () => {
            const chosen = presets[Number(preset.value)]!;
            Object.assign(this.page.state, { case: structuredClone(chosen.case), xi: chosen.xi });
            this.show();
        });
        const layer = byId<HTMLSelectElement>("layer");
        for (const each of layers) layer.append(html("option", { value: each.column }, each.label));
        layer.addEventListener("change", () => {
            this.page.state.layer = layer.value;
            this.showChoices();
            this.map.show(this.map.current, layer.value);
            this.page.remember();
        });
        byId("freeze").addEventListener("click", () => this.map.freeze());
        byId("thaw").addEventListener("click", () => this.map.thaw());
    }

    private player(): void {
        const time = byId<HTMLInputElement>("time");
        const play = byId<HTMLButtonElement>("play");
        const seconds = byId<HTMLInputElement>("seconds");
        time.addEventListener("input", () => this.film.draw(Number(time.value)));
        let before = 0;
        const step = (now: number) => {
            if (!this.plays) return;
            const length = Math.max(1, Number(seconds.value) || 8); // s, also while the field is empty
            const at = (this.film.at + (now - before) / 1000 / length) % 1;
            before = now;
            time.value = String(at);
            this.film.draw(at);
            requestAnimationFrame(step);
        };
        play.addEventListener("click", () => {
            this.plays = !this.plays;
            play.textContent = this.plays ? "Pause" : "Play";
            before = performance.now();
            if (this.plays) requestAnimationFrame(step);
        });
    }
}
