import { useEffect, useMemo } from "react";
import { DocumentLinkButton } from "~/ui/primitives/button";
import { bundle } from "../bundle/bundle.ts";
import type { Bundle } from "../bundle/bundle-types.ts";
import { parseOptions } from "../bundle/options/parse-options.ts";
import { scriptTexts } from "../bundle/script-files";
import { keepInDraft } from "../draft/draft";
import { displayDomain } from "../words/display-domain";
import { typedDomain } from "../words/typed-domain";
import { BrowsedFiles } from "./browsed-files";

/** The real files for a domain that a visitor typed, made in their browser. */
export function DomainFiles({ typed }: { typed: string }) {
  const reading = useMemo(() => filesOfDomain(typed), [typed]);
  const domain = "domain" in reading ? reading.domain : undefined;
  useEffect(() => {
    if (domain) keepInDraft({ domain });
  }, [domain]);
  if ("problem" in reading) {
    return (
      <p role="alert" className="px-4 py-4 font-sans text-base text-failure">
        {reading.problem}
      </p>
    );
  }
  const { files, ports } = reading.made;
  return (
    <>
      <p role="status" className="border-b border-line px-4 py-3 wrap-anywhere">
        <span className="text-signal">{files.length} files</span> for{" "}
        {displayDomain(reading.domain)}
      </p>
      <BrowsedFiles files={files} first="livekit.yaml" isShort />
      <ul
        aria-label="Ports that open"
        className="flex flex-wrap gap-x-5 gap-y-2 border-t border-line px-4 py-3"
      >
        {ports
          .filter(({ audience }) => audience === "public")
          .map(({ ports: number, protocol }) => (
            <li key={`${number}${protocol}`} className="flex items-center gap-2">
              <span className="size-1.5 rounded-full bg-signal" aria-hidden="true" />
              {number}
              <span className="text-ink-soft">{protocol}</span>
            </li>
          ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-4 py-4 font-sans">
        <p className="max-w-[44ch] text-ink-soft">
          Made here, in your browser, with the choices that a new deployment begins with. Nothing
          was sent; the domain is kept in this browser for your first deployment.
        </p>
        <DocumentLinkButton href="/services" variant="secondary">
          Make more choices
        </DocumentLinkButton>
      </div>
    </>
  );
}

/**
 * The files of a deployment at this domain with the default of every other option, and `admin` at the domain as the
 * address for the certificate authority; or what is wrong with the domain.
 */
function filesOfDomain(typed: string): { domain: string; made: Bundle } | { problem: string } {
  const domain = typedDomain(typed);
  const { options, problems } = parseOptions({ domain, email: `admin@${domain}` });
  if (options) return { domain: options.domain, made: bundle(options, scriptTexts) };
  const { message } = problems.find(({ path }) => path === "domain") ?? problems[0] ?? {};
  return { problem: message ?? "No files can be made for this domain." };
}
