import { bundle } from "../bundle/bundle.ts";
import type { Bundle } from "../bundle/bundle-types.ts";
import { parseOptions } from "../bundle/options/parse-options.ts";

/**
 * What a new deployment at a domain comes to, with every other choice as it begins; the address for
 * the certificate authority is `admin` at the domain. Or what is wrong with the domain.
 */
export function filesOfDomain(
  typed: string,
): { domain: string; made: Bundle } | { problem: string } {
  const domain = typed.trim();
  const { options, problems } = parseOptions({ domain, email: `admin@${domain}` });
  if (options) return { domain: options.domain, made: bundle(options) };
  const { message } = problems.find(({ path }) => path === "domain") ?? problems[0] ?? {};
  return { problem: message ?? "No files can be made for this domain." };
}
