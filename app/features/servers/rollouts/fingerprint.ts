/** In groups of four, as people compare it with what a machine prints. */
export const fingerprintWords = (fingerprint: string): string =>
  fingerprint.replace(/(.{4})(?=.)/g, "$1 ");
