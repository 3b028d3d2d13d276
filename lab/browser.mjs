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

for (const options of [{ viewport: { width: 390, height: 844 } }, { colorScheme: "dark" }]) {
    const other = await open(options);
    const wide = await other.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(wide, false, "wider than the screen");
    await other.screenshot({ path: `${pictures}/${options.colorScheme ?? "phone"}.png`, fullPage: true });
    const axe = readFileSync(fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
    const findings = await other.evaluate(`(() => { ${axe}; return axe.run(); })()`);
    const serious = findings.violations.filter((each) => ["serious", "critical"].includes(each.impact));
    assert.deepEqual(serious.map((each) => `${each.id}: ${each.nodes[0].html}`), []);
}
assert.deepEqual(noise, []);
await browser.close();
console.log("the page: all is well");
