// What the build puts into the page: the engine and the source of its worker, packed (build.mjs).

import { unpack } from "./packed";

async function unzipped(id: string): Promise<Response> {
    const holder = document.getElementById(id)!;
    const packed = unpack(holder.textContent!, Number(holder.dataset["size"]));
    holder.remove();
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
}

export async function engineModule(): Promise<WebAssembly.Module> {
    return WebAssembly.compile(await (await unzipped("engine")).arrayBuffer());
}

export async function workerSource(): Promise<string> {
    return (await unzipped("worker")).text();
}
