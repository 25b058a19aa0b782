import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { authorityFile, localAuthority } from "./authority.ts";

const withOthers = authorityFile.replace(".pem", "-and-others.pem");

/**
 * Workers that this process or its children start from now on trust the fakes' certificates, beside what they trusted
 * before: Miniflare reads this variable when it is imported.
 */
export function trustFakes(): void {
  localAuthority();
  const former = process.env.NODE_EXTRA_CA_CERTS;
  if (former === authorityFile || former === withOthers) return;
  if (former === undefined) {
    process.env.NODE_EXTRA_CA_CERTS = authorityFile;
    return;
  }
  const texts = [former, authorityFile].map((path) => readFileSync(path, "utf8"));
  const mine = `${withOthers}-${process.pid}`;
  writeFileSync(mine, texts.join("\n"));
  renameSync(mine, withOthers);
  process.env.NODE_EXTRA_CA_CERTS = withOthers;
}
