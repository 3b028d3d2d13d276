// What the engine refuses: its words beside the fields, or above the form where no field is meant. And what it takes long for.

import { byId } from "./dom";
import type { Answer } from "./engine";
import type { Form } from "./form";

const soon = 400; // ms

/** Why the engine refused, with the keys, one reason a line; empty if it did not. */
export function refusalIn(answer: Answer): string {
    const words = (answer.problems ?? []).map((each) => `${each.key}: ${each.value} ${each.rule}. ${each.hint}`);
    if (answer.failure) words.push(answer.failure);
    return words.join("\n");
}

export class Refusals {
    private timer = 0; // of an answer that is waited for
    private asked = 0; // requests so far

    /** `words`: id of the place above the form. `results`: id of what is out of date after a refusal. */
    constructor(private readonly form: Form, private readonly words: string, private readonly results: string) {}

    /**
     * The engine was asked: what is shown is of the earlier input. The page says so if the answer does not come soon.
     * Gives the number of the request.
     */
    wait(): number {
        this.arm();
        return ++this.asked;
    }

    private arm(): void {
        this.timer ||= window.setTimeout(() => {
            byId(this.words).textContent = "Computing. The results are still those of the earlier input.";
            byId(this.results).classList.add("stale");
        }, soon);
    }

    /** The answer to a request, by default the last one. False if the engine refused; what was shown stays. */
    accept(answer: Answer, asked = this.asked): boolean {
        clearTimeout(this.timer);
        this.timer = 0;
        if (asked < this.asked) this.arm(); // a newer request still runs
        const rest = this.form.complain(answer.problems ?? []);
        byId(this.words).textContent = refusalIn({ ...answer, problems: rest });
        const refused = answer.problems !== undefined || answer.failure !== undefined;
        byId(this.results).classList.toggle("stale", refused);
        return !refused;
    }
}
