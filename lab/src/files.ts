// What leaves the page, and what comes in.

import { lengthOf } from "./quantities";

export interface Table {
    [column: string]: ArrayLike<number>;
}
/** A table for a file, where a cell may be a name. */
export interface Cells {
    [column: string]: ArrayLike<number | string>;
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
function cell(value: number | string): string {
    return Number.isNaN(value) ? "nan" : String(value).replace("Infinity", "inf");
}

export function csvOf(table: Cells): string {
    const names = Object.keys(table);
    const count = table[names[0] ?? ""]?.length ?? 0;
    const rows = Array.from({ length: count }, (_, i) => names.map((name) => cell(table[name]![i]!)).join(","));
    return [names.join(","), ...rows].join("\n") + "\n";
}

// Names of columns, as docs/experiments.md has them; of `location` a number without unit is x/l, of `x` it is in metres.
const fractions = ["xi", "xi_c", "location", "position", "place", "x/l", "impact_location"];
const distances = ["x", "x_c", "xc", "distance"];
const restitutions = ["cor", "e", "eps", "epsilon", "restitution", "coefficient_of_restitution", "cor_mean", "mean_cor", "cor_kinematic", "e_n", "e_mean"];

interface Header {
    name: string;
    unit: string; // "" if there is none
}

/** "CoR [%]" is `cor` in "%", "x_mm" is `x` in "mm". */
function headerOf(text: string): Header {
    const normal = (name: string) => name.toLowerCase().replace(/[ .\-_\t]+/g, "_").replace(/^_|_$/g, "");
    const bracket = /^(.+)[[(](.*)[\])]$/.exec(text);
    if (bracket) return { name: normal(bracket[1]!), unit: bracket[2]!.replace(/^[-1]$/, "") };
    const suffix = /^(.+)_([a-z]+)$/.exec(text);
    const isPlace = suffix && [...fractions, ...distances].includes(normal(suffix[1]!)) && Number.isFinite(lengthOf(`1 ${suffix[2]}`));
    return isPlace ? { name: normal(suffix[1]!), unit: suffix[2]! } : { name: normal(text), unit: "" };
}

/** What a number of the column is multiplied by to be x/l; NaN if that is not a unit of length. */
function fractionOf(header: Header, length: number): number {
    const isFraction = fractions.includes(header.name) && header.unit === "";
    return isFraction ? 1 : lengthOf(`1 ${header.unit || "m"}`) / length;
}

function unitOfRestitution(unit: string): number {
    return unit === "" ? 1 : unit === "%" ? 0.01 : NaN;
}

/** Cells of the rows. Where semicolons or tabs set them apart, a comma is a decimal one. */
function cellsOf(text: string): string[][] {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
    const apart = /[;\t]/.exec(lines[0] ?? "")?.[0] ?? ",";
    const rows = lines.map((line) => line.split(apart).map((each) => each.trim()));
    const isNumber = /^[-+]?\d*,\d+([eE][-+]?\d+)?$/;
    return apart === "," ? rows : rows.map((row) => row.map((each) => (isNumber.test(each) ? each.replace(",", ".") : each)));
}

/**
 * Places and restitutions of a table, by the names of its columns (docs/experiments.md); of a table without names the first two
 * columns, x/l and e. `length` of the beam [m]. Undefined if no row has them.
 */
export function pointsOf(text: string, length: number): Points | undefined {
    const rows = cellsOf(text);
    const number = (cell: string | undefined) => (cell ? Number(cell) : NaN);
    const hasNames = (rows[0] ?? []).some((each) => Number.isNaN(number(each)));
    const headers = hasNames ? rows.shift()!.map(headerOf) : ["xi", "e"].map(headerOf);
    const named = (names: string[]) => headers.findIndex(({ name }) => names.includes(name));
    const [fraction, distance, e] = [named(fractions), named(distances), named(restitutions)];
    const place = fraction >= 0 ? fraction : distance;
    if (place < 0 || e < 0) return undefined;
    const [scale, unit] = [fractionOf(headers[place]!, length), unitOfRestitution(headers[e]!.unit)];
    const known = rows
        .map((row): [number, number] => [scale * number(row[place]), unit * number(row[e])])
        .filter(([at, value]) => Number.isFinite(value) && at >= 0 && at <= 1)
        .sort((a, b) => a[0] - b[0]);
    return known.length ? { xi: known.map((row) => row[0]), e: known.map((row) => row[1]) } : undefined;
}
