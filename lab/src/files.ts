// What leaves the page, and what comes in.

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

/** Places and restitutions of a table: the columns `xi` and `e` or `cor_kinematic` of a run, else the first two. Undefined if no row has them. */
export function pointsOf(text: string): Points | undefined {
    const rows = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#")).map((line) => line.split(/[,;\t]/).map((each) => each.trim()));
    const named = (names: string[], otherwise: number) => {
        const at = rows[0]?.findIndex((each) => names.includes(each)) ?? -1;
        return at < 0 ? otherwise : at;
    };
    const [x, y] = [named(["xi"], 0), named(["e", "cor_kinematic"], 1)];
    const known = rows
        .map((row): [number, number] => [row[x] ? Number(row[x]) : NaN, row[y] ? Number(row[y]) : NaN])
        .filter(([xi, e]) => Number.isFinite(e) && xi >= 0 && xi <= 1)
        .sort((a, b) => a[0] - b[0]);
    return known.length ? { xi: known.map((row) => row[0]), e: known.map((row) => row[1]) } : undefined;
}
