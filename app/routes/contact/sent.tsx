import { useEffect } from "react";
import { contactTopics } from "~/content/contact";
import { dropDraft } from "~/features/contact/draft";
import { receiptOf } from "~/features/contact/receipt.server";
import { appContext } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import { LinkButton } from "~/ui/primitives/button";
import { CheckIcon } from "~/ui/primitives/icons";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/sent";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Message sent") },
  { name: "robots", content: "noindex" },
];

export const headers: Route.HeadersFunction = () => ({ "cache-control": "private, no-store" });

export async function loader({ request, context }: Route.LoaderArgs) {
  return { receipt: await receiptOf(context.get(appContext)).read(request) };
}

export default function Sent({ loaderData }: Route.ComponentProps) {
  const { receipt } = loaderData;
  useEffect(dropDraft, []);
  const topic = contactTopics.find(({ value }) => value === receipt?.topic)?.label;
  return (
    <div className="page py-20">
      <span className="inline-flex size-14 items-center justify-center rounded-full bg-signal text-on-signal">
        <CheckIcon width={28} height={28} />
      </span>
      <h1 className="mt-6 text-2xl">Message sent</h1>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        Thank you. We have your message, a person reads it, and we answer by e-mail.
      </p>
      {receipt ? (
        <>
          <dl className="mt-8 grid max-w-prose gap-x-8 gap-y-2 border-y border-line py-5 sm:grid-cols-[auto_1fr]">
            <dt className="text-ink-soft">We answer to</dt>
            <dd className="font-mono break-all">{receipt.email}</dd>
            <dt className="text-ink-soft">Topic</dt>
            <dd>{topic}</dd>
            <dt className="text-ink-soft">Reference</dt>
            <dd className="font-mono break-all">{receipt.id}</dd>
          </dl>
          <p className="mt-4 max-w-prose text-ink-soft">
            Is the address wrong? <TextLink to="/contact">Write again</TextLink> and mention the
            reference.
          </p>
        </>
      ) : null}
      <div className="mt-10 flex flex-wrap gap-3">
        <LinkButton to="/">Back to home</LinkButton>
        <LinkButton to="/docs" variant="secondary">
          View Documentation
        </LinkButton>
      </div>
    </div>
  );
}
