// The state of the page in its address.

import { layers } from "./map";
import { isMapping, type Mapping } from "./tree";

export interface State {
    case: Mapping;
    xi: number;
    layer: string;
    view?: string; // "beam" if it is not said
    desk?: Mapping; // the case of the restitution desk
    cone?: Mapping; // the contact of the friction cone
    turned?: [number, number]; // of the cone: yaw and pitch [rad]
    bench?: Mapping; // the impact of the schemes bench
}

export function toHash(state: State): string {
    const bytes = Array.from(new TextEncoder().encode(JSON.stringify(state)), (byte) => String.fromCharCode(byte));
    return "#" + btoa(bytes.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Undefined if the address holds no state. In the place of a layer that the page does not have comes the first one. */
export function fromHash(hash: string): State | undefined {
    try {
        const text = atob(hash.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
        const state = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0)))) as State;
        const hasPlace = Number.isFinite(state.xi) && state.xi >= 0 && state.xi <= 1;
        if (!hasPlace || ![state.case, state.desk ?? {}, state.cone ?? {}, state.bench ?? {}].every(isMapping)) return undefined;
        return { ...state, layer: (layers.find((each) => each.column === state.layer) ?? layers[0]!).column };
    } catch {
        return undefined;
    }
}
