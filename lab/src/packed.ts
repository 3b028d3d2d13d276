// Bytes as text of a page in UTF-8: seven bits a character, where base64 has six.
//
// The way back is in engine/unpack.cpp.
//
// A page must not hold the characters 0 and 13 as they are, nor one that could begin a tag. In place of one of them and the
// seven bits after it follows one character of two bytes, which names which of the three it was and holds those bits.

const forbidden = [0, 13, 60];

export function pack(bytes: Uint8Array): string {
    const at = (bit: number) => {
        const i = bit >> 3;
        return ((((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)) >> (9 - (bit & 7))) & 127;
    };
    let text = "";
    for (let bit = 0; bit < 8 * bytes.length; bit += 7) {
        const which = forbidden.indexOf(at(bit));
        if (which < 0) text += String.fromCharCode(at(bit));
        else text += String.fromCharCode(128 * (which + 1) + at((bit += 7)));
    }
    return text;
}
