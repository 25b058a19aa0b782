import type { ReactNode } from "react";
import { trialNeedsAccount, trialBanner as words } from "~/content/trial";
import { Moment } from "~/ui/moment";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";

/** Says above every page of a trial what it is, and when it ends, where that can be read; null where it is over. */
export function TrialBanner({ endsAt }: { endsAt?: string | null }) {
  return (
    <aside aria-label={words.label} className="border-b border-line bg-well print:hidden">
      <p className="page flex flex-wrap gap-x-2 py-2.5 text-sm text-ink-soft">
        <span>{endsAt === null ? words.over : words.lasts}</span>
        {endsAt ? (
          <span>
            <span>{`${words.ends} `}</span>
            <Moment at={endsAt} />
            <span>.</span>
          </span>
        ) : null}
        <TextLink to="/signup" className="text-ink">
          {words.signUp}
        </TextLink>
      </p>
    </aside>
  );
}

/** Whether a page of the console works in a trial: the overview, and what is below these. */
export function worksInTrial(pathname: string): boolean {
  return /^\/dashboard(\/w\/[^/]+)?(\/(deployments|servers|incidents)(\/.*)?)?\/?$/.test(pathname);
}

/** A page whose forms nobody fills in without an account. */
export function NeedsAccount({ children }: { children: ReactNode }) {
  return (
    <>
      <Message kind="neutral" className="mt-8">
        {trialNeedsAccount}
      </Message>
      <fieldset disabled className="min-w-0">
        {children}
      </fieldset>
    </>
  );
}
