import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { challengeWords } from "~/content/challenge";
import { signInLabels as words } from "~/content/sign-in-labels";
import { type Challenge, ChallengeField } from "~/features/auth/challenge/challenge-field";
import type { Provider } from "~/platform/env/providers";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import type { CodeRequest } from "../mailed/code-request.server";
import type { Intent } from "../sign-in-request.server";
import { type View, viewAddress, viewAnchors } from "../views";
import type { SignInOutcome } from "./sign-in-outcome";

export type ViewProps = {
  next: string;
  /** The address that somebody typed in any of the views. */
  typed: { email: string; phone: string };
  sent: Extract<SignInOutcome, { state: "sent" }> | undefined;
  providers: readonly Provider[];
  sms: boolean;
  mayChoosePassword: boolean;
  /** What this browser has asked a code for and may still type. */
  codeRequest: CodeRequest | undefined;
  challenge: Challenge | undefined;
};

type FormIntent = Intent | "verify_code";

/** A form of one view: it posts with and without script, and comes back to its own view. */
export function ViewForm({
  intent,
  view,
  next,
  button,
  variant,
  challenge,
  children,
}: {
  intent: FormIntent;
  view: View;
  next: string;
  button: string;
  variant?: "primary" | "secondary" | "quiet";
  /** For a form that has something mailed. */
  challenge?: Challenge | undefined;
  children?: ReactNode;
}) {
  const navigation = useNavigation();
  const busy = navigation.state !== "idle";
  const mine = busy && navigation.formData?.get("intent") === intent;
  return (
    <Form
      method="post"
      action={viewAddress(view, next)}
      replace
      noValidate
      preventScrollReset
      className="grid gap-4"
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="next" value={next} />
      {children}
      <ChallengeField
        challenge={challenge}
        action={intent}
        otherwise={challengeWords.signInOtherwise}
      />
      <Button type="submit" variant={variant ?? "primary"} className="w-full" disabled={busy}>
        {mine ? words.shared.working : button}
      </Button>
    </Form>
  );
}

/** A plain link: the browser follows the fragment itself, so it works without script. */
export function ViewLink({ to, children }: { to: View; children: ReactNode }) {
  return <WayOn href={`#${viewAnchors[to]}`}>{children}</WayOn>;
}

/** The same to another page. */
export function WayOn({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className="inline-flex min-h-11 items-center text-sm text-ink-soft underline hover:text-ink"
    >
      {children}
    </a>
  );
}

export function ViewLinks({ children }: { children: ReactNode }) {
  return <p className="mt-4 flex flex-col items-start">{children}</p>;
}

/** At most 254 characters, as RFC 5321 allows an address in a path. */
export function EmailField({ email, required = true }: { email: string; required?: boolean }) {
  return (
    <TextField
      key={email}
      label={words.shared.email}
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      required={required}
      defaultValue={email}
    />
  );
}

export function PasswordField({ label, isNew }: { label: string; isNew: boolean }) {
  return (
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete={isNew ? "new-password" : "current-password"}
      required
      hint={isNew ? words.shared.newPasswordHint : undefined}
    />
  );
}

export function PhoneField({ phone }: { phone: string }) {
  return (
    <TextField
      key={phone}
      label={words.shared.phone}
      name="phone"
      type="tel"
      autoComplete="tel"
      maxLength={40}
      hint={words.shared.phoneHint}
      defaultValue={phone}
    />
  );
}

/** Ten digits at most, and room for the spaces or dashes that somebody types between them. */
export function CodeField({ hint = words.shared.codeHint }: { hint?: string }) {
  return (
    <TextField
      label={words.shared.code}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={14}
      required
      hint={hint}
      className="mt-1.5 block h-11 w-full rounded-md border border-line-strong bg-raised px-3.5 font-mono text-lg tracking-normal text-ink"
    />
  );
}
