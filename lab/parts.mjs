// Parts of the page that need no browser: node parts.mjs
import assert from "node:assert/strict";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

async function module(name) {
    const result = await build({ entryPoints: [fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))], bundle: true, format: "esm", write: false });
    return import(`data:text/javascript,${encodeURIComponent(result.outputFiles[0].text)}`);
}

// A key that is emptied goes, an item of a list stays in its place.
const { setAt } = await module("tree");
const tree = { at: ["0.2", "0.5"], mass: "1 kg" };
setAt(tree, "at[0]", undefined);
setAt(tree, "mass", undefined);
assert.deepEqual(tree, { at: ["", "0.5"] });

// The place of a case, as x/l or as a length; one that the page cannot read is named.
const { opened } = await module("imports");
const keys = { keys: [{ key: "beam", other_name: "", value: { keys: [], choices: [] } }] };
const openedAt = (location) => opened({ problem: "beam_impact", beam: { length: "500 mm" }, location }, keys);
for (const [location, xi] of [[{ xi: "0.68" }, 0.68], [{ x: "125 mm" }, 0.25], [{ xi: "none", x: "0.1" }, 0.2], [{ xi: "0" }, 0]]) {
    assert.equal(openedAt(location).xi, xi);
    assert.deepEqual(openedAt(location).unused, []);
}
for (const location of [{ xi: "2" }, { x: "3 furlong" }, { xi: "" }]) {
    assert.equal(openedAt(location).xi, undefined);
    assert.deepEqual(openedAt(location).unused, ["location"]);
}

// Measurements at the same place all stay.
const { pointsOf, toClipboard } = await module("files");
assert.deepEqual(pointsOf("xi,e\n0.3,0.6\n0.3,0.7\n"), { xi: [0.3, 0.3], e: [0.6, 0.7] });

// Without a clipboard, as in a page from http, nobody is told that it holds something.
assert.equal(await toClipboard("text"), false);

console.log("parts of the page: all is well");
