// The page in Chromium: node browser.mjs PAGE FOLDER_FOR_PICTURES
import { chromium } from "playwright-core";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";

const [page_file, pictures] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const noise = [];

async function open(options = {}, hash = "") {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(String(error)));
    page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || noise.push(request.url()));
    const start = Date.now();
    await page.goto(`file://${page_file}${hash}`);
    await page.waitForFunction(() => Number(document.body.dataset.maps) > 0, null, { timeout: 60000 });
    console.log(`first map after ${Date.now() - start} ms`);
    await page.waitForFunction(() => document.getElementById("facts").dataset.e);
    return page;
}
const maps = (page) => page.evaluate(() => Number(document.body.dataset.maps));
const restitution = (page) => page.evaluate(() => Number(document.getElementById("facts").dataset.e));
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
await page.waitForFunction((e) => Number(document.getElementById("facts").dataset.e) !== e, first);

// A slider moves: how many maps a second.
const slider = page.locator('input[aria-label="beam.length, slide"]');
const before = await maps(page);
const began = Date.now();
const frames = await slider.evaluate((node) => new Promise((done) => {
    const start = performance.now();
    let count = 0;
    const step = (now) => {
        ++count;
        node.value = String(0.5 + 0.2 * Math.sin(now / 300));
        node.dispatchEvent(new Event("input"));
        if (now - start < 4000) requestAnimationFrame(step);
        else done((1000 * count) / (now - start));
    };
    requestAnimationFrame(step);
}));
const rate = (1000 * ((await maps(page)) - before)) / (Date.now() - began);
console.log(`while a slider moves: ${rate.toFixed(1)} maps of 100 places a second, ${frames.toFixed(0)} frames a second`);
await slider.evaluate((node) => { node.value = "0.5"; node.dispatchEvent(new Event("change")); });
await settled(page, await maps(page) - 1);

// Bad input: the words of the engine beside the field, the curve stays.
const length = page.locator('[id="field-beam.length"]');
await length.fill("3 s");
await page.waitForFunction(() => /is a time; this key wants a length/.test(document.body.textContent));
assert.equal(await length.getAttribute("aria-invalid"), "true");
assert.equal(await length.inputValue(), "3 s");
await page.screenshot({ path: `${pictures}/refused.png` });
const count = await maps(page);
await length.fill("600 mm");
await settled(page, count);
assert.equal(await length.getAttribute("aria-invalid"), null);

// The state is in the address.
const shown = await restitution(page);
await page.waitForTimeout(300);
const shared = await open({}, new URL(page.url()).hash);
assert.equal(await restitution(shared), shown);

// A case leaves the page and comes back.
const yaml = await download(page, "#save-yaml");
assert.match(yaml.toString(), /^problem: beam_impact_map/);
const numbers = (await download(page, "#save-csv")).toString();
assert.equal(numbers.trim().split("\n").length, 401);
writeFileSync(`${pictures}/exported.yaml`, yaml);
writeFileSync(`${pictures}/exported.csv`, numbers);
const again = await open();
const opened = await maps(again);
await again.setInputFiles("#open", { name: "case.yaml", mimeType: "text/yaml", buffer: yaml });
await settled(again, opened);
assert.equal((await download(again, "#save-csv")).toString(), numbers);
await again.setInputFiles("#open", { name: "bad.yaml", mimeType: "text/yaml", buffer: Buffer.from("beam: [1, 2\n") });
await again.waitForFunction(() => /bracket that does not close/.test(document.body.textContent));

// Measured points.
await again.setInputFiles("#open", { name: "points.csv", mimeType: "text/csv", buffer: Buffer.from("xi,e\n0.3,0.6\n0.7,0.8\n") });
await again.waitForFunction(() => /2 measured points/.test(document.body.textContent));
await again.click("#freeze");

// Every preset computes; a law with damping too.
for (const [i, name] of (await again.locator("#preset option").allTextContents()).entries()) {
    const n = await maps(again);
    await again.selectOption("#preset", String(i));
    await settled(again, n);
    assert.equal((await again.textContent("#problems")).trim(), "", name);
    assert.ok(Number.isFinite(await restitution(again)), name);
    await again.screenshot({ path: `${pictures}/preset-${i}.png`, fullPage: true });
}

// Figures leave the page as drawings and images.
const isPng = (bytes) => bytes.subarray(1, 4).toString() === "PNG";
const curve = (await download(again, "#save-svg")).toString();
assert.match(curve, /^<svg [^>]*xmlns=/);
writeFileSync(`${pictures}/curve.svg`, curve);
const curve_image = await download(again, "#save-png");
assert.ok(isPng(curve_image));
writeFileSync(`${pictures}/curve.png`, curve_image);

// The restitution desk.
const address = (state) => "#" + Buffer.from(JSON.stringify(state)).toString("base64url");
async function desk(options = {}, tree = undefined, hash = undefined) {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, acceptDownloads: true, ...options });
    const other = await context.newPage();
    other.on("console", (message) => noise.push(message.text()));
    other.on("pageerror", (error) => noise.push(String(error)));
    const state = { case: {}, xi: 0.5, layer: "cor_kinematic", view: "desk", ...(tree ? { desk: tree } : {}) };
    await other.goto(`file://${page_file}${hash ?? address(state)}`);
    await other.waitForFunction(() => Number(document.body.dataset.impacts) > 0, null, { timeout: 60000 });
    return other;
}
const impacts = (on) => on.evaluate(() => Number(document.body.dataset.impacts));
const desk_e = (on) => on.evaluate(() => Number(document.getElementById("desk-facts").dataset.e));
const damping = (on) => on.evaluate(() => Number(document.getElementById("desk-law").dataset.damping));
async function after(on, act) {
    const n = await impacts(on);
    await act();
    await on.waitForFunction((count) => Number(document.body.dataset.impacts) > count, n, { timeout: 60000 });
}

// By keyboard from the first view; back again the beam is there as it was.
await page.focus("#tab-beam");
await page.keyboard.press("ArrowRight");
await page.waitForFunction(() => Number(document.body.dataset.impacts) > 0);
assert.equal(await page.evaluate(() => document.activeElement.id), "tab-desk");
assert.equal(await page.isVisible("#view-beam"), false);
assert.ok(Math.abs((await desk_e(page)) - 0.8) < 1e-9);
await page.screenshot({ path: `${pictures}/desk.png`, fullPage: true });
await page.keyboard.press("ArrowLeft");
assert.equal(await page.isVisible("#view-desk"), false);
assert.equal(await page.inputValue('[id="field-beam.length"]'), "600 mm");

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
await shared_desk.waitForFunction(() => /at the restitution desk/.test(document.body.textContent));
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

const axe = readFileSync(fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
for (const options of [{ viewport: { width: 390, height: 844 } }, { colorScheme: "dark" }]) {
    for (const [view, start] of [["", open], ["desk-", desk]]) {
        const other = await start(options);
        const wide = await other.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        assert.equal(wide, false, `${view}wider than the screen`);
        await other.screenshot({ path: `${pictures}/${view}${options.colorScheme ?? "phone"}.png`, fullPage: true });
        const findings = await other.evaluate(`(() => { ${axe}; return axe.run(); })()`);
        const serious = findings.violations.filter((each) => ["serious", "critical"].includes(each.impact));
        assert.deepEqual(serious.map((each) => `${each.id}: ${each.nodes[0].html}`), []);
    }
}
assert.deepEqual(noise, []);
await browser.close();
console.log("the page: all is well");
