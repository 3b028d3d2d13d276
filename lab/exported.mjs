// A case that the page exported, run by the command: node exported.mjs CASE.yaml SHOWN.csv STOSS TABLE COLUMN
// The numbers of the page must be the last of that column of the run. Rows of the reference of the bench are not in a run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";

const [file, shown, stoss, table, name] = process.argv.slice(2);
const folder = mkdtempSync(`${tmpdir()}/stoss-lab-`);
execFileSync(stoss, ["run", file, "--output", `${folder}/run`, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
const column = (path) => {
    const [names, ...rows] = readFileSync(path, "utf8").trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
    return rows.filter(([first]) => first !== "reference").map((row) => Number(row[names.indexOf(name)]));
};
const here = column(shown);
const there = column(`${folder}/run/${table}`).slice(-here.length);
if (here.length !== there.length) throw new Error(`${here.length} numbers, the command has ${there.length}`);
let worst = 0;
let compared = 0;
here.forEach((value, i) => {
    if (Number.isFinite(value) !== Number.isFinite(there[i])) throw new Error(`number ${i}: ${value} and ${there[i]}`);
    if (!Number.isFinite(value)) return;
    worst = Math.max(worst, Math.abs(value - there[i]));
    ++compared;
});
console.log(`${file.replace(/.*\//, "")} by the command: ${compared} of ${here.length} of ${name}, largest difference ${worst.toExponential(2)}`);
process.exit(compared > 0 && worst < 1e-8 ? 0 : 1);
