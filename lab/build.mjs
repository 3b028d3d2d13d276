// One file of everything: node build.mjs ENGINE_FOLDER OUTPUT
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [engine, output] = process.argv.slice(2);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const bundle = async (entry, format = "iife") => {
    const result = await build({
        entryPoints: [here(entry)], bundle: true, minify: true, format, target: "es2022", write: false,
    });
    return result.outputFiles[0].text;
};
const { pack } = await import(`data:text/javascript,${encodeURIComponent(await bundle("src/packed.ts", "esm"))}`);

const packed = (id, content) => {
    const whole = Buffer.from(content);
    const bytes = execFileSync("xz", ["--format=lzma", "-9e", "--stdout"], { input: whole, maxBuffer: 1 << 28 });
    return `<script id="${id}" type="application/octet-stream" data-size="${bytes.length}" data-whole="${whole.length}">${pack(bytes)}</script>`;
};
const worker = `${readFileSync(`${engine}/stoss_lab.js`, "utf8")}\n${await bundle("src/worker.ts")}`;
const script = (await bundle("src/main.ts")).replace(/<\/script/g, "<\\/script");
const style = readFileSync(here("node_modules/uplot/dist/uPlot.min.css"), "utf8") + readFileSync(here("style.css"), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval' blob:; worker-src blob:; ` +
    `style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;

const parts = {
    POLICY: policy, STYLE: style, SCRIPT: script, ENGINE: packed("engine", readFileSync(`${engine}/stoss_lab.wasm`)),
    WORKER: packed("worker", worker),
};
const page = readFileSync(here("index.html"), "utf8").replace(/@(POLICY|STYLE|ENGINE|WORKER|SCRIPT)@/g, (_, name) => parts[name]);
writeFileSync(output, page);
const size = Buffer.byteLength(page);
console.log(`${output}: ${size} bytes; packed engine ${Buffer.byteLength(parts.ENGINE)}, worker ${Buffer.byteLength(parts.WORKER)}, script ${script.length}`);
if (size > 1_200_000) throw new Error("the page is larger than 1.2 MB");
