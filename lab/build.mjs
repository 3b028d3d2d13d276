// One file of everything: node build.mjs ENGINE_FOLDER OUTPUT
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { webEngine } from "./node_engine.mjs";

const [engine, output] = process.argv.slice(2);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const bundle = async (entry, format = "iife", define = {}) => {
    const result = await build({
        entryPoints: [here(entry)], bundle: true, minify: true, format, target: "es2022", write: false, define,
    });
    return result.outputFiles[0].text;
};
const ask = await webEngine(engine);
const module = async (name) => import(`data:text/javascript,${encodeURIComponent(await bundle(`src/${name}.ts`, "esm"))}`);
const { pack } = await module("packed");
const { takeCopies } = await module("copies");

const packed = (id, whole) => {
    writeFileSync(`${output}.short`, takeCopies(whole)); // zopfli reads files only
    const bytes = execFileSync("zopfli", ["--deflate", "-c", `${output}.short`], { maxBuffer: 1 << 28 });
    unlinkSync(`${output}.short`);
    return `<script id="${id}" type="application/octet-stream" data-packed="${bytes.length}" data-whole="${whole.length}">${pack(bytes)}</script>`;
};
const unpacker = JSON.stringify(readFileSync(`${engine}/stoss_unpack.wasm`).toString("base64"));
const worker = `${readFileSync(`${engine}/stoss_lab.js`, "utf8")}\n${await bundle("src/worker.ts")}`;
const script = (await bundle("src/main.ts", "iife", { builtWorker: JSON.stringify(worker), builtUnpacker: unpacker })).replace(/<\/script/g, "<\\/script");
const style = readFileSync(here("node_modules/uplot/dist/uPlot.min.css"), "utf8") + readFileSync(here("style.css"), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval' blob:; worker-src blob:; ` +
    `style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;

const parts = {
    POLICY: policy, KEYS: packed("keys", Buffer.from(JSON.stringify(ask({ do: "keys" })))), STYLE: style, SCRIPT: script, ENGINE: packed("engine", readFileSync(`${engine}/stoss_lab.wasm`)),
};
const page = readFileSync(here("index.html"), "utf8").replace(/@(POLICY|STYLE|KEYS|ENGINE|SCRIPT)@/g, (_, name) => parts[name]);
writeFileSync(output, page);
const size = Buffer.byteLength(page);
if (/[^\x01-\x7f]/.test(page)) throw new Error("the page is not ASCII; Chromium decodes that three times as fast as other UTF-8");
console.log(`${output}: ${size} bytes; packed engine ${Buffer.byteLength(parts.ENGINE)}, script ${script.length}, worker in it ${worker.length}`);
if (size > 1_250_000) throw new Error("the page is larger than 1.25 MB");
