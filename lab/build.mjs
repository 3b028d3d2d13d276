// One file of everything: node build.mjs ENGINE_FOLDER OUTPUT
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const [engine, output] = process.argv.slice(2);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const bundle = async (entry, define = {}) => {
    const result = await build({
        entryPoints: [here(entry)], bundle: true, minify: true, format: "iife", target: "es2022", write: false, define,
    });
    return result.outputFiles[0].text;
};

const glue = readFileSync(`${engine}/stoss_lab.js`, "utf8");
const worker = `${glue}\n${await bundle("src/worker.ts")}`;
const script = (await bundle("src/main.ts", { WORKER_SOURCE: JSON.stringify(worker) })).replace(/<\/script/g, "<\\/script");
const style = readFileSync(here("node_modules/uplot/dist/uPlot.min.css"), "utf8") + readFileSync(here("style.css"), "utf8");
const wasm = gzipSync(readFileSync(`${engine}/stoss_lab.wasm`), { level: 9 }).toString("base64");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval' blob:; worker-src blob:; ` +
    `style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;

const parts = { POLICY: policy, STYLE: style, ENGINE: wasm, SCRIPT: script };
const page = readFileSync(here("index.html"), "utf8").replace(/@(POLICY|STYLE|ENGINE|SCRIPT)@/g, (_, name) => parts[name]);
writeFileSync(output, page);
console.log(`${output}: ${page.length} bytes`);
if (page.length > 1_200_000) throw new Error("the page is larger than 1.2 MB");
