// One engine in one worker. Of the requests that wait only the latest is computed; an engine that fails is replaced.

export interface Problem {
    key: string;
    value: string;
    rule: string;
    hint: string;
}
export interface Answer {
    problems?: Problem[];
    failure?: string;
    [key: string]: unknown;
}
type Take = (answer: Answer) => void;

interface Waiting {
    request: object;
    take: Take;
}

export class Engine {
    private worker!: Worker;
    private running: Waiting | undefined;
    private next: Waiting | undefined;

    constructor(
        private readonly source: string,
        private readonly wasm: ArrayBuffer,
        private readonly replaced: (why: string) => void,
    ) {
        this.start();
    }

    /** The answer comes unless a later request takes the place of this one. */
    ask(request: object, take: Take): void {
        this.next = { request, take };
        if (!this.running) this.send();
    }

    private start(): void {
        const url = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
        this.worker = new Worker(url);
        URL.revokeObjectURL(url);
        this.worker.onmessage = (event) => this.receive(event.data as { answer?: string; crash?: string });
        this.worker.onerror = (event) => this.replace(event.message);
        this.worker.postMessage({ wasm: this.wasm });
    }

    private send(): void {
        this.running = this.next;
        this.next = undefined;
        if (this.running) this.worker.postMessage({ request: JSON.stringify(this.running.request) });
    }

    private receive(message: { answer?: string; crash?: string }): void {
        if (message.crash !== undefined) {
            this.replace(message.crash);
            return;
        }
        const done = this.running;
        this.running = undefined;
        const answer = JSON.parse(message.answer ?? "{}") as Answer;
        if (this.next) this.send();
        done?.take(answer);
    }

    private replace(why: string): void {
        this.worker.terminate();
        this.running = undefined;
        this.start();
        this.replaced(why);
        if (this.next) this.send();
    }
}
