// Lengths of a case in metres, for the drawing only; the engine reads the case itself.

import { numberAndUnit, type Tree } from "./tree";

const metres: { [unit: string]: number } = { m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, km: 1e3, in: 0.0254, ft: 0.3048 };

/** NaN if it is no length that the drawing knows. */
export function lengthOf(tree: Tree | undefined): number {
    const read = numberAndUnit(String(tree ?? ""));
    if (!read) return NaN;
    const unit = read.unit.trim();
    return read.value * (unit === "" ? 1 : (metres[unit] ?? NaN));
}

export const unknown = "\u2013"; // in the place of a number that is not known

/** Three digits and a prefix: 0.00123 s -> "1.23 ms". */
export function shown(value: number, unit: string): string {
    if (Number.isNaN(value)) return unknown;
    if (!Number.isFinite(value)) return String(value);
    if (value === 0) return `0 ${unit}`;
    const names = ["n", "µ", "m", "", "k", "M", "G"];
    const rounded = Number(value.toPrecision(3)); // first: 999.6 becomes 1000, which has the next prefix
    const power = Math.min(3, Math.max(-3, Math.floor(Math.log10(Math.abs(rounded)) / 3)));
    return `${(rounded / 10 ** (3 * power)).toPrecision(3)} ${names[power + 3]}${unit}`;
}
