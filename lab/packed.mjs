// Bytes through the text of the page and back: node packed.mjs
import assert from "node:assert/strict";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const result = await build({
    entryPoints: [fileURLToPath(new URL("src/packed.ts", import.meta.url))], bundle: true, format: "esm", write: false,
});
const { pack, unpack } = await import(`data:text/javascript,${encodeURIComponent(result.outputFiles[0].text)}`);
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
