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

// A case that names a file beside it is refused.
assert.match(opened({ problem: "beam_impact", beam: { section: { shape: "profile", table: "bat.csv" } } }, keys), /`beam.section.table` names a file/);
assert.notEqual(typeof opened({ problem: "beam_impact", beam: { section: { shape: "profile", table: "none" } } }, keys), "string");

// Measurements at the same place all stay.
const { pointsOf, toClipboard } = await module("files");
assert.deepEqual(pointsOf("xi,e\n0.3,0.6\n0.3,0.7\n", 0.5), { xi: [0.3, 0.3], e: [0.6, 0.7] });

// Places as lengths, as in docs/start/experimenter.md; a map has both, and xi counts.
assert.deepEqual(pointsOf("x [mm],cor,sd,n\n125,0.37,0.02,5\n250,0.35,0.02,5\n", 0.5), { xi: [0.25, 0.5], e: [0.37, 0.35] });
assert.deepEqual(pointsOf("x_m,cor\n0.125,0.4\n", 0.5), { xi: [0.25], e: [0.4] });
assert.deepEqual(pointsOf("xi,x_m,cor_kinematic\n0.2,0.1,0.9\n", 0.5), { xi: [0.2], e: [0.9] });
assert.deepEqual(pointsOf("0.3,0.6\n0.7,0.8\n", 0.5), { xi: [0.3, 0.7], e: [0.6, 0.8] });
assert.deepEqual(pointsOf("xi;e\n0,30;0,92\n0,50;0,81\n", 0.5), { xi: [0.3, 0.5], e: [0.92, 0.81] });
assert.deepEqual(pointsOf("xi,trial,CoR\n0.3,1,0.92\n", 0.5), { xi: [0.3], e: [0.92] });
assert.deepEqual(pointsOf("xi,speed,cor [-]\n0.3,3.0,0.92\n", 0.5), { xi: [0.3], e: [0.92] });
assert.deepEqual(pointsOf("Location,CoR (%)\n0.25,50\n", 0.5), { xi: [0.25], e: [0.5] });
assert.deepEqual(pointsOf("x,e\n0.125,0.92\n", 0.5), { xi: [0.25], e: [0.92] });
assert.equal(pointsOf("xi,speed\n0.3,3.0\n", 0.5), undefined);
assert.equal(pointsOf("x [furlong],cor\n1,0.4\n", 0.5), undefined);

// Without a clipboard, as in a page from http, nobody is told that it holds something.
assert.equal(await toClipboard("text"), false);

// A request that takes long gives way to a later one about the same topic, in a new worker with the compiled code; no other one does.
const { Engine } = await module("engine");
const workers = [];
globalThis.Worker = class {
    constructor() {
        workers.push(this);
        setTimeout(() => this.onmessage?.({ data: { started: true } }));
    }
    postMessage({ code, request }) {
        if (code) this.code = code;
        else if (!/slow/.test(request)) setTimeout(() => this.onmessage?.({ data: { answer: request } }));
    }
    terminate() {
        this.ended = true;
    }
};
const engine = new Engine("", { code: Promise.resolve("compiled") }, () => assert.fail("no engine failed"));
const answered = [];
const ask = (name, topic) => engine.ask({ name }, (answer) => answered.push(answer.name), topic);
ask("slow map", "view");
ask("a case", "");
ask("old map", "view");
ask("map", "view");
while (answered.length < 2) await new Promise((done) => setTimeout(done, 20));
assert.deepEqual(answered, ["a case", "map"]);
assert.deepEqual(workers.map((each) => [each.code, each.ended]), [["compiled", true], ["compiled", undefined]]);
ask("slow film", "film");
ask("map", "view");
await new Promise((done) => setTimeout(done, 800));
assert.equal(workers.length, 2);
assert.deepEqual(answered, ["a case", "map"]);

console.log("parts of the page: all is well");
