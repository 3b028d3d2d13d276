// A case that the page exported, run by the command: node exported.mjs CASE.yaml MAP.csv STOSS
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";

const [file, shown, stoss] = process.argv.slice(2);
const folder = mkdtempSync(`${tmpdir()}/stoss-lab-`);
execFileSync(stoss, ["run", file, "--output", `${folder}/run`, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
const column = (path, name) => {
    const [names, ...rows] = readFileSync(path, "utf8").trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
    return rows.map((row) => Number(row[names.indexOf(name)]));
};
const [here, there] = [column(shown, "cor_kinematic"), column(`${folder}/run/map.csv`, "cor_kinematic")];
if (here.length !== there.length) throw new Error(`${here.length} places, the command has ${there.length}`);
let worst = 0;
let compared = 0;
here.forEach((e, i) => {
    if (Number.isFinite(e) !== Number.isFinite(there[i])) throw new Error(`place ${i}: ${e} and ${there[i]}`);
    if (!Number.isFinite(e)) return;
    worst = Math.max(worst, Math.abs(e - there[i]));
    ++compared;
});
console.log(`exported case by the command: ${compared} of ${here.length} places, largest difference of e ${worst.toExponential(2)}`);
process.exit(compared > 0 && worst < 1e-8 ? 0 : 1);
