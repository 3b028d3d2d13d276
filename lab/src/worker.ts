// Inside the worker: texts in, texts out.

interface Module {
    _stoss_lab_ask(text: number): number;
    _malloc(size: number): number;
    _free(at: number): void;
    UTF8ToString(at: number): string;
    stringToUTF8(text: string, at: number, size: number): void;
    lengthBytesUTF8(text: string): number;
}
declare const StossEngine: (options: { wasmBinary: ArrayBuffer }) => Promise<Module>;

let engine: Promise<Module> | undefined;

function ask(module: Module, text: string): string {
    const size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    const answer = module._stoss_lab_ask(at);
    module._free(at);
    const words = module.UTF8ToString(answer);
    module._free(answer);
    return words;
}

self.onmessage = async (event: MessageEvent<{ wasm?: ArrayBuffer; request?: string }>) => {
    try {
        if (event.data.wasm) {
            engine = StossEngine({ wasmBinary: event.data.wasm });
        } else if (engine && event.data.request !== undefined) {
            self.postMessage({ answer: ask(await engine, event.data.request) });
        }
    } catch (error) {
        self.postMessage({ crash: String(error) });
    }
};
