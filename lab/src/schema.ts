// What the engine says of the keys of a case.

import type { Tree } from "./tree";

export interface Choice {
    name: string;
    meaning: string;
    keys: Key[];
}
export interface Value {
    kind: "number" | "integer" | "boolean" | "text" | "choice" | "mapping" | "sequence";
    unit: string;
    least: number | string;
    greatest: number | string;
    other_word: string;
    choices: Choice[];
    keys: Key[];
    names: string[];
    items: Value[];
}
export interface Key {
    key: string;
    other_name: string; // of the same key; may be empty
    meaning: string;
    is_required: boolean;
    value: Value;
    default: Tree;
}
