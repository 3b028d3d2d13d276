// What the build puts into the page (build.mjs): the source of the worker, the engine and the keys of its cases, packed.

import type { Key } from "./schema";
import { unpacked, unpackerCode, type Packed } from "./unpacked";

declare const builtWorker: string;

export const workerSource = `var builtUnpacker = "${unpackerCode}";${builtWorker}`;

function held(id: string): Packed {
    const holder = document.getElementById(id)!;
    holder.remove();
    const ascii = holder.textContent!;
    const text = new Uint8Array(ascii.length); // bytes are sent to a worker faster than a string
    new TextEncoder().encodeInto(ascii, text);
    return { text, packed: Number(holder.dataset["packed"]), whole: Number(holder.dataset["whole"]) };
}

/** The engine lies behind the script of the page. What has come meanwhile, as from a worker that starts, goes first. */
export async function packedEngine(): Promise<Packed> {
    if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", () => setTimeout(done)));
    return held("engine");
}

/** The keys of each view, which the engine gave when the page was built. */
export async function keysOfViews(): Promise<{ [view: string]: Key[] }> {
    return JSON.parse(new TextDecoder().decode(await unpacked(held("keys")))) as { [view: string]: Key[] };
}
