// Bytes as the page holds them, and as they were.

import { putCopies } from "./copies";
import { unpack } from "./packed";

export interface Packed {
    text: string;
    packed: number; // its bytes
    whole: number; // those that were packed
}

export async function unpacked({ text, packed, whole }: Packed): Promise<Uint8Array<ArrayBuffer>> {
    const inflate = new DecompressionStream("deflate-raw");
    const writer = inflate.writable.getWriter();
    void writer.write(unpack(text, packed));
    void writer.close();
    return putCopies(new Uint8Array(await new Response(inflate.readable).arrayBuffer()), whole);
}
