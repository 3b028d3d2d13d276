// Bytes through the text of the page and back: node packed.mjs ENGINE_FOLDER
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const unpacker = JSON.stringify(readFileSync(`${process.argv[2]}/stoss_unpack.wasm`).toString("base64"));
async function module(name) {
    const result = await build({
        entryPoints: [fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))], bundle: true, format: "esm", write: false,
        define: { builtUnpacker: unpacker },
    });
    return import(`data:text/javascript,${encodeURIComponent(result.outputFiles[0].text)}`);
}
const { pack } = await module("packed");
const { takeCopies } = await module("copies");
const back = await (await module("unpacked")).Unpacker.start();

const isSame = (bytes) => assert.deepEqual(back.unpack(new TextEncoder().encode(pack(bytes)), bytes.length), bytes);
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647);
for (let size = 0; size < 64; ++size) {
    for (const fill of [0, 13, 60, 127, 255]) isSame(new Uint8Array(size).fill(fill));
    for (let i = 0; i < 50; ++i) isSame(Uint8Array.from({ length: size }, () => random() & 255));
    // Characters of six bits alone, and of seven and six bits in turn.
    for (const group of ["111101", "111110", "111111", "0000000111111", "1111001111101"]) {
        const bits = Array.from({ length: 8 * size }, (_, i) => Number(group[i % group.length]));
        isSame(Uint8Array.from({ length: size }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((all, bit) => 2 * all + bit, 0)));
    }
}
const large = Uint8Array.from({ length: 100_000 }, () => random() & 255);
isSame(large);
const text = pack(large);
assert.match(text, /^[\x01-\x0c\x0e-;=-\x7f]*$/);
const share = text.length / large.length;
assert.ok(share < 1.151, `${share} characters a byte`);
console.log(`packed text: ${share.toFixed(4)} characters a byte`);

// Copies come back: nothing, noise, repetitions near and far, some that overlap what they copy, texts.
const text_of = (size) => new TextEncoder().encode(Array.from({ length: size }, () => ["beam ", "contact ", "mode ", "\0\0\0"][random() % 4]).join(""));
const far = new Uint8Array(400_000);
for (let i = 0; i < far.length; ++i) far[i] = i < 1000 || i % 5000 < 20 ? random() & 255 : far[i - 1000 + (i % 3 ? 0 : 1)];
const repeated = (size) => Uint8Array.from({ length: 40 * size }, (_, i) => large[i % size]);
const contents = [large, new Uint8Array(100_000), far, text_of(30_000), readFileSync(process.execPath).subarray(0, 1_500_000)];
for (let size = 0; size < 40; ++size) contents.push(large.subarray(0, size), repeated(size));
for (const bytes of contents) {
    const short = takeCopies(bytes);
    assert.ok(Buffer.from(back.putCopies(short, bytes.length)).equals(Buffer.from(bytes)), `${bytes.length} bytes`);
}
assert.ok(takeCopies(repeated(30)).length < 40);
console.log(`copies: ${contents.length} contents come back`);
