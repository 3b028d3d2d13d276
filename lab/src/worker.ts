// Inside the worker: texts in, texts and doubles out.

import type { Message } from "./engine";

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

let engine: Promise<Module> | undefined;

function start(wasm: WebAssembly.Module): Promise<Module> {
    return StossEngine({
        instantiateWasm(imports, use) {
            void WebAssembly.instantiate(wasm, imports).then(use);
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

const scope = self as unknown as { postMessage(message: Message, transfer?: Transferable[]): void };

self.onmessage = async (event: MessageEvent<{ wasm?: WebAssembly.Module; request?: string }>) => {
    try {
        if (event.data.wasm) {
            engine = start(event.data.wasm);
        } else if (engine && event.data.request !== undefined) {
            const message = ask(await engine, event.data.request);
            scope.postMessage(message, [message.block.buffer]);
        }
    } catch (error) {
        scope.postMessage({ crash: String(error) });
    }
};
