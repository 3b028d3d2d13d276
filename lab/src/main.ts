// The page: its state, the two engines, the views, and what is dropped onto it.

import { fromHash, toHash, type State } from "./address";
import { keysOfViews, packedEngine, workerSource } from "./assets";
import { BeamView } from "./beam";
import { Bench } from "./bench";
import { ConeView } from "./cone";
import { Desk } from "./desk";
import { onColours } from "./dom";
import { Engine } from "./engine";
import { Imports } from "./imports";
import { Page, type View } from "./page";
import { presets } from "./presets";
import type { Key } from "./schema";
import { Tabs } from "./tabs";

class Laboratory {
    private readonly tabs = new Tabs((view) => this.take({ ...this.page.state, view }));
    private readonly views: { [name: string]: View };

    constructor(private readonly page: Page, keys: { [view: string]: Key[] }) {
        const beam = new BeamView(page, keys["keys"]!);
        this.views = {
            beam,
            desk: new Desk(page, keys["desk"]!),
            cone: new ConeView(page, keys["cone"]!),
            bench: new Bench(page, keys["bench"]!),
        };
        new Imports(page, keys, (points) => beam.measure(points), (state) => this.take(state));
        this.take(page.state);
        onColours(() => this.take(this.page.state));
        window.addEventListener("hashchange", () => {
            const state = fromHash(location.hash);
            if (state && toHash(state) !== toHash(this.page.state)) this.take(state);
        });
    }

    private take(state: State): void {
        this.page.state = state;
        const view = this.views[state.view ?? ""] ? state.view! : "beam";
        this.tabs.show(view);
        this.views[view]!.show();
        this.page.remember();
    }
}

async function begin(): Promise<void> {
    let page: Page | undefined;
    const replaced = (why: string) => page?.notice(`An engine failed and was replaced (${why}). It goes on with the last request.`);
    const held = { code: packedEngine() };
    const [quick, careful] = [new Engine(workerSource, held, replaced), new Engine(workerSource, held, replaced)];
    const warm = quick.warm();
    await held.code; // it lies behind all that the views need
    const keys = await keysOfViews();
    await warm; // the worker starts by messages through this thread; the views are built while it unpacks the code
    const start = { case: structuredClone(presets[0]!.case), xi: presets[0]!.xi, layer: "cor_kinematic" };
    page = new Page(fromHash(location.hash) ?? start, quick, careful);
    new Laboratory(page, keys);
}

void begin();
