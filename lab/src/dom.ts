// Elements in one call.

type Attributes = { [name: string]: string | number | boolean | ((event: Event) => void) };

function fill(node: Element, attributes: Attributes, children: (Node | string)[]): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") node.addEventListener(name, value);
        else if (value === true) node.setAttribute(name, "");
        else if (value !== false) node.setAttribute(name, String(value));
    }
    node.append(...children);
}

export function html<K extends keyof HTMLElementTagNameMap>(
    name: K,
    attributes: Attributes = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const node = document.createElement(name);
    fill(node, attributes, children);
    return node;
}

export function svg(name: string, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElement {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    fill(node, attributes, children);
    return node;
}

export function byId<T extends HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

/** Names and numbers in a list of definitions. */
export function factsIn(id: string, facts: [string, string][]): void {
    byId(id).replaceChildren(...facts.map(([name, text]) => html("div", {}, html("dt", {}, name), html("dd", {}, text))));
}

/** Sentences as the items of a list. */
export function listIn(id: string, sentences: string[]): void {
    byId(id).replaceChildren(...sentences.map((each) => html("li", {}, each)));
    byId(id).classList.remove("stale");
}

const figureWidth = { least: 320, most: 760 };

/** The width of a figure in its holder: as drawn, its text has its own size; where there is more room, it is enlarged. */
export function widthOf(holder: HTMLElement): number {
    return Math.min(figureWidth.most, Math.max(figureWidth.least, holder.clientWidth));
}

/** Calls when the width of a holder changes. */
export function onWidth(holder: Element, call: () => unknown): void {
    let width = 0;
    new ResizeObserver(() => {
        if (holder.clientWidth === width) return;
        width = holder.clientWidth;
        call();
    }).observe(holder);
}

/** A colour of the style sheet, such as "--ink", in the scheme that the reader has. */
export function colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Calls when the reader changes between the light and the dark scheme. */
export function onColours(call: () => unknown): void {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", call);
}
