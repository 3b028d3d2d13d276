// Copies, taken out before deflate. Browsers unpack deflate themselves, but it looks back 32 kB only, and the engine's copies of
// its code for each contact law lie farther apart. The way back is in engine/unpack.cpp.
//
// A copy is three numbers: bytes that come before it as they are, its length less `short`, and how far back it begins: less than
// `kept`: as far as that many copies ago, each distance counted once; else that distance and `kept`. The form: how many bytes the
// first, the second and the third numbers of all copies have; those; then the bytes that are no copies. A number has seven bits
// a byte, the lowest first, and 128 is added to all bytes but its last.

const short = 4; // the shortest copy from a distance that is kept
const long = 12; // from another one
const gain = 8; // so many bytes longer a copy from another distance must be
const kept = 8; // distances
const tried = 128; // places that begin alike, the nearest first
const begin = 8; // bytes of such a beginning

interface Copy {
    back: number;
    length: number;
    which: number; // of the kept distances; -1: none
}

class Search {
    readonly distances: number[] = []; // the newest first
    private readonly newest = new Int32Array(1 << 20).fill(-1); // place of such a beginning
    private readonly before: Int32Array; // the place before it

    constructor(private readonly bytes: Uint8Array) {
        this.before = new Int32Array(bytes.length);
    }

    pass(at: number): void {
        const hash = this.hash(at);
        this.before[at] = this.newest[hash]!;
        this.newest[hash] = at;
    }

    use({ back, which }: Copy): void {
        const old = which < 0 ? this.distances.indexOf(back) : which;
        if (old >= 0) this.distances.splice(old, 1);
        this.distances.unshift(back);
        this.distances.length = Math.min(kept, this.distances.length);
    }

    /** The best copy of what comes at `at`; without length: none. */
    best(at: number): Copy {
        let best: Copy = { back: 0, length: 0, which: -1 };
        this.distances.forEach((back, which) => {
            const length = this.alike(at, back);
            if (length >= short && length > best.length) best = { back, length, which };
        });
        let from = this.newest[this.hash(at)]!;
        for (let i = 0; i < tried && from >= 0; ++i, from = this.before[from]!) {
            const length = this.alike(at, at - from);
            if (length >= long && worth(length, -1) > worth(best.length, best.which)) best = { back: at - from, length, which: -1 };
        }
        return best;
    }

    private alike(at: number, back: number): number {
        const { bytes } = this;
        if (back > at) return 0;
        let end = at;
        while (end < bytes.length && bytes[end - back] === bytes[end]) ++end;
        return end - at;
    }

    private hash(at: number): number {
        let hash = 0;
        for (let i = at; i < at + begin; ++i) hash = Math.imul(hash ^ (this.bytes[i] ?? 0), 0x9e3779b1) ^ (hash >>> 15);
        return hash >>> 12;
    }
}

function worth(length: number, which: number): number {
    return which < 0 ? length : length + gain;
}

function write(numbers: number[], value: number): void {
    for (; value > 127; value >>>= 7) numbers.push((value & 127) | 128);
    numbers.push(value);
}

export function takeCopies(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const search = new Search(bytes);
    const [plains, lengths, backs, rest]: [number[], number[], number[], number[]] = [[], [], [], []];
    let plain = 0;
    for (let at = 0; at < bytes.length; ) {
        const copy = search.best(at);
        search.pass(at);
        const next = copy.length > 0 ? search.best(at + 1) : copy;
        if (copy.length === 0 || worth(next.length, next.which) > worth(copy.length, copy.which) + 1) {
            rest.push(bytes[at++]!);
            ++plain;
            continue;
        }
        write(plains, plain);
        write(lengths, copy.length - short);
        write(backs, copy.which < 0 ? copy.back + kept : copy.which);
        search.use(copy);
        plain = 0;
        for (const end = at + copy.length; ++at < end; ) search.pass(at);
    }
    const sizes: number[] = [];
    for (const each of [plains, lengths, backs]) write(sizes, each.length);
    return Uint8Array.from([sizes, plains, lengths, backs, rest].flat());
}
