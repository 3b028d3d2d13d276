// Files that are opened or dropped: a case, the data of a report, measured points.

import type { State } from "./address";
import { byId } from "./dom";
import { pointsOf, type Points } from "./files";
import type { Page } from "./page";
import { isMapping, type Mapping } from "./tree";

export class Imports {
    constructor(
        private readonly page: Page,
        private readonly measure: (points: Points) => void,
        private readonly take: (state: State) => void,
    ) {
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
            this.page.notice(words);
            if (points) this.measure(points);
            return;
        }
        const report = file.name.endsWith(".html") ? caseOfReport(text) : text;
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
        const { view, used, unused } = opened(tree);
        const title = tree["title"] ? `: ${String(tree["title"])}` : "";
        const left = Object.keys(unused).filter((key) => key !== "title" && key !== "problem");
        this.page.notice(`Opened ${name}${title}.${left.length ? ` Not used here: ${left.join(", ")}.` : ""}`);
        this.take({ ...this.page.state, view, [view === "beam" ? "case" : view]: used });
    }
}

/** The case that the report of a run shows with all defaults; undefined if there is none. */
function caseOfReport(text: string): string | undefined {
    const page = new DOMParser().parseFromString(text, "text/html");
    return [...page.querySelectorAll("pre")].map((each) => each.textContent!).find((each) => each.startsWith("problem:"));
}

interface Opened {
    view: string;
    used: Mapping;
    unused: Mapping;
}

/** Which view takes the case, and what of it. */
function opened(tree: Mapping): Opened {
    const { problem, title, expect, sweep, over, on_request, not_shown, ...rest } = tree;
    const without = Object.fromEntries(Object.entries({ expect, sweep, over }).filter(([, each]) => each !== undefined)) as Mapping;
    if (problem === "calibrate" || problem === "restitution") {
        if (Array.isArray(rest["cor"])) rest["cor"] = rest["cor"][0] ?? "";
        return { view: "desk", used: rest, unused: without };
    }
    if (problem === "rigid_contact") {
        const { restitution, ...used } = rest;
        if (restitution !== undefined && restitution !== "none") without["restitution"] = restitution;
        return { view: "cone", used, unused: without };
    }
    if (problem === "scheme_comparison" && isMapping(rest["point"])) {
        const { point, contact, sample_rate, ...unused } = rest;
        const { mass, speed, external_force, ...more } = point as Mapping;
        const used: Mapping = { mass: mass!, speed: speed!, contact: contact!, sample_rate: sample_rate! };
        if (external_force !== undefined) used["load"] = external_force;
        return { view: "bench", used, unused: { ...without, ...more, ...unused } };
    }
    const { locations, ...used } = rest;
    if (locations !== undefined) without["locations"] = locations;
    return { view: "beam", used, unused: without };
}
