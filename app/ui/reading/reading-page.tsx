import type { ReactNode } from "react";
import { dayOf } from "~/ui/dates";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import type { Page } from "~/ui/reading/pages.server";
import { Prose } from "~/ui/reading/prose";
import "./copy-page.client";
import { FoldedContents, SideContents } from "./contents";

/**
 * A page of long text: what it belongs to in the rail on the left, the text in the middle, what is
 * on the page on the right. On a narrow screen they follow each other.
 */
export function ReadingPage({
  page,
  rail,
  markdown,
  before,
  after,
}: {
  page: Page;
  rail: ReactNode;
  /** The address of the text as it was written. */
  markdown?: string;
  before?: ReactNode;
  after?: ReactNode;
}) {
  return (
    <div className="page grid gap-x-12 gap-y-8 py-10 lg:grid-cols-[11rem_minmax(0,1fr)] lg:py-16 xl:grid-cols-[11rem_minmax(0,42rem)_1fr] print:block print:py-0">
      <div className="lg:sticky lg:top-28 lg:self-start">{rail}</div>
      <article className="min-w-0">
        <header className="max-w-[35rem]">
          <h1 className="text-2xl">{page.title}</h1>
          <p className="mt-4 text-lg text-ink-soft">{page.description}</p>
          {markdown ? <MarkdownLinks address={markdown} /> : null}
        </header>
        <FoldedContents headings={page.headings} />
        {before}
        <div className="mt-10">
          <Prose html={page.html} />
        </div>
        {after}
      </article>
      <SideContents headings={page.headings} />
    </div>
  );
}

/** For readers who take the page to a language model. Copying is done by `copy-page.client.ts`. */
function MarkdownLinks({ address }: { address: string }) {
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 text-sm text-ink-soft print:hidden">
      <TextButton variant="standalone" data-copies-page={address} className="not-scripted:hidden">
        Copy as Markdown
      </TextButton>
      <span role="status" className="sr-only" />
      <TextLink to={address} reloadDocument variant="standalone">
        View as Markdown
      </TextLink>
    </p>
  );
}

/** A day, marked as one for programs. */
export function Day({ date, className }: { date: string; className?: string }) {
  return (
    <time dateTime={date} className={className}>
      {dayOf(date)}
    </time>
  );
}
