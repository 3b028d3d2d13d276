// What the build puts into the page: the source of the worker and the engine.

declare const WORKER_SOURCE: string;

export const workerSource = WORKER_SOURCE;

export async function engineBytes(): Promise<ArrayBuffer> {
    const text = document.getElementById("engine")!.textContent!.trim();
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}
