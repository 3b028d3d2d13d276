// What leaves the page, and what comes in.

import { lengthOf } from "./quantities";

export interface Table {
    [column: string]: ArrayLike<number>;
}
export type Points = { xi: number[]; e: number[] };

export function save(name: string, content: string | Blob, type = "text/plain"): void {
    const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** False if the text is not in the clipboard: a page from http has none, and a reader may refuse. */
export async function toClipboard(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

/** As the command writes it: what is not known is `nan`. */
function cell(value: number): string {
    return Number.isNaN(value) ? "nan" : String(value).replace("Infinity", "inf");
}

export function csvOf(table: Table): string {
    const names = Object.keys(table);
    const count = table[names[0] ?? ""]?.length ?? 0;
    const rows = Array.from({ length: count }, (_, i) => names.map((name) => cell(table[name]![i]!)).join(","));
    return [names.join(","), ...rows].join("\n") + "\n";
}

/** "x [mm]" and "x_mm": the name and the unit behind it, which may be empty. */
function nameAndUnit(header: string): [string, string] {
    const match = /^(x|location)\s*(?:\[(.*)\]|_(\w+))$/.exec(header);
    return match ? [match[1]!, match[2] ?? match[3] ?? ""] : [header, ""];
}

/**
 * Places and restitutions of a table: the columns `xi`, or `x` and `location` with a unit of length, and `e`, `cor` or `cor_kinematic`;
 * else the first two. `length` of the beam [m]. Undefined if no row has them.
 */
export function pointsOf(text: string, length: number): Points | undefined {
    const rows = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#")).map((line) => line.split(/[,;\t]/).map((each) => each.trim()));
    const headers = (rows[0] ?? []).map(nameAndUnit);
    const named = (...names: string[]) => headers.findIndex(([name]) => names.includes(name));
    const [xi, x, e] = [named("xi"), named("x", "location"), named("e", "cor", "cor_kinematic")];
    const place = xi >= 0 ? xi : Math.max(x, 0);
    const unit = headers[place]?.[1] ?? "";
    const scale = place === x && unit ? lengthOf(`1 ${unit}`) / length : 1;
    const number = (cell: string | undefined) => (cell ? Number(cell) : NaN);
    const known = rows
        .map((row): [number, number] => [scale * number(row[place]), number(row[e >= 0 ? e : 1])])
        .filter(([at, value]) => Number.isFinite(value) && at >= 0 && at <= 1)
        .sort((a, b) => a[0] - b[0]);
    return known.length ? { xi: known.map((row) => row[0]), e: known.map((row) => row[1]) } : undefined;
}
