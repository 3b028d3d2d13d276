// The page: state, the two engines, and what each change sets off.

import { fromHash, toHash, type State } from "./address";
import { engineBytes, workerSource } from "./assets";
import { byId, html } from "./dom";
import { Desk, startingImpact } from "./desk";
import { Drawing } from "./drawing";
import { Engine, type Answer } from "./engine";
import { pngOf, svgText } from "./figure";
import { csvOf, pointsOf, save } from "./files";
import { FilmView, type Film } from "./film";
import { Form } from "./form";
import { MapPlot, layers, type Table } from "./map";
import { presets } from "./presets";
import { shown } from "./quantities";
import type { Key } from "./schema";
import { Tabs } from "./tabs";
import { setAt, type Mapping } from "./tree";

const coarse = 100; // places of a map while something moves
const fine = 400;

/** The same case with the time scheme at 1e-4, unless it says how it is integrated. */
function roughly(tree: Mapping): Mapping {
    return tree["integration"] === undefined ? { ...tree, integration: { tolerance: "1e-4" } } : tree;
}

class Laboratory {
    private state: State = { case: structuredClone(presets[0]!.case), xi: presets[0]!.xi, layer: "cor_kinematic" };
    private readonly form: Form;
    private readonly drawing: Drawing;
    private readonly map = new MapPlot(byId("map"), (xi) => this.place(xi, false));
    private readonly film = new FilmView(byId<HTMLCanvasElement>("film"), byId("film-words"));
    private readonly tabs = new Tabs((view) => this.take({ ...this.state, view }));
    private readonly desk: Desk;
    private addressTimer = 0;
    private plays = false;

    constructor(private readonly maps: Engine, private readonly films: Engine, keys: Key[], deskKeys: Key[]) {
        this.form = new Form(byId("form"), keys, (moving) => this.changed(moving));
        this.desk = new Desk(films, deskKeys, (desk) => {
            this.state.desk = desk;
            this.remember();
        });
        this.drawing = new Drawing(
            document.querySelector<SVGSVGElement>("#drawing")!,
            (xi, moving) => this.place(xi, moving),
            (path, xi, moving) => {
                setAt(this.state.case, path, String(xi));
                if (!moving) this.form.show(this.state.case);
                this.changed(moving);
            },
        );
        this.controls();
        this.take(fromHash(location.hash) ?? this.state);
        window.addEventListener("hashchange", () => {
            const state = fromHash(location.hash);
            if (state && toHash(state) !== toHash(this.state)) this.take(state);
        });
    }

    private take(state: State): void {
        this.state = state;
        this.tabs.show(state.view ?? "beam");
        if (state.view === "desk") {
            state.desk ??= structuredClone(startingImpact);
            this.desk.show(state.desk);
            this.remember();
            return;
        }
        byId<HTMLSelectElement>("layer").value = state.layer;
        this.form.show(state.case);
        this.changed(false);
    }

    private changed(moving: boolean): void {
        this.drawing.show(this.state.case, this.state.xi);
        this.map.place(this.state.xi);
        this.askMap(moving);
        this.askFilm();
        this.remember();
    }

    private place(xi: number, moving: boolean): void {
        this.state.xi = xi;
        this.drawing.show(this.state.case, xi);
        this.map.place(xi);
        this.askFilm();
        if (!moving) this.remember();
    }

    private remember(): void {
        clearTimeout(this.addressTimer);
        this.addressTimer = window.setTimeout(() => history.replaceState(null, "", toHash(this.state)), 200);
    }

    private askMap(moving: boolean): void {
        const places = moving ? coarse : fine;
        const xi = Array.from({ length: places }, (_, i) => (i + 0.5) / places);
        const asked = moving ? roughly(this.state.case) : this.state.case;
        this.maps.ask({ do: "map", case: asked, xi, truncation: !moving }, (answer) => {
            if (!this.accept(answer)) return;
            this.map.show(answer["columns"] as Table, this.state.layer);
            document.body.dataset["maps"] = String(Number(document.body.dataset["maps"] ?? 0) + 1);
            document.body.dataset["places"] = String(places);
        });
    }

    private askFilm(): void {
        const xi = this.state.xi;
        this.films.ask({ do: "collide", case: this.state.case, xi, samples: 400, stations: 61 }, (answer) => {
            if (answer.problems || answer.failure) return;
            const film = answer as unknown as Film;
            this.film.show(film, xi);
            this.report(film);
            document.body.dataset["films"] = String(Number(document.body.dataset["films"] ?? 0) + 1);
        });
    }

    private report(film: Film): void {
        const value = (name: string) => Number(film.numbers[name]);
        const e = value("cor_kinematic");
        const facts: [string, string][] = [
            ["Restitution e", Number.isFinite(e) ? e.toFixed(5) : film.status.replace(/_/g, " ")],
            ["Sub-impacts", String(value("sub_impacts"))],
            ["Separation after", shown(value("separation_s"), "s")],
            ["Peak force", shown(value("peak_force_N"), "N")],
            ["Impulse", shown(value("impulse_N_s"), "N s")],
            ["Approach", shown(value("approach_speed_m_per_s"), "m/s")],
        ];
        byId("facts").replaceChildren(...facts.map(([name, text]) => html("div", {}, html("dt", {}, name), html("dd", {}, text))));
        byId("facts").dataset["e"] = String(e);
    }

    /** False if the engine refused; what was shown stays. */
    private accept(answer: Answer): boolean {
        const rest = this.form.complain(answer.problems ?? []);
        const words = rest.map((each) => `${each.key}: ${each.value} ${each.rule}. ${each.hint}`);
        if (answer.failure) words.push(answer.failure);
        byId("problems").textContent = words.join("\n");
        const refused = answer.problems !== undefined || answer.failure !== undefined;
        byId("map").classList.toggle("stale", refused);
        return !refused;
    }

    private notice(words: string): void {
        for (const place of document.querySelectorAll(".notice")) place.textContent = words;
    }

    private controls(): void {
        const preset = byId<HTMLSelectElement>("preset");
        presets.forEach((each, i) => preset.append(html("option", { value: i }, each.name)));
        preset.addEventListener("change", () => {
            const chosen = presets[Number(preset.value)]!;
            byId("preset-words").textContent = chosen.meaning;
            this.take({ case: structuredClone(chosen.case), xi: chosen.xi, layer: this.state.layer });
        });
        byId("preset-words").textContent = presets[0]!.meaning;
        const layer = byId<HTMLSelectElement>("layer");
        for (const each of layers) layer.append(html("option", { value: each.column }, each.label));
        layer.addEventListener("change", () => {
            this.state.layer = layer.value;
            byId("layer-words").textContent = layers.find((each) => each.column === layer.value)!.meaning;
            this.map.show(this.map.current, layer.value);
            this.remember();
        });
        byId("layer-words").textContent = layers[0]!.meaning;
        byId("freeze").addEventListener("click", () => this.map.freeze());
        byId("thaw").addEventListener("click", () => this.map.thaw());
        this.exports();
        this.imports();
        this.player();
    }

    private exports(): void {
        byId("save-yaml").addEventListener("click", () => {
            const whole: Mapping = {
                problem: "beam_impact_map",
                ...this.state.case,
                locations: { from: String(0.5 / fine), to: String(1 - 0.5 / fine), points: String(fine) },
            };
            this.films.ask({ do: "yaml", case: whole }, (answer) => {
                save("stoss-lab.yaml", String(answer["text"]));
                this.askFilm();
            });
        });
        byId("save-csv").addEventListener("click", () => save("stoss-lab.csv", csvOf(this.map.current), "text/csv"));
        byId("save-svg").addEventListener("click", () => save("stoss-lab.svg", svgText(this.map.figure()), "image/svg+xml"));
        byId("save-png").addEventListener("click", async () => save("stoss-lab.png", await pngOf(this.map.figure())));
        for (const button of document.querySelectorAll(".share")) button.addEventListener("click", async () => {
            history.replaceState(null, "", toHash(this.state));
            await navigator.clipboard.writeText(location.href).catch(() => undefined);
            this.notice("The address of this page holds all of this; it is in the clipboard.");
        });
    }

    private imports(): void {
        const open = byId<HTMLInputElement>("open");
        open.addEventListener("change", () => open.files?.[0] && void this.read(open.files[0]));
        document.addEventListener("dragover", (event) => event.preventDefault());
        document.addEventListener("drop", (event) => {
            event.preventDefault();
            const file = event.dataTransfer?.files[0];
            if (file) void this.read(file);
        });
    }

    private async read(file: File): Promise<void> {
        const text = await file.text();
        if (file.name.endsWith(".csv")) {
            const points = pointsOf(text);
            const words = points
                ? `${points.xi.length} measured points from ${file.name}.`
                : `${file.name} has no row with a place between 0 and 1 and a number behind it.`;
            this.notice(words);
            if (points) this.map.measure(points);
            return;
        }
        this.maps.ask({ do: "case", text }, (answer) => {
            if (!this.accept(answer)) return;
            const { problem, title, locations, expect, ...rest } = answer["case"] as Mapping;
            if (problem === "calibrate" || problem === "restitution") {
                if (Array.isArray(rest["cor"])) rest["cor"] = rest["cor"][0] ?? "";
                this.notice(`Opened ${file.name} at the restitution desk.`);
                this.take({ ...this.state, view: "desk", desk: rest });
                return;
            }
            this.notice(`Opened ${file.name}${title ? `: ${String(title)}` : ""}. Not used here: ${[problem && "problem", locations && "locations", expect && "expect"].filter(Boolean).join(", ") || "nothing"}.`);
            this.take({ ...this.state, view: "beam", case: rest });
        });
    }

    private player(): void {
        const time = byId<HTMLInputElement>("time");
        const play = byId<HTMLButtonElement>("play");
        const seconds = byId<HTMLInputElement>("seconds");
        time.addEventListener("input", () => this.film.draw(Number(time.value)));
        let before = 0;
        const step = (now: number) => {
            if (!this.plays) return;
            const at = (this.film.at + (now - before) / 1000 / Number(seconds.value)) % 1;
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

async function begin(): Promise<void> {
    const bytes = await engineBytes();
    let laboratory: Laboratory | undefined;
    const replaced = (why: string) => {
        document.querySelector(".view:not([hidden]) .notice")!.textContent = `An engine failed and was replaced (${why}). Change something to go on.`;
    };
    const maps = new Engine(workerSource, bytes, replaced);
    const films = new Engine(workerSource, bytes, replaced);
    maps.ask({ do: "keys" }, (answer) => {
        laboratory ??= new Laboratory(maps, films, answer["keys"] as Key[], answer["desk"] as Key[]);
    });
}

void begin();
