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

// The report of a run writes all defaults. They are no loss; a sweep is.
const ofReport = { gradient: "none", gradient_of: "auto", gradient_kinks: "true", marks: { nodes: "0", pivot: "none" }, plot: { axes: "physical" }, sweep: "none", expect: [] };
const reported = { problem: "beam_impact_map", title: "", beam: { length: "0.5 m" }, locations: { from: "0", to: "1", points: "3", at: "none" }, ...ofReport };
assert.deepEqual(opened(reported, keys).unused, []);
assert.deepEqual(opened({ ...reported, sweep: { over: "beam.length" } }, keys).unused, ["sweep"]);
assert.deepEqual(opened({ ...reported, plot: { axes: "dimensionless" } }, keys).unused, ["plot"]);
const compared = { problem: "scheme_comparison", point: { mass: "1 kg", speed: "1 m/s", rebounds: "1" }, beam: "none", motion: { gravity: "0 m/s^2" }, mesh: { elements: "80" }, halvings: "6" };
assert.deepEqual(opened(compared, { bench: ["mass", "speed", "load"].map((key) => ({ ...keys.keys[0], key })) }).unused, []);

// Measurements at the same place all stay.
const { csvOf, pointsOf, toClipboard } = await module("files");
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

// A table with names.
assert.equal(csvOf({ scheme: ["reference", "rk4"], energy_J: new Float64Array([0.5, NaN]) }), "scheme,energy_J\nreference,0.5\nrk4,nan\n");

// Three digits, and the prefix of what they say.
const { shown } = await module("quantities");
for (const [value, text] of [[0.9999, "1.00 N"], [999.6, "1.00 kN"], [999.4, "999 N"], [-0.9996e-3, "-1.00 mN"], [1e-3, "1.00 mN"], [1e6, "1.00 MN"], [12345, "12.3 kN"], [0, "0 N"]]) {
    assert.equal(shown(value, "N"), text);
}

// A slider takes number and unit from what is typed now.
const { scaleOf } = await module("form");
const positive = { kind: "number", least: 0, greatest: "inf" };
assert.equal(scaleOf(positive, "600 mm").textAt(0.5), "600 mm");
assert.equal(scaleOf(positive, "2 m").textAt(1), "8 m");
assert.equal(scaleOf({ kind: "number", least: 0, greatest: 1 }, "0.25").at, 0.25);
for (const text of ["", "auto", "0 m"]) assert.equal(scaleOf(positive, text), undefined);

// The striker is on the beam as it is drawn, also where the section changes.
const { heightAt, outlineOf } = await module("drawing");
const station = (xi, radius) => ({ xi, shape: "circle", radius });
const bat = outlineOf({ shape: "profile", stations: [station("0", "10 mm"), station("0.5", "20 mm"), station("0.5", "30 mm"), station("0.9", "40 mm")] }, 1000);
for (const [xi, height] of [[0, 10], [0.25, 15], [0.5, 20], [0.7, 35], [0.9, 40], [1, 40]]) assert.ok(Math.abs(heightAt(bat, xi) - height) < 1e-12, `at ${xi}`);
assert.equal(heightAt(outlineOf({ shape: "rectangle", height: "30 mm" }, 1000), 0.3), 15);
assert.equal(heightAt(outlineOf(undefined, 1000), 0.3), 6);

// The address of a page: what this page cannot show is replaced or refused.
const { fromHash, toHash } = await module("address");
const state = { case: { beam: {} }, xi: 0.5, layer: "peak_force_N" };
assert.deepEqual(fromHash(toHash(state)), state);
for (const layer of ["of_a_later_page", undefined]) assert.equal(fromHash(toHash({ ...state, layer })).layer, "cor_kinematic");
for (const wrong of [{ case: [] }, { case: null }, { xi: 1.5 }, { xi: "0.5" }, { desk: "none" }]) assert.equal(fromHash(toHash({ ...state, ...wrong })), undefined);

// A curve and its band end before a gap and begin again behind it.
const { piecesOf } = await module("figure");
assert.deepEqual(piecesOf([0, 1, 2, 3, 4], [1, 1, null, 1, NaN]), [[0, 1], [3]]);
assert.deepEqual(piecesOf([null], [1]), []);

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
