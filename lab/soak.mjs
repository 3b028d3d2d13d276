// Memory of the page while it is used at random: node soak.mjs PAGE [MINUTES]. Exit code 1 if it grows.
import assert from "node:assert/strict";
import { beyond, counted, launch, tab } from "./chromium.mjs";
import { processes } from "./processes.mjs";

const [page_file, minutes = "10"] = process.argv.slice(2);
const noise = [];
const server = await launch();
const page = await tab(server, noise);
await page.goto(`file://${page_file}`);
await beyond(page, "maps", 1);

/** Resident memory [MB] of the processes that show pages. */
const memory = () => processes().filter((each) => each.line.includes("--type=renderer")).reduce((sum, each) => sum + each.memory(), 0);

/** For a few seconds: sliders, the striker, presets, views, each at random. */
const play = (seconds) => page.evaluate((length) => new Promise((done) => {
    const some = (list) => list[Math.floor(Math.random() * list.length)];
    const end = performance.now() + 1000 * length;
    let slider;
    let steps = 0;
    const step = () => {
        if (performance.now() > end) return done();
        if (steps-- <= 0) {
            slider?.dispatchEvent(new Event("change"));
            const chance = Math.random();
            if (chance < 0.1) some([...document.querySelectorAll("[role=tab]")]).click();
            else if (chance < 0.2) {
                const preset = document.getElementById("preset");
                preset.value = some([...preset.options].filter((each) => each.value)).value;
                preset.dispatchEvent(new Event("change"));
            }
            slider = some([...document.querySelectorAll(".view:not([hidden]) input[type=range]")]);
            steps = 40;
        }
        if (slider?.isConnected) {
            slider.value = String(Number(slider.min) + Math.random() * (Number(slider.max) - Number(slider.min)));
            slider.dispatchEvent(new Event("input"));
        }
        requestAnimationFrame(step);
    };
    step();
}), seconds);

const samples = [];
const begin = Date.now();
while (Date.now() - begin < 60000 * Number(minutes)) {
    await play(5);
    samples.push(memory());
    if (samples.length % 12 === 0) console.log(`${((Date.now() - begin) / 60000).toFixed(1)} min: ${samples.at(-1).toFixed(0)} MB, ${await counted(page, "maps")} maps`);
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const third = Math.floor(samples.length / 3);
const [middle, last] = [median(samples.slice(third, 2 * third)), median(samples.slice(2 * third))];
console.log(`memory of the page: ${middle.toFixed(0)} MB in the middle third, ${last.toFixed(0)} MB in the last`);
await server.close();
assert.deepEqual(noise, []);
process.exit(last < 1.1 * middle ? 0 : 1);
