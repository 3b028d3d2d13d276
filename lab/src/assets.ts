// What the build puts into the page: the engine and the source of its worker, packed (build.mjs).

import { unpackLzma } from "./lzma";
import { unpack } from "./packed";

function unpacked(id: string): Uint8Array<ArrayBuffer> {
    const holder = document.getElementById(id)!;
    const { size, whole } = holder.dataset;
    const bytes = unpack(holder.textContent!, Number(size));
    holder.remove();
    return unpackLzma(bytes, Number(whole));
}

export function engineModule(): Promise<WebAssembly.Module> {
    return WebAssembly.compile(unpacked("engine"));
}

export function workerSource(): string {
    return new TextDecoder().decode(unpacked("worker"));
}
