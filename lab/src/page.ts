// What the views share: the state of the page, the engines, the address.

import { toHash, type State } from "./address";
import type { Engine } from "./engine";

export interface View {
    /** Shows the state of the page, which was set from outside. */
    show(): void;
}

export class Page {
    private timer = 0;

    /** `quick` answers what follows the hand, of the view that is shown: topic "view"; `careful` all that may take longer. */
    constructor(public state: State, readonly quick: Engine, readonly careful: Engine) {}

    /** The state has changed: writes it into the address, a little later. A notice was about the earlier state. */
    remember(): void {
        this.notice("");
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.address(), 200);
    }
    address(): void {
        history.replaceState(null, "", toHash(this.state));
    }
    notice(words: string): void {
        for (const place of document.querySelectorAll(".notice")) place.textContent = words;
    }
}

/** Counts what was shown, for those who wait for it. */
export function count(name: string): void {
    document.body.dataset[name] = String(Number(document.body.dataset[name] ?? 0) + 1);
}
