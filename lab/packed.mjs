// Bytes through the text of the page and back: node packed.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

async function module(name) {
    const result = await build({
        entryPoints: [fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))], bundle: true, format: "esm", write: false,
    });
    return import(`data:text/javascript,${encodeURIComponent(result.outputFiles[0].text)}`);
}
const { pack, unpack } = await module("packed");
const { unpackLzma } = await module("lzma");

const isSame = (bytes) => assert.deepEqual(unpack(pack(bytes), bytes.length), bytes);
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647);
for (let size = 0; size < 64; ++size) {
    for (const fill of [0, 13, 60, 127, 255]) isSame(new Uint8Array(size).fill(fill));
    for (let i = 0; i < 50; ++i) isSame(Uint8Array.from({ length: size }, () => random() & 255));
    // Every group of seven bits is one that a page must not hold.
    const bits = Array.from({ length: 8 * size }, (_, i) => ([0, 13, 60][random() % 3] >> (6 - (i % 7))) & 1);
    isSame(Uint8Array.from({ length: size }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((all, bit) => 2 * all + bit, 0)));
}
const large = Uint8Array.from({ length: 100_000 }, () => random() & 255);
isSame(large);
const text = pack(large);
assert.doesNotMatch(text, /[\0\r<]/);
const share = Buffer.byteLength(text) / large.length;
assert.ok(share < 1.145, `${share} bytes of text a byte`);
console.log(`packed text: ${share.toFixed(4)} bytes a byte`);

// What xz packs with each of its options comes back: nothing, noise, repetitions near and far, texts.
const text_of = (size) => new TextEncoder().encode(Array.from({ length: size }, () => ["beam ", "contact ", "mode ", "\0\0\0"][random() % 4]).join(""));
const far = new Uint8Array(400_000);
for (let i = 0; i < far.length; ++i) far[i] = i < 1000 || i % 5000 < 20 ? random() & 255 : far[i - 1000 + (i % 3 ? 0 : 1)];
const contents = [new Uint8Array(0), large, new Uint8Array(100_000), far, text_of(30_000), readFileSync(process.execPath).subarray(0, 1_500_000)];
for (const options of [[], ["lc=0,lp=0,pb=0"], ["lc=1,lp=3,pb=4"], ["lc=4,lp=0,pb=2"]]) {
    for (const bytes of contents) {
        const args = ["--format=lzma", "--stdout", ...(options.length ? [`--lzma1=preset=6,${options[0]}`] : ["-9e"])];
        const packed = execFileSync("xz", args, { input: bytes, maxBuffer: 1 << 28 });
        assert.ok(Buffer.from(unpackLzma(packed, bytes.length)).equals(Buffer.from(bytes)), `${bytes.length} bytes, ${options}`);
    }
}
console.log(`LZMA: ${contents.length} contents come back under each option`);
