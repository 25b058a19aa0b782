import { Form, useNavigation } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { Badge } from "~/ui/primitives/badge";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import { LivePreview } from "../files/live-preview";
import type { Previewed } from "../files/preview-panel";
import type { ReviewLine, ReviewSection } from "./review-lines";
import type { FormStepId } from "./steps";

/** Everything that was chosen, each answer with a way to its field and back; what is not saved yet is marked. */
export function Review({
  id,
  version,
  sections,
  hasChanges,
  outcome,
  previewed,
}: {
  id: string;
  version: number;
  sections: ReviewSection[];
  /** Whether there is something to save. */
  hasChanges: boolean;
  outcome:
    | { message: string; elsewhere: { step: string; title: string; message: string }[] }
    | undefined;
  previewed: Previewed | undefined;
}) {
  const base = useConsoleBase();
  const busy = useNavigation().state !== "idle";
  return (
    <>
      {outcome ? (
        <Message kind="failure" className="mt-6">
          <p>{outcome.message}</p>
          {outcome.elsewhere.map(({ step, title, message }) => (
            <p key={message}>
              <TextLink to={`?step=${step}`}>{title}</TextLink>: {message}
            </p>
          ))}
        </Message>
      ) : null}
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
              {lines.map((line) => (
                <Line key={line.field} step={step} {...line} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      {hasChanges ? (
        <Form method="post" className="mt-8 flex flex-wrap gap-3">
          <input type="hidden" name="step" value="review" />
          <input type="hidden" name="version" value={version} />
          <Button type="submit" disabled={busy}>
            {busy ? "Saving..." : "Save all changes"}
          </Button>
          <TextButton
            type="submit"
            name="discard"
            value="all"
            variant="standalone"
            className="px-3"
            disabled={busy}
          >
            Discard changes
          </TextButton>
        </Form>
      ) : (
        <LinkButton to={`${base}/deployments/${id}#steps`} className="mt-8">
          Get the files
        </LinkButton>
      )}
      {previewed ? (
        <div className="mt-10">
          <LivePreview {...previewed} />
        </div>
      ) : null}
    </>
  );
}

function Line({ step, field, label, value, isUnsaved }: ReviewLine & { step: FormStepId }) {
  return (
    <div className="gap-x-6 border-b border-line py-2 sm:flex">
      <dt className="w-56 shrink-0 text-ink-soft">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          <span>{value}</span>
          {isUnsaved ? (
            <Badge variant="outline" className="ml-2">
              Not saved
            </Badge>
          ) : null}
        </span>
        <TextLink
          to={`?step=${step}&back=review#${encodeURIComponent(field)}`}
          aria-label={`Change: ${label}`}
          className="inline-flex min-h-6 items-center text-sm"
        >
          Change
        </TextLink>
      </dd>
    </div>
  );
}
