// The form of a case, made from what the engine says of its keys: a new contact law appears without an edit here.

import { html } from "./dom";
import type { Problem } from "./engine";
import type { Key, Value } from "./schema";
import { isMapping, numberAndUnit, setAt, valueAt, type Mapping, type Tree } from "./tree";

const pause = 350; // ms without a key, after which what is typed is taken

/** A slider beside a number: where it is for that number, from 0 to 1, and the text of the field for where it is. */
interface Scale {
    at: number;
    textAt(at: number): string;
}

/** Undefined if the text is no number that a slider can change. */
export function scaleOf(value: Value, text: string): Scale | undefined {
    const start = numberAndUnit(text);
    if (!start || !Number.isFinite(start.value)) return undefined;
    const [least, greatest] = [Number(value.least), Number(value.greatest)];
    const bounded = Number.isFinite(least) && Number.isFinite(greatest) && start.unit === "" && greatest <= 100;
    if (!bounded && start.value === 0) return undefined;
    const numberAt = (at: number): number => {
        const number = bounded ? least + at * (greatest - least) : start.value * 4 ** (2 * at - 1);
        return value.kind === "integer" ? Math.max(1, Math.round(number)) : Number(number.toPrecision(4));
    };
    return { at: bounded ? (start.value - least) / (greatest - least) : 0.5, textAt: (at) => `${numberAt(at)}${start.unit}` };
}

export class Form {
    private tree: Mapping = {};
    private readonly fields = new Map<string, HTMLElement>(); // path -> the place of its words
    private typed = 0; // timer: something was typed, and the case is not asked for yet
    private readonly open = new Set<string>(["beam", "beam.supports", "striker", "motion", "contact", "body", "A", "b"]);

    /** `changed(true)`: still moving. */
    constructor(
        private readonly holder: HTMLElement,
        private readonly keys: Key[],
        private readonly changed: (moving: boolean) => void,
        private readonly name = "field", // of the form, in the ids of its fields
    ) {}

    /** What had the focus has it again. */
    show(tree: Mapping): void {
        this.tree = tree;
        this.fields.clear();
        const focused = this.holder.querySelector(":focus")?.id;
        this.holder.replaceChildren(...this.mapping(this.keys, ""));
        if (focused) document.getElementById(focused)?.focus();
    }

    /** Sets the words beside the fields; returns those that belong to no field. */
    complain(problems: Problem[]): Problem[] {
        for (const place of this.fields.values()) {
            place.textContent = "";
            const field = place.parentElement?.querySelector("input,select");
            for (const name of ["aria-invalid", "aria-describedby"]) field?.removeAttribute(name);
        }
        return problems.filter((problem) => {
            const place = this.fields.get(problem.key);
            if (!place) return true;
            place.textContent = `${problem.value} ${problem.rule}. ${problem.hint}`.trim();
            const field = place.parentElement?.querySelector("input,select");
            field?.setAttribute("aria-invalid", "true");
            field?.setAttribute("aria-describedby", place.id);
            for (let up = place.closest("details"); up; up = up.parentElement!.closest("details")) up.open = true;
            return false;
        });
    }

    private set(path: string, value: Tree | undefined, moving: boolean): void {
        setAt(this.tree, path, value);
        this.tell(moving);
    }

    private tell(moving: boolean): void {
        clearTimeout(this.typed);
        this.typed = 0;
        this.changed(moving);
    }

    /** Half of what is typed may be a case too, and a costly one: `600 mm` begins as 6 m. */
    private type(path: string, text: string): void {
        setAt(this.tree, path, text === "" ? undefined : text);
        clearTimeout(this.typed);
        this.typed = window.setTimeout(() => this.tell(false), pause);
    }

    private rebuild(path: string, value: Tree | undefined): void {
        this.set(path, value, false);
        this.show(this.tree);
    }

    private mapping(keys: Key[], prefix: string): HTMLElement[] {
        return keys.flatMap((key) => this.key(key, prefix ? `${prefix}.${key.key}` : key.key, prefix));
    }

    private key(key: Key, path: string, prefix: string): HTMLElement[] {
        const { value } = key;
        if (value.kind === "sequence") return [this.sequence(key, path)];
        if (value.kind === "mapping") return [this.group(key, path, this.held(value, path))];
        if (value.kind === "choice") return this.choice(key, path, prefix);
        return [this.number(key, path)];
    }

    private group(key: Key, path: string, content: HTMLElement[]): HTMLElement {
        const details = html("details", {
            open: this.open.has(path),
            toggle: () => (details.open ? this.open.add(path) : this.open.delete(path)),
        });
        details.append(html("summary", {}, words(key.key), html("small", {}, key.meaning)), ...content, this.place(path));
        return details;
    }

    /** A mapping, or the name that may replace it. */
    private held(value: Value, path: string): HTMLElement[] {
        const held = valueAt(this.tree, path);
        if (value.names.length === 0) return this.mapping(value.keys, path);
        const own = "own values";
        const select = this.select(`${path}-name`, `${path}, by name`, [own, ...value.names], typeof held === "string" ? held : own, (name) =>
            this.rebuild(path, name === own ? {} : name),
        );
        return [row("by name", "Take the values of a known one.", select), ...(typeof held === "string" ? [] : this.mapping(value.keys, path))];
    }

    private choice(key: Key, path: string, prefix: string): HTMLElement[] {
        const { value } = key;
        const none = key.value.other_word || "not given";
        const fallback = typeof key.default === "string" ? key.default : none;
        const held = String(valueAt(this.tree, path) ?? fallback);
        const names = value.choices.map((choice) => choice.name);
        if (!names.includes(held) || key.value.other_word) names.unshift(names.includes(held) ? none : held);
        const chosen = value.choices.find((choice) => choice.name === held);
        const select = this.select(path, path, names, held, (name) => {
            for (const old of chosen?.keys ?? []) setAt(this.tree, prefix ? `${prefix}.${old.key}` : old.key, undefined);
            this.rebuild(path, name);
        });
        const meaning = chosen?.meaning ? `${key.meaning}: ${chosen.meaning}` : key.meaning;
        return [row(words(key.key), meaning, select, this.place(path)), ...this.mapping(chosen?.keys ?? [], prefix)];
    }

    private sequence(key: Key, path: string): HTMLElement {
        const held = valueAt(this.tree, path);
        const items = Array.isArray(held) ? held : [];
        const what = key.value.items[0]!;
        const fresh: Tree = what.kind === "mapping" ? {} : "";
        const add = html("button", { id: `${this.name}-${path}-add`, type: "button", click: () => this.rebuild(path, [...items, this.start(what, fresh)]) }, "Add one");
        const content = items.map((_, i) => {
            const own = `${path}[${i}]`;
            const remove = html("button", { id: `${this.name}-${own}-remove`, type: "button", click: () => this.remove(path, items, i) }, "Remove");
            const fields = what.kind === "mapping" ? [...this.mapping(what.keys, own), this.place(own)] : [this.number({ ...key, value: what }, own)];
            return html("fieldset", {}, html("legend", {}, `${words(key.key)} ${i + 1} `, remove), ...fields);
        });
        return this.group(key, path, [...content, add]);
    }

    /** The focus goes to the button of the next item. After the last one it goes to "Add one". */
    private remove(path: string, items: Tree[], i: number): void {
        this.rebuild(path, items.filter((_, j) => j !== i));
        if (i === items.length - 1) document.getElementById(`${this.name}-${path}-add`)!.focus();
    }

    /** A new item begins with a place in the middle. */
    private start(what: Value, fresh: Tree): Tree {
        if (!isMapping(fresh)) return fresh;
        const begin: Mapping = {};
        for (const key of what.keys.filter((each) => each.is_required)) {
            begin[key.key] = key.key === "xi" ? "0.5" : (key.value.choices[0]?.name ?? "");
        }
        return begin;
    }

    private number(key: Key, path: string): HTMLElement {
        const held = valueAt(this.tree, path);
        const id = `${this.name}-${path}`;
        const field = html("input", {
            id,
            type: "text",
            spellcheck: "false",
            autocomplete: "off",
            value: held === undefined || typeof held === "object" ? "" : String(held),
            placeholder: String(key.default ?? (key.is_required ? "must be given" : "not given")),
            title: key.value.unit ? `in ${key.value.unit}, or with a unit` : "",
        });
        const label = html("label", { for: id }, words(key.key));
        const slider = this.slider(key, path, field);
        field.addEventListener("input", () => this.type(path, field.value.trim()));
        field.addEventListener("change", () => this.typed && this.tell(false)); // by Enter, or by leaving the field
        return html("div", { class: "row" }, label, field, ...(slider ? [slider] : []), html("small", {}, key.meaning), this.place(path));
    }

    private slider(key: Key, path: string, field: HTMLInputElement): HTMLElement | undefined {
        const first = scaleOf(key.value, field.value);
        if (!first) return undefined;
        let scale = first;
        const slider = html("input", { type: "range", min: 0, max: 1, step: 0.001, value: scale.at, "aria-label": `${path}, slide`, "aria-valuetext": field.value });
        const follow = (moving: boolean) => {
            field.value = scale.textAt(Number(slider.value));
            slider.setAttribute("aria-valuetext", field.value);
            this.set(path, field.value, moving);
        };
        slider.addEventListener("input", () => follow(true));
        slider.addEventListener("change", () => follow(false));
        field.addEventListener("input", () => {
            const typed = scaleOf(key.value, field.value);
            slider.disabled = !typed;
            scale = typed ?? scale;
            slider.value = String(scale.at);
            slider.setAttribute("aria-valuetext", field.value);
        });
        return slider;
    }

    private select(id: string, label: string, names: string[], held: string, take: (name: string) => void): HTMLElement {
        const select = html("select", { id: `${this.name}-${id}`, "aria-label": label, change: () => take(select.value) });
        for (const name of names) select.append(html("option", { value: name, selected: name === held }, words(name)));
        return select;
    }

    private place(path: string): HTMLElement {
        const place = html("p", { id: `${this.name}-${path}-problem`, class: "problem", role: "status" });
        this.fields.set(path, place);
        return place;
    }
}

function words(key: string): string {
    return key.replace(/_/g, " ");
}

function row(label: string, meaning: string, field: HTMLElement, ...more: HTMLElement[]): HTMLElement {
    return html("div", { class: "row" }, html("span", { class: "label" }, label), field, html("small", {}, meaning), ...more);
}
