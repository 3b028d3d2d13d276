// The page in Debian's Chromium, for tests and measurements.
import { chromium } from "playwright-core";

export async function launch() {
    return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** A new page; what it says on the console, its errors, and requests to a network go to `noise`. */
export async function tab(browser, noise, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(String(error)));
    page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || noise.push(request.url()));
    return page;
}

/** What the page has counted under this name (src/page.ts). */
export const counted = (page, name) => page.evaluate((key) => Number(document.body.dataset[key] ?? 0), name);

/** Waits until that count is larger than `before`. */
export const beyond = (page, name, before) =>
    page.waitForFunction(([key, n]) => Number(document.body.dataset[key] ?? 0) > n, [name, before], { timeout: 60000 });

/** Moves a slider up and down, an event a frame, for so many seconds; frames a second. */
export const wobble = (slider, seconds) => slider.evaluate((node, length) => new Promise((done) => {
    const start = performance.now();
    let frames = 0;
    const step = (now) => {
        ++frames;
        node.value = String(0.5 + 0.2 * Math.sin(now / 300));
        node.dispatchEvent(new Event("input"));
        if (now - start < 1000 * length) requestAnimationFrame(step);
        else done((1000 * frames) / (now - start));
    };
    requestAnimationFrame(step);
}), seconds);
