import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { challengeWords } from "~/content/challenge";
import { signInLabels as words } from "~/content/sign-in-labels";
import { type Challenge, ChallengeField } from "~/features/auth/challenge-field";
import type { Provider } from "~/platform/env/providers";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { pressable } from "~/ui/primitives/text-link";
import type { CodeRequest } from "./mailed-code.server";
import type { Intent } from "./sign-in-request.server";
import { type SignInOutcome, type View, viewAddress, viewAnchors } from "./views";

export type ViewProps = {
  next: string;
  /** What was typed in any of the views. All of them show it again. */
  values: { email: string; phone: string };
  sent: Extract<SignInOutcome, { state: "sent" }> | undefined;
  providers: readonly Provider[];
  sms: boolean;
  /** Whether organisations sign their people in. */
  sso: boolean;
  mayChoosePassword: boolean;
  /** The code that this browser has asked for and that can still be typed. */
  codeRequest: CodeRequest | undefined;
  challenge: Challenge | undefined;
};

type FormIntent = Intent | "verify_code";

/** A form of one view. It works without JavaScript, and the answer shows the same view. */
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
  /** Only for a form that sends a mail or text message. */
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

/** A link to another view. It is a plain link to a fragment, so it works without JavaScript. */
export function ViewLink({ to, children }: { to: View; children: ReactNode }) {
  return <QuietLink href={`#${viewAnchors[to]}`}>{children}</QuietLink>;
}

/** A link to another page, in the style of the links between the views. */
export function QuietLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className={`inline-flex min-h-11 items-center text-sm text-ink-soft ${pressable}`}
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

/** Codes have six to ten digits. The field has room for the spaces or hyphens that somebody types between them. */
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
      mono
    />
  );
}
