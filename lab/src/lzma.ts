// Unpacks LZMA, the form of `xz --format=lzma` (LZMA specification of the LZMA SDK, by Pavlov). Browsers unpack deflate only,
// which leaves the engine half as large again: its copies for each contact law lie farther apart than deflate looks back.

const half = 1024; // a probability of one half, in units of 1/2048

/** A range coder over adaptive bits; each bit has a probability of being 0. */
class Bits {
    private readonly held = new Uint32Array(2); // range and code: as plain numbers they would be allocated again and again

    constructor(private readonly bytes: Uint8Array, private at: number) {
        ++this.at; // the first byte is 0
        this.held[0] = 0xffffffff;
        for (let i = 0; i < 4; ++i) this.held[1] = (this.held[1]! << 8) | this.bytes[this.at++]!;
    }

    one(odds: Uint16Array, i: number): number {
        return this.tree(odds, i - 1, 1);
    }

    /** `count` bits of even odds, the highest first. */
    even(count: number): number {
        let value = 0;
        for (let i = 0; i < count; ++i) {
            const range = this.held[0]! >>> 1;
            const bit = this.held[1]! >= range ? 1 : 0;
            if (bit) this.held[1] = this.held[1]! - range;
            this.held[0] = range;
            if (range < 0x1000000) {
                this.held[0] = range << 8;
                this.held[1] = (this.held[1]! << 8) | this.bytes[this.at++]!;
            }
            value = 2 * value + bit;
        }
        return value;
    }

    /** `count` bits, the highest first, each with odds by those before it. */
    tree(odds: Uint16Array, from: number, count: number): number {
        return this.below(odds, from, 1, 1 << count) - (1 << count);
    }

    /** Goes on from a node of such a tree until the number of the node has reached `end`. */
    below(odds: Uint16Array, from: number, start: number, end: number): number {
        const { held, bytes } = this;
        let range = held[0]!;
        let code = held[1]!;
        let at = this.at;
        let node = start;
        while (node < end) {
            const p = odds[from + node]!;
            const bound = (range >>> 11) * p;
            if (code < bound) {
                range = bound;
                odds[from + node] = p + ((2048 - p) >> 5);
                node = 2 * node;
            } else {
                range = (range - bound) >>> 0;
                code = (code - bound) >>> 0;
                odds[from + node] = p - (p >> 5);
                node = 2 * node + 1;
            }
            if (range < 0x1000000) {
                range = (range << 8) >>> 0;
                code = ((code << 8) | bytes[at++]!) >>> 0;
            }
        }
        held[0] = range;
        held[1] = code;
        this.at = at;
        return node;
    }

    /** The same as `tree`, the lowest first. */
    reversed(odds: Uint16Array, from: number, count: number): number {
        let node = 1;
        let value = 0;
        for (let i = 0; i < count; ++i) {
            const bit = this.one(odds, from + node);
            node = 2 * node + bit;
            value |= bit << i;
        }
        return value;
    }
}

function odds(count: number): Uint16Array {
    return new Uint16Array(count).fill(half);
}

/** Lengths of matches, less 2. */
class Lengths {
    private readonly choice = odds(2);
    private readonly low = odds(16 << 3);
    private readonly middle = odds(16 << 3);
    private readonly high = odds(256);

    read(bits: Bits, place: number): number {
        if (!bits.one(this.choice, 0)) return bits.tree(this.low, place << 3, 3);
        if (!bits.one(this.choice, 1)) return 8 + bits.tree(this.middle, place << 3, 3);
        return 16 + bits.tree(this.high, 0, 8);
    }
}

/** Distances of matches, less 1. */
class Distances {
    private readonly slots = odds(4 << 6);
    private readonly near = odds(128);
    private readonly align = odds(16);

    read(bits: Bits, length: number): number {
        const slot = bits.tree(this.slots, Math.min(length, 3) << 6, 6);
        if (slot < 4) return slot;
        const more = (slot >> 1) - 1;
        const base = ((2 | (slot & 1)) << more) >>> 0;
        if (slot < 14) return base + bits.reversed(this.near, base - slot, more);
        return base + 16 * bits.even(more - 4) + bits.reversed(this.align, 0, 4);
    }
}

const endMark = 0xffffffff;

class Unpacking {
    private readonly context: number; // bits of the byte before a literal
    private readonly places: number; // masks of the position
    private readonly literalPlaces: number;
    private readonly literals: Uint16Array;
    private readonly isMatch = odds(12 << 4);
    private readonly isRepeated = odds(12);
    private readonly isOlder = [odds(12), odds(12), odds(12)]; // than the last distance, than that before it, ...
    private readonly isLong = odds(12 << 4);
    private readonly lengths = new Lengths();
    private readonly repeatedLengths = new Lengths();
    private readonly distances = new Distances();
    private readonly bits: Bits;
    private readonly last = new Uint32Array(4); // distances, the newest first
    private state = 0; // what came before
    private at = 0;

    constructor(bytes: Uint8Array, private readonly out: Uint8Array) {
        const form = bytes[0]!;
        this.context = form % 9;
        const literalPlaces = Math.floor(form / 9) % 5;
        this.literalPlaces = (1 << literalPlaces) - 1;
        this.places = (1 << Math.floor(form / 45)) - 1;
        this.literals = odds(0x300 << (this.context + literalPlaces));
        this.bits = new Bits(bytes, 13);
    }

    run(): void {
        while (this.at < this.out.length) {
            const place = this.at & this.places;
            if (!this.bits.one(this.isMatch, (this.state << 4) + place)) {
                this.literal();
                continue;
            }
            const length = this.bits.one(this.isRepeated, this.state) ? this.repeat(place) : this.match(place);
            if (this.last[0] === endMark) return;
            const { out, at } = this;
            const from = at - this.last[0]! - 1;
            for (let i = 0; i < length; ++i) out[at + i] = out[from + i]!;
            this.at = at + length;
        }
    }

    private literal(): void {
        const before = this.at > 0 ? this.out[this.at - 1]! : 0;
        const from = 0x300 * (((this.at & this.literalPlaces) << this.context) + (before >> (8 - this.context)));
        let symbol = 1;
        if (this.state >= 7) {
            let guess = this.out[this.at - this.last[0]! - 1]!;
            while (symbol < 0x100) {
                const expected = (guess >> 7) & 1;
                guess <<= 1;
                const bit = this.bits.one(this.literals, from + ((1 + expected) << 8) + symbol);
                symbol = 2 * symbol + bit;
                if (bit !== expected) break;
            }
        }
        this.out[this.at++] = this.bits.below(this.literals, from, symbol, 0x100);
        this.state = this.state < 4 ? 0 : this.state < 10 ? this.state - 3 : this.state - 6;
    }

    private match(place: number): number {
        const length = this.lengths.read(this.bits, place);
        this.renew(this.distances.read(this.bits, length), 3);
        this.state = this.state < 7 ? 7 : 10;
        return length + 2;
    }

    /** A distance becomes the newest, in place of the one numbered `which`. */
    private renew(distance: number, which: number): void {
        for (let i = which; i > 0; --i) this.last[i] = this.last[i - 1]!;
        this.last[0] = distance;
    }

    /** A match at one of the last four distances, which becomes the newest. */
    private repeat(place: number): number {
        let which = 0;
        while (which < 3 && this.bits.one(this.isOlder[which]!, this.state)) ++which;
        if (which === 0 && !this.bits.one(this.isLong, (this.state << 4) + place)) {
            this.state = this.state < 7 ? 9 : 11;
            return 1;
        }
        this.renew(this.last[which]!, which);
        this.state = this.state < 7 ? 8 : 11;
        return this.repeatedLengths.read(this.bits, place) + 2;
    }
}

/** The `size` bytes that were packed. */
export function unpackLzma(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(size);
    new Unpacking(bytes, out).run();
    return out;
}
