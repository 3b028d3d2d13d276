// Inside the worker: texts in, texts and doubles out.

import type { Code, Message } from "./engine";
import { unpacked } from "./unpacked";

interface Module {
    _stoss_lab_ask(text: number): number;
    _stoss_lab_block(): number;
    _stoss_lab_block_size(): number;
    _malloc(size: number): number;
    _free(at: number): void;
    HEAPF64: Float64Array;
    UTF8ToString(at: number): string;
    stringToUTF8(text: string, at: number, size: number): void;
    lengthBytesUTF8(text: string): number;
}
type Exports = { [name: string]: unknown };
declare const StossEngine: (options: {
    instantiateWasm(imports: WebAssembly.Imports, use: (instance: WebAssembly.Instance) => void): Exports;
}) => Promise<Module>;

const scope = self as unknown as { postMessage(message: Message, transfer?: Transferable[]): void };

async function compiled(code: Code): Promise<WebAssembly.Module> {
    if (code instanceof WebAssembly.Module) return code;
    const module = await WebAssembly.compile(await unpacked(code));
    scope.postMessage({ module });
    return module;
}

async function start(code: Code): Promise<Module> {
    const module = await compiled(code);
    return StossEngine({
        instantiateWasm(imports, use) {
            void WebAssembly.instantiate(module, imports).then(use);
            return {};
        },
    });
}

function ask(module: Module, text: string): Required<Pick<Message, "answer" | "block">> {
    const size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    const place = module._stoss_lab_ask(at);
    module._free(at);
    const answer = module.UTF8ToString(place);
    module._free(place);
    const first = module._stoss_lab_block() / 8;
    return { answer, block: module.HEAPF64.slice(first, first + module._stoss_lab_block_size()) };
}

let give!: (code: Code) => void;
const engine = new Promise<Code>((done) => (give = done)).then(start);

self.onmessage = async (event: MessageEvent<{ code?: Code; request?: string }>) => {
    const { code, request } = event.data;
    if (code) give(code);
    if (request === undefined) return;
    try {
        const message = ask(await engine, request);
        scope.postMessage(message, [message.block.buffer]);
    } catch (error) {
        scope.postMessage({ crash: String(error) });
    }
};

setTimeout(() => scope.postMessage({ started: true })); // once the page knows that this script has run, it sends at once
