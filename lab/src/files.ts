// What leaves the page as a file, and what comes in.

import type { Points, Table } from "./map";

export function save(name: string, content: string | Blob, type = "text/plain"): void {
    const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export function csvOf(table: Table): string {
    const names = Object.keys(table);
    const rows = (table[names[0] ?? ""] ?? []).map((_, i) => names.map((name) => table[name]![i]).join(","));
    return [names.join(","), ...rows].join("\n") + "\n";
}

/** Two columns, xi and e, with or without names; undefined if there is no such row. */
export function pointsOf(text: string): Points | undefined {
    const rows = text
        .split(/\r?\n/)
        .map((line) => line.split(/[,;\t]/).map((cell) => (cell.trim() === "" ? NaN : Number(cell))))
        .filter((row) => Number.isFinite(row[0]) && Number.isFinite(row[1]) && row[0]! >= 0 && row[0]! <= 1);
    if (rows.length === 0) return undefined;
    rows.sort((a, b) => a[0]! - b[0]!);
    return { xi: rows.map((row) => row[0]!), e: rows.map((row) => row[1]!) };
}
