import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { signInLabels } from "~/content/sign-in-labels";
import { Message } from "~/ui/primitives/message";
import {
  CodeView,
  ForgottenPasswordView,
  MagicLinkView,
  NewPasswordView,
  PasswordView,
} from "./view-forms";
import type { ViewProps } from "./view-parts";
import { type SignInOutcome, type View, viewAnchors, viewOfHash, views } from "./views";

type Notice = { kind: "failure" | "success"; message: string };

/**
 * All six views, of which the URL's fragment shows one. Without JavaScript the style sheet does that (`:target`);
 * with JavaScript this component does, and moves the focus too.
 */
export function SignInViews({
  first,
  outcome,
  notice,
  ...rest
}: Omit<ViewProps, "values" | "sent"> & {
  /** The view for a URL whose fragment names none. */
  first: View;
  outcome: SignInOutcome | undefined;
  /** Why somebody was sent here. */
  notice: Notice | undefined;
}) {
  const { hash, key } = useLocation();
  const [live, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  // The server does not know the fragment, so the first render in the browser ignores it too.
  const current = (live ? viewOfHash(hash) : undefined) ?? first;
  const root = useRef<HTMLDivElement>(null);
  useFocusOnChange(root, live ? current : undefined, outcome, key);
  // The typed address stays when another view is chosen, although the outcome is then gone.
  const [values, setValues] = useState(outcome?.values ?? { email: "", phone: "" });
  if (outcome && outcome.values !== values) setValues(outcome.values);

  return (
    <div ref={root} className="sign-in-views" data-live={live || undefined}>
      {views.map((view) => {
        const mine = outcome?.view === view ? outcome : undefined;
        const sent = mine?.state === "sent" ? mine : undefined;
        const props = { ...rest, sent, values };
        return (
          <section
            key={view}
            aria-labelledby={viewAnchors[view]}
            data-shown={current === view || undefined}
          >
            <h1 id={viewAnchors[view]} tabIndex={-1} className="text-xl outline-none">
              {signInLabels[view].title}
            </h1>
            <p className="mt-2 mb-6 text-ink-soft">{signInLabels[view].intro}</p>
            <ViewMessage outcome={mine} notice={view === first && !outcome ? notice : undefined} />
            {form(view, props)}
          </section>
        );
      })}
    </div>
  );
}

function form(view: View, props: ViewProps): ReactNode {
  switch (view) {
    case "sign_in":
    case "sign_up":
      return <PasswordView view={view} {...props} />;
    case "forgotten_password":
      return <ForgottenPasswordView {...props} />;
    case "magic_link":
      return <MagicLinkView {...props} />;
    case "update_password":
      return <NewPasswordView {...props} />;
    case "verify_otp":
      return <CodeView {...props} />;
    default:
      return view satisfies never;
  }
}

function ViewMessage({
  outcome,
  notice,
}: {
  outcome: SignInOutcome | undefined;
  notice: Notice | undefined;
}) {
  const message = outcome?.message ?? notice?.message;
  if (!message) return null;
  const reasons = outcome?.state === "failed" ? outcome.reasons : undefined;
  return (
    <Message
      kind={
        outcome ? (outcome.state === "failed" ? "failure" : "success") : (notice?.kind ?? "failure")
      }
      className="mb-5 scroll-mt-20"
    >
      <span>{message}</span>
      {reasons ? (
        <ul className="mt-1.5 list-disc pl-5">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
    </Message>
  );
}

/**
 * Focuses the first required field that is empty, or else the first field, and scrolls the error message into view.
 */
function focusEmptyField(visibleView: HTMLElement | null | undefined) {
  const fields = [
    ...(visibleView?.querySelectorAll<HTMLInputElement>("input:not([type=hidden])") ?? []),
  ];
  const gap = fields.find(({ required, value }) => required && !value) ?? fields[0];
  gap?.focus({ preventScroll: true });
  visibleView?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
}

/**
 * Focuses the heading of a new view, so that screen readers announce it. An answer announces itself: after it, the
 * focus moves to a field, or to the heading if a mail was sent.
 */
function useFocusOnChange(
  root: { current: HTMLElement | null },
  current: View | undefined,
  outcome: SignInOutcome | undefined,
  locationKey: string,
) {
  const before = useRef({ current, outcome, locationKey });
  useEffect(() => {
    const last = before.current;
    before.current = { current, outcome, locationKey };
    if (!last.current || !current) return;
    const visibleView = root.current?.querySelector<HTMLElement>("[data-shown]");
    if (outcome && outcome !== last.outcome) {
      // Passwords and codes are emptied after each answer, as they are without JavaScript.
      const secrets = root.current?.querySelectorAll<HTMLInputElement>(
        "[type=password], [name=code]",
      );
      for (const secret of secrets ?? []) secret.value = "";
      if (outcome.state === "sent") visibleView?.querySelector<HTMLElement>("h1")?.focus();
      else focusEmptyField(visibleView);
    } else if (last.current !== current || last.locationKey !== locationKey) {
      visibleView?.querySelector<HTMLElement>("h1")?.focus();
    }
  }, [root, current, outcome, locationKey]);
}
