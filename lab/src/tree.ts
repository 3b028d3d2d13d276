// A case as a tree of JSON values, and paths into it as the engine writes them: `beam.supports[0].xi`.

export type Tree = string | number | boolean | null | Tree[] | { [key: string]: Tree };
export type Mapping = { [key: string]: Tree };

export function isMapping(tree: Tree | undefined): tree is Mapping {
    return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}

function stepsOf(path: string): (string | number)[] {
    const steps: (string | number)[] = [];
    for (const match of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
        steps.push(match[2] !== undefined ? Number(match[2]) : match[1]!);
    }
    return steps;
}

export function valueAt(tree: Tree, path: string): Tree | undefined {
    let here: Tree | undefined = tree;
    for (const step of stepsOf(path)) {
        if (typeof step === "number") here = Array.isArray(here) ? here[step] : undefined;
        else here = isMapping(here) ? here[step] : undefined;
    }
    return here;
}

/** Sets the value at a path. If `value` is undefined, the key is removed, and an item of a list is empty: the others keep their places. */
export function setAt(tree: Mapping, path: string, value: Tree | undefined): void {
    const steps = stepsOf(path);
    let here: Tree = tree;
    steps.forEach((step, i) => {
        const isLast = i === steps.length - 1;
        const holder = here as { [key: string | number]: Tree };
        if (isLast) {
            if (value !== undefined) holder[step] = value;
            else if (Array.isArray(here)) holder[step] = "";
            else delete holder[step];
            return;
        }
        if (typeof holder[step] !== "object" || holder[step] === null) {
            if (value === undefined) return;
            holder[step] = typeof steps[i + 1] === "number" ? [] : {};
        }
        here = holder[step]!;
    });
}

/** "508 mm" -> 508 and " mm". */
export function numberAndUnit(text: string): { value: number; unit: string } | undefined {
    const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(.*)$/.exec(text);
    return match ? { value: Number(match[1]), unit: match[2]! } : undefined;
}
