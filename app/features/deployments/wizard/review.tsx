import { LinkButton } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import { LivePreview } from "../files/live-preview";
import type { Previewed } from "../files/preview-panel";
import type { ReviewSection } from "./review-lines";

/** Everything that was chosen, each part with a way back to it. */
export function Review({
  id,
  sections,
  previewed,
}: {
  id: string;
  sections: ReviewSection[];
  previewed: Previewed | undefined;
}) {
  return (
    <>
      <div className="mt-8 grid gap-8">
        {sections.map(({ step, title, lines }) => (
          <section key={step} aria-labelledby={`review-${step}`}>
            <div className="flex items-baseline justify-between gap-4 border-b border-line-strong">
              <h2 id={`review-${step}`} className="text-lg">
                {title}
              </h2>
              <TextLink to={`?step=${step}`} aria-label={`Change ${title}`} variant="standalone">
                Change
              </TextLink>
            </div>
            <dl>
              {lines.map(({ label, value }) => (
                <div key={label} className="gap-x-6 border-b border-line py-2 sm:flex">
                  <dt className="w-56 shrink-0 text-ink-soft">{label}</dt>
                  <dd className="min-w-0 wrap-anywhere">{value}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <LinkButton to={`/dashboard/deployments/${id}`} className="mt-8">
        Get the files
      </LinkButton>
      {previewed ? (
        <div className="mt-10 border-t border-line pt-8">
          <LivePreview {...previewed} />
        </div>
      ) : null}
    </>
  );
}
