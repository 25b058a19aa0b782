import { createContext, type FormEvent, use } from "react";
import { useFetcher } from "react-router";
import { atWorkspace, useConsoleBase } from "~/ui/console/console-path";
import { type UserOutcome, userViewAddress } from "./configuration/own-view";

/** A form that was posted without script, and how it ended. */
export type PostedForm = { fields: Readonly<Record<string, string>>; outcome: UserOutcome };

/** Set on a page whose own loader and action serve the forms. Elsewhere script reads and sends everything. */
export const UserPageContext = createContext<{ posted: PostedForm | undefined } | undefined>(
  undefined,
);

/** The submit of a form that changes what is the visitor's own, and how the newest submission ended. */
export function useOwnChange(intent: string) {
  const page = use(UserPageContext);
  const base = useConsoleBase();
  const { data, state, submit } = useFetcher<UserOutcome>();
  const isSending = state === "submitting";
  const posted = page?.posted?.fields.intent === intent && !data ? page.posted : undefined;
  return {
    outcome: isSending ? undefined : (data ?? posted?.outcome),
    /** What was posted without script; nothing of it once it is done. */
    typed: posted?.outcome.ok === false ? posted.fields : undefined,
    /** What was posted without script, done or not. */
    posted: posted?.fields,
    isSending,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      void submit(event.currentTarget, {
        method: "post",
        action: atWorkspace(userViewAddress, base),
        // Flushed at once: a second press finds the button disabled.
        flushSync: true,
        // A page that is the same for everybody does not change.
        defaultShouldRevalidate: page !== undefined,
      });
    },
  };
}

export type UserChange = ReturnType<typeof useOwnChange>;
