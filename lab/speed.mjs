// How fast the page is in Chromium: node speed.mjs PAGE. Exit code 1 if it is slower than it is meant to be.
// On a machine that does other work the wall clock says little: the processor time of the worker for a map is given as well.
import { loadavg } from "node:os";
import { processes } from "./processes.mjs";
import { beyond, counted, launch, tab, wobble } from "./chromium.mjs";

const [page_file] = process.argv.slice(2);
const browser = await launch();
const noise = [];
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
console.log(`load of this machine before: ${loadavg()[0].toFixed(1)}`);

const times = [];
let page;
for (let i = 0; i < 15; ++i) {
    await page?.context().close();
    page = await tab(browser, noise);
    await page.waitForTimeout(1500); // a new window of Chromium first loads pages of its own, for its bars
    const start = Date.now();
    await page.goto(`file://${page_file}`);
    await beyond(page, "maps", 0);
    times.push(Date.now() - start);
}
console.log(`first map after ${times.join(", ")} ms; ${times.filter((each) => each <= 1000).length} of ${times.length} within 1 s`);

// Fine maps and the film's own worker are not asked while the slider moves: one worker computes.
await page.waitForFunction(() => document.body.dataset.places === "400");
await page.click("#play");
/** Processor time [s] of the workers so far. */
const workerTime = () => processes().filter((each) => each.line.includes("--type=renderer")).flatMap((each) => each.threads())
    .filter((each) => each.name.startsWith("DedicatedWorker")).reduce((sum, each) => sum + each.seconds, 0);
const rates = [];
const costs = [];
const frames = [];
for (let i = 0; i < 3; ++i) {
    const [before, began, used] = [await counted(page, "maps"), Date.now(), workerTime()];
    frames.push(await wobble(page.locator('input[aria-label="beam.length, slide"]'), 4));
    const made = (await counted(page, "maps")) - before;
    rates.push((1000 * made) / (Date.now() - began));
    costs.push((1000 * (workerTime() - used)) / made);
}
console.log(`while a slider moves: ${rates.map((each) => each.toFixed(1)).join(", ")} maps of 100 places a second, ` +
    `${frames.map((each) => each.toFixed(0)).join(", ")} frames a second`);
console.log(`processor time of the worker for a map with its film: ${costs.map((each) => each.toFixed(1)).join(", ")} ms`);
console.log(`load of this machine after: ${loadavg()[0].toFixed(1)}`);
await browser.close();
if (noise.length) throw new Error(noise.join("\n"));
process.exit(median(times) <= 1000 && median(rates) >= 15 && median(frames) >= 55 ? 0 : 1);
