// Files that are opened or dropped: a case, the data of a report, measured points.

import type { State } from "./address";
import { byId } from "./dom";
import { pointsOf, type Points } from "./files";
import type { Page } from "./page";
import { refusalIn } from "./refusals";
import type { Key } from "./schema";
import { lengthOf } from "./quantities";
import { isMapping, valueAt, type Mapping, type Tree } from "./tree";

export class Imports {
    constructor(
        private readonly page: Page,
        private readonly keys: { [view: string]: Key[] },
        private readonly measure: (points: Points) => void,
        private readonly take: (state: State) => void,
    ) {
        const open = byId<HTMLInputElement>("open");
        open.addEventListener("change", () => {
            const file = open.files?.[0];
            open.value = ""; // else the same file, changed, would not be read again
            if (file) void this.read(file);
        });
        document.addEventListener("dragover", (event) => event.preventDefault());
        document.addEventListener("drop", (event) => {
            event.preventDefault();
            const file = event.dataTransfer?.files[0];
            if (file) void this.read(file);
        });
    }

    private async read(file: File): Promise<void> {
        const text = await file.text();
        const ending = /\.\w+$/.exec(file.name.toLowerCase())?.[0];
        if (ending === ".csv") {
            const points = pointsOf(text, lengthOf(valueAt(this.page.state.case, "beam.length")));
            const words = points
                ? `${points.xi.length} measured points from ${file.name}.`
                : `${file.name} has no column of places or none of restitutions, or no row on the beam.`;
            this.page.notice(words);
            if (points) this.measure(points);
            return;
        }
        const report = ending === ".html" ? caseOfReport(text) : text;
        if (report === undefined) {
            this.page.notice(`${file.name} is not the report of a run: it holds no case.`);
            return;
        }
        this.page.careful.ask({ do: "case", text: report }, (answer) => {
            const words = (answer.problems ?? []).map((each) => `line ${each.line}: ${each.value} ${each.rule}. ${each.hint}`);
            if (answer["case"] === undefined) this.page.notice(`${file.name} was not read. ${answer.failure ?? words.join("\n")}`);
            else this.open(file.name, answer["case"] as Mapping);
        });
    }

    private open(name: string, tree: Mapping): void {
        const found = opened(tree, this.keys);
        if (typeof found === "string") {
            this.page.notice(`${name} was not opened. ${found}`);
            return;
        }
        const { view, used, unused, xi } = found;
        const title = tree["title"] ? `: ${String(tree["title"])}` : "";
        const words = `Opened ${name}${title}.${unused.length ? ` Not used here: ${unused.join(", ")}.` : ""}`;
        this.page.careful.ask(oneAnswer(view, used, xi), (answer) => {
            const refusal = refusalIn(answer);
            this.page.notice(refusal ? `${name} cannot be used. ${refusal}` : words);
        });
        this.take({ ...this.page.state, view, [view === "beam" ? "case" : view]: used, ...(xi === undefined ? {} : { xi }) });
    }
}

const entities: { [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", apos: "'" };

/** The case that the report of a run shows with all defaults; undefined if there is none. */
function caseOfReport(text: string): string | undefined {
    const found = /<pre>(problem:[^]*?)<\/pre>/.exec(text)?.[1];
    return found?.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

interface Opened {
    view: string;
    used: Mapping;
    unused: string[];
    xi: number | undefined; // where the case strikes its beam
}

const views: { [problem: string]: string } = {
    beam_impact: "beam", beam_impact_map: "beam", calibrate: "desk", restitution: "desk", rigid_contact: "cone", scheme_comparison: "bench",
};
/** What shows whether the engine takes a case: one collision, or what the view asks. */
function oneAnswer(view: string, tree: Mapping, xi = 0.5): object {
    const questions: { [view: string]: object } = { beam: { do: "map", xi: [xi] }, desk: { do: "impact" }, cone: { do: "cone" }, bench: { do: "bench" } };
    return { ...questions[view], case: tree };
}
const silent = ["problem", "title", "locations"]; // keys that the page has in another way
/** Defaults of keys that the page does not have, where they are not empty. The report of a run writes all defaults. */
const defaults: Mapping = { gradient_of: "auto", gradient_kinks: "true", marks: { nodes: "0", pivot: "none" }, plot: { axes: "physical" }, halvings: "6" };

/** The names that are allowed in a mapping: its keys, and those that a choice among them brings along. */
function namesOf(keys: Key[]): string[] {
    return keys.flatMap((each) => [each.key, each.other_name, ...each.value.choices.flatMap((choice) => namesOf(choice.keys))]);
}

function isEmpty(value: Tree | undefined): boolean {
    return value === undefined || value === null || ["", "none", "false", false].includes(value as string) ||
        (typeof value === "object" && Object.keys(value).length === 0);
}

/** The case is the same without this key. */
function saysNothing(name: string, value: Tree): boolean {
    return isEmpty(value) || JSON.stringify(value) === JSON.stringify(defaults[name]);
}

/** `location` as x/l; undefined if there is none, or none that the page can read. */
function placeOf(tree: Mapping): number | undefined {
    const x = valueAt(tree, "location.x");
    const given = x === undefined || isEmpty(x) ? valueAt(tree, "location.xi") : lengthOf(x) / lengthOf(valueAt(tree, "beam.length"));
    const place = isEmpty(given) ? NaN : Number(given);
    return place >= 0 && place <= 1 ? place : undefined;
}

/** The path of a key `table`, which names a file beside the case; undefined if there is none. */
function tableIn(tree: Tree, path = ""): string | undefined {
    if (typeof tree !== "object" || tree === null) return undefined;
    for (const [key, value] of Object.entries(tree)) {
        const own = Array.isArray(tree) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
        const found = key === "table" && !isEmpty(value) ? own : tableIn(value, own);
        if (found) return found;
    }
    return undefined;
}

/** Which view takes the case, and what of it; or why none does. A wrong key further inside is left to the words of the engine. */
export function opened(tree: Mapping, keys: { [view: string]: Key[] }): Opened | string {
    const problem = tree["problem"] ?? "beam_impact_map";
    const view = views[String(problem)];
    if (!view) return `The laboratory has no view for the problem \`${String(problem)}\`.`;
    let whole = structuredClone(tree);
    if (view === "bench") {
        if (!isMapping(tree["point"])) return "The schemes bench has a point mass only; this case has a beam.";
        const { mass, speed, external_force, rebounds } = tree["point"];
        whole = { ...whole, mass: mass ?? "", speed: speed ?? "", load: external_force ?? "0", rebounds: rebounds === undefined || String(rebounds) === "1" ? "none" : rebounds };
        for (const name of ["point", "schemes", "motion", "mesh"]) delete whole[name]; // the last two are of a beam
    }
    if (view === "desk" && Array.isArray(whole["cor"])) whole["cor"] = whole["cor"][0] ?? "";
    const contact = whole["contact"];
    const own = keys[view === "beam" ? "keys" : view]!;
    const names = namesOf(own);
    const used = Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
    const table = tableIn(used);
    if (table) return `\`${table}\` names a file that the page does not have. Open the report of a run of this case: it holds the numbers of the file.`;
    const xi = view === "beam" ? placeOf(tree) : undefined;
    const elsewhere = xi === undefined ? silent : [...silent, "location"];
    const unused = Object.entries(whole).filter(([name, value]) => !names.includes(name) && !elsewhere.includes(name) && !saysNothing(name, value)).map(([name]) => name);
    const ofContact = own.find((each) => each.key === "contact");
    if (isMapping(contact) && "area" in contact && ofContact && !namesOf(ofContact.value.keys).includes("area")) delete contact["area"]; // of two surfaces
    return { view, used, unused, xi };
}
