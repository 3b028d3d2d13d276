// The page in Chromium: node browser.mjs PAGE FOLDER_FOR_PICTURES
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";
import { beyond, counted, launch, tab, wobble } from "./chromium.mjs";

const [page_file, pictures] = process.argv.slice(2);
const browser = await launch();
const noise = [];

async function open(options = {}, hash = "") {
    const page = await tab(browser, noise, options);
    const start = Date.now();
    await page.goto(`file://${page_file}${hash}`);
    await beyond(page, "maps", 0);
    console.log(`first map after ${Date.now() - start} ms`);
    await page.waitForFunction(() => document.body.dataset.places === "400" && document.getElementById("beam-facts").dataset.samples > 120);
    return page;
}
const maps = (page) => counted(page, "maps");
const restitution = (page) => page.evaluate(() => Number(document.getElementById("beam-facts").dataset.e));
async function settled(page, before) {
    await page.waitForFunction((n) => Number(document.body.dataset.maps) > n && document.body.dataset.places === "400", before, { timeout: 60000 });
    await page.waitForTimeout(300);
}
async function download(page, button) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    return readFileSync(await file.path());
}

const page = await open();
const first = await restitution(page);
assert.ok(first > 0 && first < 1.5, `e = ${first}`);
await page.screenshot({ path: `${pictures}/desktop.png`, fullPage: true });

// The striker is dragged.
const striker = await page.locator(".striker circle").boundingBox();
await page.mouse.move(striker.x + striker.width / 2, striker.y + striker.height / 2);
await page.mouse.down();
await page.mouse.move(striker.x + 200, striker.y + 5, { steps: 20 });
await page.mouse.up();
await page.waitForFunction((e) => Number(document.getElementById("beam-facts").dataset.e) !== e, first);

// A slider moves: how many maps a second.
const slider = page.locator('input[aria-label="beam.length, slide"]');
const before = await maps(page);
const began = Date.now();
const frames = await wobble(slider, 4);
const rate = (1000 * ((await maps(page)) - before)) / (Date.now() - began);
console.log(`while a slider moves: ${rate.toFixed(1)} maps of 100 places a second, ${frames.toFixed(0)} frames a second`);
// Away from its middle the case is none of the presets; in the middle it has the first length again.
for (const [value, preset] of [["0.6", ""], ["0.5", "0"]]) {
    const n = await maps(page);
    await slider.evaluate((node, to) => { node.value = to; node.dispatchEvent(new Event("change")); }, value);
    await settled(page, n);
    assert.equal(await page.inputValue("#preset"), preset);
}

// Bad input: the words of the engine beside the field, the curve stays.
const length = page.locator('[id="field-beam.length"]');
await length.fill("3 s");
await page.waitForFunction(() => /is a time; this key wants a length/.test(document.body.textContent));
assert.equal(await length.getAttribute("aria-invalid"), "true");
assert.equal(await length.inputValue(), "3 s");
assert.equal(await length.getAttribute("aria-describedby"), "field-beam.length-problem");
assert.match(await page.textContent('[id="field-beam.length-problem"]'), /is a time/);
const is_stale = () => page.evaluate(() => document.getElementById("beam-facts").closest(".stale") !== null);
assert.equal(await is_stale(), true);
await page.screenshot({ path: `${pictures}/refused.png` });
const count = await maps(page);
await length.fill("600 mm");
await settled(page, count);
assert.equal(await length.getAttribute("aria-invalid"), null);
assert.equal(await length.getAttribute("aria-describedby"), null);
assert.equal(await is_stale(), false);

// Typed: `6`, `60` and `600 m` are lengths too, whose maps take minutes. They are not asked for, or are left for the next one.
for (const [delay, text] of [[150, "600 mm"], [900, "60 cm"]]) {
    await length.fill("");
    await length.pressSequentially(text, { delay });
    await page.waitForFunction((e) => document.getElementById("view-beam").querySelector(".stale") === null && document.body.dataset.places === "400" &&
        document.getElementById("beam-problems").textContent === "" && Number(document.getElementById("beam-facts").dataset.e) > 0, null, { timeout: 10000 });
}
const typed = await maps(page);
await length.fill("600 mm");
await settled(page, typed);

// The slider begins at what was typed.
const slid = await maps(page);
await slider.evaluate((node) => { node.value = "0.5"; node.dispatchEvent(new Event("change")); });
await settled(page, slid);
assert.equal(await length.inputValue(), "600 mm");

// The warnings of the command about the curve and about the collision.
const warnings = (on, of) => on.locator(`#${of}-warnings li`).allTextContents();
await page.waitForFunction(() => document.querySelector("#beam-warnings:not(.stale) li") !== null);
assert.match((await warnings(page, "beam")).join("\n"), /of 400 collisions: loss of frequency by shear.*use `beam.theory: timoshenko`/);

// Bodies that part, and a radius without its unit: words in place of NaN.
for (const [key, wrong, right, words] of [
    ["motion.angular_velocity", "6 rad/s", "-6 rad/s", /do not collide; turn the sign of the motion/],
    ["beam.section.radius", "6.35", "6.35 mm", /no end within the time limit/],
]) {
    const field = page.locator(`[id="field-${key}"]`);
    await field.evaluate((node) => { node.closest("details").open = true; });
    await field.fill(wrong);
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById("film-warnings").textContent), words.source);
    assert.doesNotMatch(await page.textContent("#beam-facts"), /NaN/);
    const n = await maps(page);
    await field.fill(right);
    await settled(page, n);
}

// The film runs on while the field of its seconds is empty.
await page.fill("#seconds", "");
await page.click("#play");
const instant = Number(await page.inputValue("#time"));
await page.waitForFunction((from) => Number(document.getElementById("time").value) > from, instant);
await page.click("#play");
await page.fill("#seconds", "8");
assert.match(await page.getAttribute("#time", "aria-valuetext"), /s of .*s$/);

// The page does not say that the clipboard has what it refused.
await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
await page.click("#beam-share");
await page.waitForFunction(() => /copy it from the bar of the browser/.test(document.getElementById("notice").textContent));

// The state is in the address.
const shown = await restitution(page);
await page.waitForTimeout(300);
const shared = await open({}, new URL(page.url()).hash);
assert.equal(await restitution(shared), shown);
assert.equal(await shared.inputValue("#preset"), ""); // it is none of the presets

// A case leaves the page and comes back.
const yaml = await download(page, "#beam-yaml");
assert.match(yaml.toString(), /^problem: beam_impact_map/);
const numbers = (await download(page, "#beam-csv")).toString();
assert.equal(numbers.trim().split("\n").length, 401);
writeFileSync(`${pictures}/beam.yaml`, yaml);
writeFileSync(`${pictures}/beam.csv`, numbers);
const again = await open();
const opened = await maps(again);
await again.setInputFiles("#open", { name: "case.yaml", mimeType: "text/yaml", buffer: yaml });
await settled(again, opened);
assert.equal((await download(again, "#beam-csv")).toString(), numbers);
const at_place = await maps(again);
await again.setInputFiles("#open", { name: "place.yaml", mimeType: "text/yaml", buffer: Buffer.from(`${yaml}location: {x: 150 mm}\n`) });
await settled(again, at_place);
const handle = again.locator('[data-path="striker"]');
assert.equal(await handle.getAttribute("aria-valuenow"), "0.25"); // of 600 mm
for (const [key, text] of [["Home", "0 of the length"], ["ArrowUp", "0.005 of the length"], ["End", "1 of the length"], ["ArrowDown", "0.995 of the length"]]) {
    await handle.press(key);
    assert.equal(await handle.getAttribute("aria-valuetext"), text);
}
await again.setInputFiles("#open", { name: "bad.yaml", mimeType: "text/yaml", buffer: Buffer.from("beam: [1, 2\n") });
await again.waitForFunction(() => /bracket that does not close/.test(document.body.textContent));

// The report of a run opens by the case that it holds; its map becomes measured points.
const report = `<!DOCTYPE html><html><body><p>Summary</p><details><pre>${yaml.toString().replace("600 mm", "590 mm").replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre></details></body></html>`;
const of_report = await maps(again);
await again.setInputFiles("#open", { name: "report.html", mimeType: "text/html", buffer: Buffer.from(report) });
await settled(again, of_report);
assert.equal(await again.inputValue('[id="field-beam.length"]'), "590 mm");
await again.setInputFiles("#open", { name: "other.html", mimeType: "text/html", buffer: Buffer.from("<p>no run</p>") });
await again.waitForFunction(() => /other.html is not the report of a run/.test(document.body.textContent));
await again.setInputFiles("#open", { name: "map.csv", mimeType: "text/csv", buffer: Buffer.from("xi,x_m,cor_kinematic\n0.2,0.1,0.9\n0.4,0.2,0.8\n0.6,0.3,nan\n") });
await again.waitForFunction(() => /2 measured points from map.csv/.test(document.body.textContent));

// A case that needs a file which the page does not have.
const bat = readFileSync(fileURLToPath(new URL("../cases/tutorial/wooden_bat.yaml", import.meta.url)));
await again.setInputFiles("#open", { name: "bat.yaml", mimeType: "text/yaml", buffer: bat });
await again.waitForFunction(() => /bat.yaml was not opened. `beam.section.table` names a file/.test(document.getElementById("notice").textContent));
await again.setInputFiles("#open", { name: "thin.yaml", mimeType: "text/yaml", buffer: Buffer.from("problem: beam_impact_map\nbeam: {length: -1 m}\n") });
await again.waitForFunction(() => /thin.yaml cannot be used. beam.length: -1 m/.test(document.getElementById("notice").textContent));
await again.setInputFiles("#open", { name: "case.yaml", mimeType: "text/yaml", buffer: yaml });
await again.waitForFunction(() => /Opened case.yaml/.test(document.getElementById("notice").textContent));

// Measured points, which are restitutions.
await again.setInputFiles("#open", { name: "POINTS.CSV", mimeType: "text/csv", buffer: Buffer.from("xi,e\n0.3,0.6\n0.7,0.8\n") });
await again.waitForFunction(() => /2 measured points from POINTS/.test(document.body.textContent));
await again.selectOption("#layer", "peak_force_N");
assert.doesNotMatch(await again.textContent("#map"), /measured/);
await again.selectOption("#layer", "cor_kinematic");
assert.match(await again.textContent("#map"), /measured/);

// Of five frozen curves the first one goes; the others keep number and colour.
const lines = () => again.locator("#map .u-series").evaluateAll((rows) =>
    rows.map((row) => [row.querySelector(".u-label").textContent, row.querySelector(".u-marker").style.borderColor]).filter(([name]) => /frozen/.test(name)));
for (let i = 0; i < 4; ++i) await again.click("#freeze");
const four = await lines();
assert.deepEqual(four.map(([name]) => name), ["frozen 1", "frozen 2", "frozen 3", "frozen 4"]);
await again.click("#freeze");
assert.deepEqual(await lines(), [...four.slice(1), ["frozen 5", four[0][1]]]);

// The focus stays when the form is made anew.
const focused = () => again.evaluate(() => document.activeElement.id);
for (const [button, next] of [["beam.supports-add", "beam.supports-add"], ["beam.supports[0]-remove", "beam.supports[0]-remove"], ["beam.supports[0]-remove", "beam.supports-add"]]) {
    await again.click(`[id="field-${button}"]`);
    assert.equal(await focused(), `field-${next}`);
}
await again.focus('[id="field-contact.law"]');
await again.selectOption('[id="field-contact.law"]', "kelvin_voigt");
assert.equal(await focused(), "field-contact.law");
const n_focused = await maps(again);
await again.setInputFiles("#open", { name: "case.yaml", mimeType: "text/yaml", buffer: yaml });
await settled(again, n_focused);

// A change right after a click does not take the place of what was clicked.
const [given] = await Promise.all([again.waitForEvent("download"), again.evaluate(() => {
    document.getElementById("beam-yaml").click();
    for (const value of [0.4, 0.45, 0.5]) {
        const slider = document.querySelector('input[aria-label="beam.length, slide"]');
        slider.value = String(value);
        slider.dispatchEvent(new Event("input"));
        slider.dispatchEvent(new Event("change"));
    }
})]);
assert.equal(given.suggestedFilename(), "stoss-lab.yaml");

// A worker that fails is replaced, the page says so, and the request that it had is answered.
for (const failure of ["throw new Error('it broke')", "self.postMessage({ crash: 'out of memory' })"]) {
    const workers = again.workers();
    assert.equal(workers.length, 2);
    for (const worker of workers) {
        await worker.evaluate((code) => { self.onmessage = () => setTimeout(new Function(code)); }, failure);
    }
    const n = await maps(again);
    await again.fill('[id="field-beam.length"]', failure.startsWith("throw") ? "550 mm" : "560 mm");
    await settled(again, n);
    await again.waitForFunction(() => /An engine failed and was replaced/.test(document.getElementById("notice").textContent));
    assert.equal(again.workers().length, 2);
    assert.equal((await again.textContent("#beam-problems")).trim(), "");
}
// One that fails at the same request again is not asked a third time; the next request is answered.
const broken = await tab(browser, noise);
await broken.addInitScript(() => {
    window.fails = false;
    window.Worker = class extends Worker {
        postMessage(message) {
            if (message.request === undefined || !window.fails) super.postMessage(message);
            else setTimeout(() => this.dispatchEvent(new ErrorEvent("error", { message: "never", cancelable: true })));
        }
    };
});
await broken.goto(`file://${page_file}`);
await beyond(broken, "maps", 1);
await broken.evaluate(() => { window.fails = true; });
await broken.fill('[id="field-beam.length"]', "570 mm");
await broken.waitForFunction(() => /failed 2 times at this: never/.test(document.getElementById("beam-problems").textContent));
await broken.evaluate(() => { window.fails = false; });
const n_before = await maps(broken);
await broken.fill('[id="field-beam.length"]', "580 mm");
await settled(broken, n_before);
assert.equal((await broken.textContent("#beam-problems")).trim(), "");
// So is the film of a place: the earlier one is pale, and the reason is below it.
const film_is_pale = () => broken.evaluate(() => ["beam-facts", "film", "film-words", "film-warnings"].every((id) => document.getElementById(id).matches(".stale")));
await broken.evaluate(() => { window.fails = true; });
await broken.press('[data-path="striker"]', "PageDown");
await broken.waitForFunction(() => /failed 2 times at this: never/.test(document.getElementById("film-problems").textContent));
assert.equal(await film_is_pale(), true);
await broken.evaluate(() => { window.fails = false; });
await broken.press('[data-path="striker"]', "PageDown");
await broken.waitForFunction(() => document.querySelector("#view-beam .stale") === null);
assert.equal((await broken.textContent("#film-problems")).trim(), "");
await broken.context().close();

// A law that only the keys of the engine have is in the form, with its own keys (that an engine knows every law of the folder
// contact/laws: tests/user_laws).
const dropped = await tab(browser, noise);
await dropped.addInitScript(() => {
    const parse = JSON.parse;
    JSON.parse = (text, ...more) => {
        const keys = parse(text, ...more);
        for (const part of ["keys", "desk"]) {
            const contact = keys?.[part]?.find?.((key) => key.key === "contact");
            const law = contact?.value.keys.find((key) => key.key === "law");
            const own = { key: "own_number", meaning: "of this law alone", is_required: true, default: null };
            law?.value.choices.push({ name: "dropped_in", meaning: "a law of a user", keys: [{ ...own, value: { ...law.value, kind: "number", unit: "N", choices: [] } }] });
        }
        return keys;
    };
});
await dropped.goto(`file://${page_file}`);
await beyond(dropped, "maps", 0);
await dropped.selectOption('select[aria-label="contact.law"]', "dropped_in");
assert.equal(await dropped.locator('[id="field-contact.own_number"]').count(), 1);
await dropped.waitForFunction(() => /dropped_in/.test(document.getElementById("beam-form").textContent)); // this engine has no such law
await dropped.context().close();

// Every preset computes; a law with damping too.
for (const [i, name] of (await again.locator("#preset option:enabled").allTextContents()).entries()) {
    const n = await maps(again);
    await again.selectOption("#preset", String(i));
    await settled(again, n);
    assert.equal((await again.textContent("#beam-problems")).trim(), "", name);
    assert.equal(await again.textContent("#notice"), ""); // it was about an earlier case
    assert.ok(Number.isFinite(await restitution(again)), name);
    if (name === "Steel strip and ball") assert.ok(Math.abs((await restitution(again)) - 0.1749) < 1e-3, `${name}: e = ${await restitution(again)}`);
    await again.screenshot({ path: `${pictures}/preset-${i}.png`, fullPage: true });
}

// A layer that is zero everywhere has an axis for a part of one, and no band.
await again.selectOption("#layer", "energy_contact_loss");
assert.doesNotMatch(await again.textContent("#map"), /further modes/);
await again.selectOption("#layer", "cor_kinematic");
assert.match(await again.textContent("#map"), /further modes/);

// Figures leave the page as drawings and images.
const isPng = (bytes) => bytes.subarray(1, 4).toString() === "PNG";
const curve = (await download(again, "#beam-svg")).toString();
assert.match(curve, /^<svg [^>]*xmlns=/);
writeFileSync(`${pictures}/curve.svg`, curve);
const curve_image = await download(again, "#beam-png");
assert.ok(isPng(curve_image));
writeFileSync(`${pictures}/curve.png`, curve_image);

// The restitution desk.
const address = (state) => "#" + Buffer.from(JSON.stringify(state)).toString("base64url");
async function desk(options = {}, tree = undefined, hash = undefined) {
    const other = await tab(browser, noise, options);
    const state = { case: {}, xi: 0.5, layer: "cor_kinematic", view: "desk", ...(tree ? { desk: tree } : {}) };
    await other.goto(`file://${page_file}${hash ?? address(state)}`);
    await beyond(other, "impacts", 0);
    return other;
}
const desk_e = (on) => on.evaluate(() => Number(document.getElementById("desk-facts").dataset.e));
const damping = (on) => on.evaluate(() => Number(document.getElementById("desk-law").dataset.damping));
async function after(on, act) {
    const n = await counted(on, "impacts");
    await act();
    await beyond(on, "impacts", n);
}

// By keyboard from the first view; back again the beam is there as it was.
await page.focus("#tab-beam");
await page.keyboard.press("ArrowRight");
await beyond(page, "impacts", 0);
assert.equal(await page.evaluate(() => document.activeElement.id), "tab-desk");
assert.equal(await page.isVisible("#view-beam"), false);
assert.ok(Math.abs((await desk_e(page)) - 0.8) < 1e-9);
assert.match(await page.textContent("#desk-law"), /N\/m\^1\.5/);
await page.screenshot({ path: `${pictures}/desk.png`, fullPage: true });
await page.keyboard.press("ArrowLeft");
assert.equal(await page.isVisible("#view-desk"), false);
assert.equal(await page.inputValue('[id="field-beam.length"]'), "600 mm");

const elastic = await desk({}, { mass: "1 kg", speed: "1 m/s", contact: { law: "hertz", stiffness: "1e8" } });
assert.match(await elastic.textContent("#desk-facts"), /never sticks/);
await elastic.context().close();

// A spring and a dashpot until the overlap is gone: e = exp(-pi z/sqrt(1 - z^2)), c = 2 z sqrt(k m).
const linear = { cor: "0.5", mass: "2 kg", speed: "1 m/s", contact: { law: "kelvin_voigt", stiffness: "1e6", separation: "zero_overlap" } };
const table = await desk({}, linear);
const log = Math.log(0.5);
const ratio = -log / Math.hypot(Math.PI, log);
const exact = 2 * ratio * Math.sqrt(1e6 * 2);
assert.ok(Math.abs((await damping(table)) / exact - 1) < 1e-9, `damping ${await damping(table)}, exact ${exact}`);
const hooke = /pair_style gran\/hooke (\S+) NULL (\S+) /.exec(await table.textContent("#desk-programs"));
assert.equal(Number(hooke[1]), 1e6); // Kn = k
assert.ok(Math.abs(Number(hooke[2]) / (exact / 2) - 1) < 1e-8); // gamma_n = c/m
// The other way: that damping gives that e. Then a heavier load, under which it sticks.
await after(table, async () => {
    await table.fill('[id="desk-contact.damping"]', String(exact));
    await table.fill('[id="desk-cor"]', "");
});
assert.ok(Math.abs((await desk_e(table)) - 0.5) < 1e-9);
await after(table, () => table.fill('[id="desk-load"]', "1 MN"));
assert.equal(await desk_e(table), 0);
await after(table, () => table.fill('[id="desk-load"]', ""));

// Bad input: the words of the core beside the field, and what is shown stays.
await table.fill('[id="desk-cor"]', "1.5");
await table.waitForFunction(() => document.getElementById("desk-cor").getAttribute("aria-invalid") === "true");
assert.equal(await table.inputValue('[id="desk-cor"]'), "1.5");
assert.ok(Math.abs((await desk_e(table)) - 0.5) < 1e-9);
await table.fill('[id="desk-cor"]', "0.5");
await table.waitForFunction(() => /is the unknown of this problem: it follows from `cor`/.test(document.body.textContent));
await table.screenshot({ path: `${pictures}/desk-refused.png`, fullPage: true });
await after(table, () => table.fill('[id="desk-contact.damping"]', ""));
await after(table, () => table.fill('[id="desk-mass"]', "3 kg"));

// The case, the figure, the address; a program's law.
const desk_case = (await download(table, "#desk-yaml")).toString();
assert.match(desk_case, /^problem: calibrate/);
writeFileSync(`${pictures}/desk.yaml`, desk_case);
assert.match((await download(table, "#desk-svg")).toString(), /overlap \[/);
assert.ok(isPng(await download(table, "#desk-png")));
assert.match((await download(table, "#desk-csv")).toString(), /^time_s,overlap_m,rate_m_per_s,force_N\n/);
await table.waitForTimeout(300);
const held = await damping(table);
const shared_desk = await desk({}, undefined, new URL(table.url()).hash);
assert.equal(await damping(shared_desk), held);
await shared_desk.setInputFiles("#open", { name: "desk.yaml", mimeType: "text/yaml", buffer: Buffer.from(desk_case) });
await shared_desk.waitForFunction(() => /Opened desk.yaml/.test(document.body.textContent));
const programs = await desk();
const names = await programs.locator(".program h3").allTextContents();
names.sort((a, b) => /hooke|MuJoCo/.test(a) - /hooke|MuJoCo/.test(b)); // MuJoCo takes the stiffness that gran/hooke was given
for (const name of names) {
    const block = programs.locator(".program", { hasText: name });
    // Geometry gives the stiffness of an exponent of 1.5 only; the core says so of a linear law.
    const lacks = /gran\/hooke/.test(name);
    if (await block.getByText("Take its law").count()) {
        await after(programs, async () => {
            await block.getByText("Take its law").click();
            if (!lacks) return;
            await programs.waitForFunction(() => document.getElementById("desk-contact.stiffness").getAttribute("aria-invalid") === "true");
            await programs.fill('[id="desk-contact.stiffness"]', "1e7");
        });
        await programs.waitForTimeout(200);
    }
    assert.ok(await block.locator("pre").count(), `no lines for ${name}`);
    assert.ok(Math.abs((await desk_e(programs)) - 0.8) < 1e-9, name);
}

// The friction cone: a sphere on a wall, A = diag(1, 7/2, 7/2)/m, sticks and loses all of the energy there; turned by hand and by keys.
async function view(name, tree = undefined, options = {}) {
    const other = await tab(browser, noise, options);
    await other.goto(`file://${page_file}${address({ case: {}, xi: 0.5, layer: "cor_kinematic", view: name, ...(tree ? { [name]: tree } : {}) })}`);
    await beyond(other, name === "cone" ? "contacts" : "benches", 0);
    return other;
}
const sphere = { given: "operator", A: { nn: 0.5, nt: 0, n_o: 0, tt: 1.75, to: 0, oo: 1.75 }, b: { n: 2, t: 1, o: 0 }, mu: 0.5 };
const cone = await view("cone", sphere);
const of_cone = (key) => cone.evaluate((name) => document.getElementById("cone-facts").dataset[name], key);
assert.ok(Math.abs(Number(await of_cone("energy")) - (4 / (2 * 0.5) + 1 / (2 * 1.75))) < 1e-12);
assert.equal(await of_cone("branches"), "stick");
const drawn = () => cone.innerHTML("#cone-figure");
const sides = [await drawn()];
await cone.focus("#cone-figure");
for (const key of ["ArrowLeft", "+"]) {
    await cone.keyboard.press(key);
    sides.push(await drawn());
}
const figure = await cone.locator("#cone-figure").boundingBox();
await cone.mouse.move(figure.x + 200, figure.y + 200);
await cone.mouse.down();
await cone.mouse.move(figure.x + 260, figure.y + 220, { steps: 4 });
await cone.mouse.up();
sides.push(await drawn());
assert.equal(new Set(sides).size, 4);
await cone.mouse.down({ button: "right" });
await cone.mouse.move(figure.x + 200, figure.y + 200, { steps: 4 });
await cone.mouse.up({ button: "right" });
assert.equal(await drawn(), sides[3]);
const contact_case = (await download(cone, "#cone-yaml")).toString();
assert.match(contact_case, /^problem: rigid_contact/);
writeFileSync(`${pictures}/cone.yaml`, contact_case);
const contact_table = (await download(cone, "#cone-csv")).toString();
assert.match(contact_table, /^coulomb,impulse_n_N_s/);
writeFileSync(`${pictures}/cone.csv`, contact_table);
assert.match((await download(cone, "#cone-svg")).toString(), /Friction cone, energy ellipsoids and 1 Coulomb/);
// Not positive definite: the words of the core, and the picture stays.
await cone.fill('[id="cone-A.nn"]', "-1");
await cone.waitForFunction(() => /positive definite/.test(document.getElementById("view-cone").textContent));
assert.equal(await drawn(), sides[3]);
// The rod: mu_* = (1 + 3 cos^2)/(3 sin cos).
const before_rod = await counted(cone, "contacts");
await cone.locator("#rod-angle").evaluate((node) => { node.value = "40"; node.dispatchEvent(new Event("input")); });
await beyond(cone, "contacts", before_rod);
const [sin, cos] = [Math.sin((40 * Math.PI) / 180), Math.cos((40 * Math.PI) / 180)];
const critical = await cone.evaluate(() => Number(document.getElementById("rod-words").dataset.critical));
assert.doesNotMatch(await cone.textContent("#view-cone"), /cannot slide on/);
assert.ok(Math.abs(critical - (1 + 3 * cos * cos) / (3 * sin * cos)) < 1e-12, `critical friction ${critical}`);
await cone.click("#tab-desk");
await cone.click("#tab-cone");
assert.match(await cone.textContent("#rod-words"), /Critical/); // the rod is still shown
await cone.setInputFiles("#open", { name: "cone.yaml", mimeType: "text/yaml", buffer: Buffer.from(contact_case) });
await cone.waitForFunction((n) => document.getElementById("cone-facts").dataset.branches === "stick", null);
assert.doesNotMatch(await cone.textContent("#rod-words"), /Critical/); // it is the rod no more

// The schemes bench: the discrete gradient keeps the energy of an elastic law; Runge and Kutta's error falls as the fourth power
// of the step on a smooth law.
const bench = await view("bench", { sample_rate: "100 kHz", mass: "10 g", speed: "1 m/s", contact: { law: "hertz", stiffness: "1e8" } });
const rebound = (scheme) => bench.evaluate((name) => Number(document.querySelector(`[data-scheme=${name}]`).dataset.cor), scheme);
assert.ok(Math.abs((await rebound("discrete_gradient")) - 1) < 1e-2);
const far = Math.abs((await rebound("rk4")) - 1);
const n_bench = await counted(bench, "benches");
await bench.locator("#bench-step").evaluate((node) => {
    node.value = "0.9";
    node.dispatchEvent(new Event("input"));
    node.dispatchEvent(new Event("change"));
});
await beyond(bench, "benches", n_bench);
const near = Math.abs((await rebound("rk4")) - 1);
const steps_of = async () => Number(/^(\S+) steps/.exec(await bench.textContent("#bench-step-words"))[1]);
const steps_before = await steps_of();
const n_faster = await counted(bench, "benches");
await bench.fill('[id="bench-speed"]', "32 m/s"); // Hertz: the contact lasts half as long
await beyond(bench, "benches", n_faster);
assert.ok(Math.abs((await steps_of()) / steps_before - 0.5) < 0.01, `${steps_before} and ${await steps_of()}`);
const n_slower = await counted(bench, "benches");
await bench.fill('[id="bench-speed"]', "1 m/s");
await beyond(bench, "benches", n_slower);
assert.ok(near < 0.01 * far, `${near} and ${far}`);
const bench_case = (await download(bench, "#bench-yaml")).toString();
assert.match(bench_case, /^problem: scheme_comparison/);
writeFileSync(`${pictures}/bench.yaml`, bench_case);
const bench_table = (await download(bench, "#bench-csv")).toString();
assert.match(bench_table, /^scheme,time_s,.*\nreference,/);
assert.match(bench_table, /\nrk4,/);
writeFileSync(`${pictures}/bench.csv`, bench_table);
await bench.setInputFiles("#open", { name: "bench.yaml", mimeType: "text/yaml", buffer: Buffer.from(bench_case) });
await bench.waitForFunction(() => /Opened bench.yaml/.test(document.body.textContent));
// The reference is drawn up to its end by many short pieces, and its sample in the legend is dashed too.
const reference = await bench.locator("#bench-figure path[stroke-dasharray]").getAttribute("d");
const places = [...reference.matchAll(/[ML]([\d.]+),/g)].map((each) => Number(each[1]));
const pieces = places.slice(1).map((each, i) => (each - places[i]) / (places.at(-1) - places[0]));
assert.ok(Math.max(...pieces) < 0.02, `a piece of ${Math.max(...pieces)} of the contact`);
assert.equal(await bench.locator("#bench-figure line[stroke-dasharray]").count(), 1);
await bench.fill('[id="bench-sample_rate"]', "1e12 Hz");
await bench.waitForFunction(() => /not separated after 20000 steps/.test(document.getElementById("bench-schemes").textContent));
const cone_at_start = await view("cone");
assert.equal(await cone_at_start.evaluate(() => document.getElementById("cone-facts").dataset.solutions), "3");

const axe = readFileSync(fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
for (const options of [{ viewport: { width: 390, height: 844 } }, { colorScheme: "dark" }]) {
    for (const [name, start] of [["", open], ["desk-", desk], ["cone-", (given) => view("cone", undefined, given)], ["bench-", (given) => view("bench", undefined, given)]]) {
        const other = await start(options);
        const wide = await other.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        assert.equal(wide, false, `${name}wider than the screen`);
        const scales = await other.evaluate(() => [...document.querySelectorAll("svg")].filter((each) => each.clientWidth > 0).map((each) => each.getScreenCTM().a));
        assert.ok(Math.min(...scales) > 0.9, `${name}texts of ${scales} of their size`);
        await other.screenshot({ path: `${pictures}/${name}${options.colorScheme ?? "phone"}.png`, fullPage: true });
        const findings = await other.evaluate(`(() => { ${axe}; return axe.run(); })()`);
        const serious = findings.violations.filter((each) => ["serious", "critical"].includes(each.impact));
        assert.deepEqual(serious.map((each) => `${each.id}: ${each.nodes[0].html}`), []);
    }
}
assert.deepEqual(noise, []);
await browser.close();
console.log("the page: all is well");
