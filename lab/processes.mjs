// The processes that this script started, its browser's among them, from /proc.
import { readFileSync, readdirSync } from "node:fs";

const ticks = 100; // a second, in /proc (CLK_TCK of Linux)

/** The fields of /proc/.../stat behind the name in brackets. */
function fieldsOf(path) {
    const text = readFileSync(path, "utf8");
    return { name: /\((.*)\)/.exec(text)[1], fields: text.replace(/^.*\) /s, "").split(" ") };
}

/** Those that still run; `line`: their command line. */
export function processes() {
    const parent = new Map();
    const attempt = (act) => {
        try {
            return act();
        } catch {
            return undefined; // it has ended
        }
    };
    for (const each of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
        attempt(() => parent.set(Number(each), Number(fieldsOf(`/proc/${each}/stat`).fields[1])));
    const isOwn = (id) => id === process.pid || (parent.has(id) && isOwn(parent.get(id)));
    return [...parent.keys()].filter(isOwn).map((id) => ({
        line: attempt(() => readFileSync(`/proc/${id}/cmdline`, "utf8")) ?? "",
        /** Resident memory [MB]. */
        memory: () => attempt(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024) ?? 0,
        /** Names and processor times [s] of its threads. */
        threads: () => attempt(() => readdirSync(`/proc/${id}/task`).map((thread) => {
            const { name, fields } = fieldsOf(`/proc/${id}/task/${thread}/stat`);
            return { name, seconds: (Number(fields[11]) + Number(fields[12])) / ticks };
        })) ?? [],
    }));
}
