// Bytes as ASCII text of a page: nearly seven bits a character, where base64 has six. ASCII, because Chromium decodes it three times
// as fast as other UTF-8.
//
// The way back is in engine/unpack.cpp.
//
// A page must not hold the characters 0 and 13 as they are, nor one that could begin a tag. Of the 125 that are left, 122 mean
// seven bits, from 0000000 on. The last three mean six bits: 111101, 111110 and 111111.

const forbidden = [0, 13, 60];
const allowed = Array.from({ length: 128 }, (_, code) => code).filter((code) => !forbidden.includes(code));
const sevens = 122; // characters of seven bits

export function pack(bytes: Uint8Array): string {
    const at = (bit: number) => {
        const i = bit >> 3;
        return ((((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)) >> (9 - (bit & 7))) & 127;
    };
    let text = "";
    for (let bit = 0; bit < 8 * bytes.length; ) {
        const isSeven = at(bit) < sevens;
        text += String.fromCharCode(allowed[isSeven ? at(bit) : sevens / 2 + (at(bit) >> 1)]!);
        bit += isSeven ? 7 : 6;
    }
    return text;
}
