/**
 * 64 bits of FNV-1a in hex, to find out whether two contents differ. It is no cryptographic hash.
 * It multiplies 32-bit numbers, which is many times faster than BigInt.
 */
export function contentHash(text: string): string {
  let low = 0x84222325;
  let high = 0xcbf29ce4;
  for (let index = 0; index < text.length; index += 1) {
    low ^= text.charCodeAt(index);
    // The 64-bit prime is 2^40 + 0x1b3.
    const product = (low >>> 0) * 0x1b3;
    high = (Math.imul(high, 0x1b3) + (low << 8) + Math.floor(product / 2 ** 32)) | 0;
    low = product | 0;
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
