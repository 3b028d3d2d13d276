// What the engine refuses: its words beside the fields, or above the form where no field is meant.

import { byId } from "./dom";
import type { Answer } from "./engine";
import type { Form } from "./form";

export class Refusals {
    /** `words`: id of the place above the form. `results`: id of what is out of date after a refusal. */
    constructor(private readonly form: Form, private readonly words: string, private readonly results: string) {}

    /** False if the engine refused; what was shown stays. */
    accept(answer: Answer): boolean {
        const rest = this.form.complain(answer.problems ?? []);
        const words = rest.map((each) => `${each.key}: ${each.value} ${each.rule}. ${each.hint}`);
        if (answer.failure) words.push(answer.failure);
        byId(this.words).textContent = words.join("\n");
        const refused = answer.problems !== undefined || answer.failure !== undefined;
        byId(this.results).classList.toggle("stale", refused);
        return !refused;
    }
}
