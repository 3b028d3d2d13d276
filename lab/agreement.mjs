// The engine of the browser against that of this machine: node agreement.mjs ENGINE_FOLDER NATIVE [COUNT]
// Random beams under each contact law; e at tolerance 1e-9 must agree within 1e-8. Of a collision whose e is not known to that
// precision, as its column `cor_error` says, it must agree within that error; there may be few of them.
import assert from "node:assert/strict";
import { nativeAnswers, webEngine } from "./node_engine.mjs";

const [folder, native, count = "500"] = process.argv.slice(2);
const ask = await webEngine(folder);

let seed = 20260101; // Park and Miller's generator: the same beams everywhere
const random = (from, to) => {
    seed = (seed * 48271) % 2147483647;
    return from + ((to - from) * seed) / 2147483647;
};

/** A law with numbers for those of its keys that have to be given, and for how it dissipates. */
function lawOf(choice) {
    const numbers = {
        stiffness: 10 ** random(7, 9), restitution: random(0.4, 0.95), pull_off_force: random(0.01, 0.1), yield_overlap: 1e-6,
        damping: random(5, 50), ramp_depth: 1e-6, overlap: [0, 1e-5, 1e-4, 1e-3], force: [0, 50, 2000, 60000],
        yield_strain: 10 ** random(-3, -2), poisson_ratio: 0.3, maugis_parameter: 10 ** random(-1, 0.7), length: "20 mm",
        effective_modulus: "115 GPa", effective_radius: "5 mm", mean_radius: "5 mm",
    };
    const from_bodies = ["restitution", "pull_off_force", "yield_overlap", "yield_strain", "maugis_parameter"];
    const given_whole = ["parallel_cylinders", "ramped_damping"];
    const law = { law: choice.name };
    for (const key of choice.keys) {
        const wanted = key.is_required || from_bodies.includes(key.key) || given_whole.includes(choice.name);
        if (wanted && key.key in numbers) law[key.key] = numbers[key.key];
    }
    if ("pull_off_force" in law) law.separation = "zero_overlap";
    return law;
}

function beamOf(choice) {
    const supports = [{ type: ["pin", "clamp", "slider"][Math.floor(random(0, 3))], xi: random(0, 0.3).toFixed(3) }];
    return {
        beam: {
            length: `${random(0.2, 1).toFixed(4)} m`,
            section: { shape: "rectangle", width: `${random(10, 40).toFixed(2)} mm`, height: `${random(4, 15).toFixed(2)} mm` },
            material: ["steel", "aluminium", "glass", "brass"][Math.floor(random(0, 4))],
            supports: random(0, 1) < 0.3 ? [] : supports,
        },
        striker: { shape: "sphere", radius: `${random(5, 20).toFixed(2)} mm`, material: "steel" },
        motion: { approach_speed: random(0.2, 3) },
        contact: lawOf(choice),
        mesh: { elements: 40, modes: 12 },
        integration: { tolerance: 1e-9 },
    };
}

const keys = ask({ do: "keys" }).keys;
const laws = keys.find((key) => key.key === "contact").value.keys.find((key) => key.key === "law").value.choices;
const requests = Array.from({ length: Number(count) }, (_, i) => ({
    do: "map", case: beamOf(laws[i % laws.length]), xi: [0.35 + 0.6 * random(0, 1)], truncation: false,
}));
const answers = nativeAnswers(native, requests);
let worst = 0;
let compared = 0;
let uncertain = 0; // of these: agree within cor_error alone
let equal = 0; // to the last bit, in all columns
const compared_laws = new Set();
const refused = [];
requests.forEach((request, i) => {
    const [here, there] = [ask(request), answers[i]];
    const law = request.case.contact.law;
    if (there.problems || there.failure) {
        if (JSON.stringify(here) !== JSON.stringify(there)) throw new Error(`other words: ${JSON.stringify(here)} ${JSON.stringify(there)}`);
        refused.push(JSON.stringify(there).slice(0, 300));
        return;
    }
    if (!here.columns || here.status[0] !== there.status[0]) throw new Error(`other end: ${JSON.stringify(here).slice(0, 300)} ${JSON.stringify(there).slice(0, 300)}`);
    const [a, b] = [here.columns.cor_kinematic[0], there.columns.cor_kinematic[0]];
    if (typeof a !== "number") return;
    const difference = Math.abs(a - b);
    if (Object.entries(here.columns).every(([name, [value]]) => Object.is(value, there.columns[name][0]))) ++equal;
    if (difference < 1e-8) {
        worst = Math.max(worst, difference);
    } else {
        assert.ok(difference < there.columns.cor_error[0], `${law}: e ${a} and ${b}: ${JSON.stringify(request.case)}`);
        ++uncertain;
    }
    ++compared;
    compared_laws.add(law);
});
const words = { do: "map", case: { beam: { length: "3 s", supports: [{ type: "pinn", xi: 2 }] }, striker: { shape: "sphere", radius: "-1 mm" } }, xi: [0.5] };
const [bad] = nativeAnswers(native, [words]);
assert.deepEqual(ask(words), bad, "bad input has other words");
console.log(`${laws.length} laws, ${count} collisions: ${compared} agree, ` +
    `${compared - uncertain} of them within ${worst.toExponential(2)} of e, the others within their cor_error; ` +
    `${equal} have the same bits in all columns; ${refused.length} refused alike`);
for (const { name } of laws) if (!compared_laws.has(name)) throw new Error(`no collision of ${name}: ${refused[0]}`);
process.exit(compared > 0.9 * Number(count) && uncertain <= 0.02 * Number(count) ? 0 : 1);
