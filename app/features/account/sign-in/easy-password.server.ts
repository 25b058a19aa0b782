import { brand } from "~/content/chrome";
import { signInFailures, weakPasswordReasons } from "~/content/sign-in-labels";
import type { Failure } from "~/features/auth/auth-errors.server";
import type { AppContext } from "~/http/app-context";
import { fetchAsset } from "~/http/assets.server";
import { sha256 } from "~/http/hashes";
import { describeError, log } from "~/platform/log/log.server";
import commonPasswords from "./common-passwords.dat?url&no-inline";

const bytesEach = 4;
const leastLength = 8;

/**
 * Refuses a password that is long enough but easy to guess: one of the 3,000 most common, also with digits or signs
 * added at its end, or one that is little more than the site's name or the person's address.
 */
export async function refuseEasyPassword(
  password: string,
  address: string,
  context: Pick<AppContext, "bindings">,
): Promise<Failure | undefined> {
  const reason = (await isCommon(password, context))
    ? weakPasswordReasons.common
    : isLittleMoreThan(password, guessableWords(address))
      ? weakPasswordReasons.own
      : undefined;
  if (!reason) return;
  const message = signInFailures.passwordWeak;
  return { state: "failed", status: 422, message, reasons: [reason] };
}

/**
 * The first bytes of the common passwords' hashes, sorted; `npm run passwords` writes them. The bytes are kept, not
 * the promise of them, which would fail, or never settle, with the request that began to read.
 */
let cached: Uint8Array | undefined;

/** Without any when the file cannot be read: nobody is kept from a new password by that. */
async function commonHashes(context: Pick<AppContext, "bindings">): Promise<Uint8Array> {
  try {
    cached ??= await (await fetchAsset(commonPasswords, context)).bytes();
  } catch (error) {
    log.error("The common passwords were not read", describeError(error));
  }
  return cached ?? new Uint8Array();
}

async function isCommon(password: string, context: Pick<AppContext, "bindings">): Promise<boolean> {
  const typed = password.toLowerCase();
  const forms = new Set([typed, typed.replace(/[\d!?.,*#@$_-]{1,4}$/, "")]);
  const hashes = await commonHashes(context);
  for (const form of forms) {
    if (form.length < leastLength) continue;
    if (holds(hashes, await sha256(form))) return true;
  }
  return false;
}

/** Whether a sorted list of the first bytes of hashes has those of this digest. */
function holds(hashes: Uint8Array, digest: Uint8Array): boolean {
  const value = (bytes: Uint8Array, at: number) =>
    new DataView(bytes.buffer, bytes.byteOffset + at, bytesEach).getUint32(0);
  const prefix = value(digest, 0);
  let [from, to] = [0, hashes.length / bytesEach];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = value(hashes, middle * bytesEach);
    if (found === prefix) return true;
    if (found < prefix) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** Words that an attacker tries first: the site's name, and the parts of the address. The longest come first. */
function guessableWords(address: string): string[] {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const site = brand.toLowerCase();
  return [site, ...site.split(" "), local, ...local.split(/[^a-z0-9]+/), ...domain.split(".")]
    .map((word) => word.replace(/\s/g, ""))
    .filter(({ length }) => length >= 3)
    .toSorted((one, other) => other.length - one.length);
}

/** Whether a password contains one of the words, and is too short without them. */
function isLittleMoreThan(password: string, words: readonly string[]): boolean {
  const typed = password.toLowerCase().replace(/\s/g, "");
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), typed);
  return rest !== typed && rest.length < leastLength;
}
