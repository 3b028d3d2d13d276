// One engine in one worker. Requests are answered in turn; an engine that fails is replaced, and so is one that still works at a
// request that a newer one has overtaken.

import type { Packed } from "./unpacked";

export interface Problem {
    key: string;
    value: string;
    rule: string;
    hint: string;
    line: number; // of a text that was read; else 0
}
export interface Answer {
    problems?: Problem[];
    failure?: string;
    [key: string]: unknown;
}
/** The code of the engine, as the page holds it or compiled. */
export type Code = Packed | WebAssembly.Module;
/** What the worker sends: that it is there; the code, once it has compiled it; a text, and the doubles that its columns refer to. */
export interface Message {
    started?: true;
    module?: WebAssembly.Module;
    answer?: string;
    block?: Float64Array;
    crash?: string;
}

interface Waiting {
    request: object;
    topic: string; // "" never gives way
    failures: number;
    take: (answer: Answer) => void;
}

const attempts = 2; // of one request
const patience = 500; // ms that a request may go on when a later one about the same topic waits

export class Engine {
    private worker: Worker | undefined;
    private running: Waiting | undefined;
    private waiting: Waiting[] = [];
    private taken: () => void = () => {};
    private limit = 0; // timer of the request that runs, once it is overtaken

    /** `held.code`, which the engines share, becomes the compiled one when a worker has compiled it. */
    constructor(
        private readonly source: string,
        private readonly held: { code: Promise<Code> },
        private readonly replaced: (why: string) => void,
    ) {}

    /** `take` is called unless a later request about the same topic comes before this one begins, or long before it ends. */
    ask(request: object, take: (answer: Answer) => void, topic = ""): void {
        if (topic) this.waiting = this.waiting.filter((each) => each.topic !== topic);
        if (topic && topic === this.running?.topic) this.limit ||= setTimeout(() => this.giveUp(), patience);
        this.waiting.push({ request, topic, failures: 0, take });
        this.send();
    }

    /** Makes the engine before the first request; ends when its worker has the code, or has failed. */
    warm(): Promise<void> {
        return new Promise((done) => {
            this.taken = done;
            this.worker ??= this.start();
        });
    }

    private start(): Worker {
        const url = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
        const worker = new Worker(url);
        URL.revokeObjectURL(url);
        worker.onmessage = (event) => this.receive(event.data as Message);
        worker.onerror = (event) => {
            event.preventDefault();
            this.replace(event.message);
        };
        return worker;
    }

    /** A new worker in the place of this one, whatever that does. */
    private renew(): void {
        const old = this.worker!;
        old.onmessage = old.onerror = null;
        old.terminate();
        this.worker = this.start();
    }

    /** Leaves the request that runs without an answer. */
    private giveUp(): void {
        this.renew();
        this.take();
        this.send();
    }

    /** The request that ran, which runs no more. */
    private take(): Waiting | undefined {
        const done = this.running;
        clearTimeout(this.limit);
        this.limit = 0;
        this.running = undefined;
        return done;
    }

    private async give(): Promise<void> {
        this.worker!.postMessage({ code: await this.held.code });
        this.taken();
    }

    private send(): void {
        if (this.running) return;
        this.running = this.waiting.shift();
        if (!this.running) return;
        this.worker ??= this.start();
        this.worker.postMessage({ request: JSON.stringify(this.running.request) });
    }

    private receive(message: Message): void {
        if (message.started) {
            void this.give();
            return;
        }
        if (message.module) {
            this.held.code = Promise.resolve(message.module);
            return;
        }
        if (message.crash !== undefined) {
            this.replace(message.crash);
            return;
        }
        this.finish(decoded(message));
    }

    private finish(answer: Answer): void {
        const done = this.take();
        this.send();
        done?.take(answer);
    }

    /** The request that was running is asked again, once. */
    private replace(why: string): void {
        this.renew();
        this.taken();
        this.replaced(why);
        const broken = this.running;
        if (!broken) return;
        if (++broken.failures >= attempts) {
            this.finish({ failure: `The engine failed ${attempts} times at this: ${why}` });
            return;
        }
        this.take();
        const is_old = broken.topic !== "" && this.waiting.some((each) => each.topic === broken.topic);
        if (!is_old) this.waiting.unshift(broken);
        this.send();
    }
}

function isColumn(value: unknown): value is { from: number; count: number } {
    return typeof value === "object" && value !== null && "from" in value && "count" in value;
}

/** The answer with its columns in their places, be they empty. */
function decoded({ answer = "{}", block = new Float64Array() }: Message): Answer {
    if (!answer.includes('"from"')) return JSON.parse(answer) as Answer; // the answer of the keys is long and has none
    return JSON.parse(answer, (_, value: unknown) => (isColumn(value) ? block.subarray(value.from, value.from + value.count) : value)) as Answer;
}
