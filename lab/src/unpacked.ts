// Bytes as the page holds them, and as they were.

declare const builtUnpacker: string;

/** engine/unpack.cpp: WebAssembly in base64. */
export const unpackerCode = builtUnpacker;

export interface Packed {
    text: Uint8Array; // ASCII
    packed: number; // its bytes
    whole: number; // those that were packed
}

type Unpack = (from: number, size: number, to: number, limit: number) => number;
interface Exports {
    memory: WebAssembly.Memory;
    __heap_base: WebAssembly.Global;
    stoss_unpack: Unpack;
    stoss_put_copies: Unpack;
}

/** Both ways back, over bytes. */
export class Unpacker {
    private constructor(private readonly own: Exports) {}

    static async start(): Promise<Unpacker> {
        const code = Uint8Array.from(atob(unpackerCode), (each) => each.charCodeAt(0));
        const { instance } = await WebAssembly.instantiate(code);
        return new Unpacker(instance.exports as unknown as Exports);
    }

    /** The `size` bytes that the text holds. */
    unpack(text: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
        return this.run(this.own.stoss_unpack, text, size);
    }

    /** The `size` bytes from which the copies were taken. */
    putCopies(form: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
        return this.run(this.own.stoss_put_copies, form, size);
    }

    private run(unpack: Unpack, bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
        const { memory, __heap_base } = this.own;
        const from = __heap_base.value as number;
        const to = from + bytes.length;
        const missing = to + size - memory.buffer.byteLength;
        if (missing > 0) memory.grow(Math.ceil(missing / 65536));
        new Uint8Array(memory.buffer).set(bytes, from);
        const count = unpack(from, bytes.length, to, size);
        if (count !== size) throw new Error(`unpacked ${count} bytes in place of ${size}`);
        return new Uint8Array(memory.buffer as ArrayBuffer).slice(to, to + size);
    }
}

export async function unpacked({ text, packed, whole }: Packed): Promise<Uint8Array<ArrayBuffer>> {
    const unpacker = await Unpacker.start();
    const inflate = new DecompressionStream("deflate-raw");
    const writer = inflate.writable.getWriter();
    void writer.write(unpacker.unpack(text, packed));
    void writer.close();
    return unpacker.putCopies(new Uint8Array(await new Response(inflate.readable).arrayBuffer()), whole);
}
