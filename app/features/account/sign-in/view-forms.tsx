import { signInLabels as words } from "~/content/sign-in-labels";
import { singleSignOnPage } from "~/http/page-addresses";
import { ProviderForm } from "./provider-form";
import type { Intent } from "./sign-in-request.server";
import type { ViewProps } from "./view-parts";
import {
  CodeField,
  EmailField,
  PasswordField,
  PhoneField,
  QuietLink,
  ViewForm,
  ViewLink,
  ViewLinks,
} from "./view-parts";
import type { View } from "./views";

export function PasswordView({
  view,
  next,
  values,
  sent,
  providers,
  codeRequest,
  challenge,
  sso,
}: ViewProps & { view: "sign_in" | "sign_up" }) {
  if (sent) return <Sent view={view} next={next} sent={sent} challenge={challenge} />;
  const isNew = view === "sign_up";
  return (
    <>
      <ProviderForm action="/signin" next={next} offered={providers} />
      {providers.length > 0 ? (
        <p className="my-5 flex items-center gap-3 text-sm text-ink-soft">
          <span className="h-px flex-1 bg-line" />
          {words.shared.or}
          <span className="h-px flex-1 bg-line" />
        </p>
      ) : null}
      <ViewForm
        intent={view}
        view={view}
        next={next}
        button={words[view].button}
        challenge={isNew ? challenge : undefined}
      >
        <EmailField email={values.email} />
        <PasswordField label={words.shared.password} isNew={isNew} />
      </ViewForm>
      <ViewLinks>
        <CodeLink codeRequest={codeRequest} />
        {isNew ? (
          <ViewLink to="sign_in">{words.shared.signInLink}</ViewLink>
        ) : (
          <>
            <ViewLink to="magic_link">{words.sign_in.magicLinkLink}</ViewLink>
            {sso ? (
              <QuietLink href={singleSignOnPage(next)}>{words.sign_in.ssoLink}</QuietLink>
            ) : null}
            <ViewLink to="forgotten_password">{words.sign_in.forgotLink}</ViewLink>
            <ViewLink to="sign_up">{words.sign_in.signUpLink}</ViewLink>
          </>
        )}
      </ViewLinks>
    </>
  );
}

/** A link to the form for a code, if this browser has asked for a code. */
function CodeLink({ codeRequest }: Pick<ViewProps, "codeRequest">) {
  return codeRequest ? <ViewLink to="verify_otp">{words.verify_otp.title}</ViewLink> : null;
}

export function ForgottenPasswordView({ next, values, sent, codeRequest, challenge }: ViewProps) {
  const view = "forgotten_password";
  if (sent) return <Sent view={view} next={next} sent={sent} challenge={challenge} />;
  return (
    <>
      <ViewForm
        intent={view}
        view={view}
        next={next}
        button={words.forgotten_password.button}
        challenge={challenge}
      >
        <EmailField email={values.email} />
      </ViewForm>
      <ViewLinks>
        <CodeLink codeRequest={codeRequest} />
        <ViewLink to="sign_in">{words.shared.backToSignIn}</ViewLink>
      </ViewLinks>
    </>
  );
}

export function MagicLinkView({ next, values, sent, sms, challenge }: ViewProps) {
  const view = "magic_link";
  if (sent) return <Sent view={view} next={next} sent={sent} challenge={challenge} />;
  return (
    <>
      <ViewForm
        intent="magic_link"
        view={view}
        next={next}
        button={words.magic_link.button}
        challenge={challenge}
      >
        <EmailField email={values.email} />
      </ViewForm>
      {sms ? (
        <div className="mt-6 border-t border-line pt-6">
          <ViewForm
            intent="phone_code"
            view={view}
            next={next}
            button={words.magic_link.phoneButton}
            variant="secondary"
            challenge={challenge}
          >
            <PhoneField phone={values.phone} />
          </ViewForm>
        </div>
      ) : null}
      <ViewLinks>
        <ViewLink to="verify_otp">{words.verify_otp.title}</ViewLink>
        <ViewLink to="sign_in">{words.shared.backToSignIn}</ViewLink>
      </ViewLinks>
    </>
  );
}

export function NewPasswordView({ next, mayChoosePassword }: ViewProps) {
  const view = "update_password";
  return (
    <>
      {mayChoosePassword ? (
        <ViewForm intent={view} view={view} next={next} button={words.update_password.button}>
          <PasswordField label={words.shared.newPassword} isNew />
        </ViewForm>
      ) : (
        <p className="border-l-2 border-line-strong pl-4">{words.update_password.needsLink}</p>
      )}
      <ViewLinks>
        {mayChoosePassword ? (
          <QuietLink href={next}>{words.update_password.later}</QuietLink>
        ) : (
          <>
            <ViewLink to="forgotten_password">{words.update_password.needsLinkLink}</ViewLink>
            <ViewLink to="sign_in">{words.shared.backToSignIn}</ViewLink>
          </>
        )}
      </ViewLinks>
    </>
  );
}

export function CodeView({ next, values, sms, codeRequest }: ViewProps) {
  const view = "verify_otp";
  const { to = "", kind } = codeRequest ?? {};
  const nothingTyped = !values.email && !values.phone;
  const destination = { email: kind === "phone" ? "" : to, phone: kind === "phone" ? to : "" };
  const { email, phone } = nothingTyped ? destination : values;
  return (
    <>
      <ViewForm intent="verify_code" view={view} next={next} button={words.verify_otp.button}>
        <EmailField email={email} required={!sms} />
        {sms ? <PhoneField phone={phone} /> : null}
        <CodeField />
      </ViewForm>
      <ViewLinks>
        <ViewLink to="magic_link">{words.verify_otp.newCodeLink}</ViewLink>
        <ViewLink to="forgotten_password">{words.verify_otp.newResetLink}</ViewLink>
        <ViewLink to="sign_in">{words.shared.backToSignIn}</ViewLink>
      </ViewLinks>
    </>
  );
}

const resendIntents = {
  sign_in: "magic_link",
  sign_up: "resend_confirmation",
  forgotten_password: "forgotten_password",
  magic_link: "magic_link",
} as const satisfies Partial<Record<View, Intent>>;

/** After a mail or text message was sent: the field for its code, and a button that sends it again. */
function Sent({
  view,
  next,
  sent,
  challenge,
}: {
  view: keyof typeof resendIntents;
  next: string;
  sent: NonNullable<ViewProps["sent"]>;
  challenge: ViewProps["challenge"];
}) {
  const { email, phone } = sent.values;
  const byPhone = sent.code === "phone";
  const toField = (
    <input
      type="hidden"
      name={byPhone ? "phone" : "email"}
      value={byPhone ? phone : email}
      autoComplete={byPhone ? undefined : "username"}
    />
  );
  return (
    <>
      <p className="mb-5 font-mono text-sm wrap-anywhere">{byPhone ? phone : email}</p>
      <ViewForm intent="verify_code" view="verify_otp" next={next} button={words.verify_otp.button}>
        {toField}
        {byPhone ? null : <input type="hidden" name="kind" value={sent.code} />}
        <CodeField hint={byPhone ? words.shared.phoneCodeHint : words.shared.codeHint} />
      </ViewForm>
      <p className="mt-6 mb-3 border-t border-line pt-5 text-sm text-ink-soft">
        {byPhone ? words.shared.textHint : words.shared.mailHint}
      </p>
      <ViewForm
        intent={byPhone ? "phone_code" : resendIntents[view]}
        view={view}
        next={next}
        button={words.shared.resend}
        variant="secondary"
        challenge={challenge}
      >
        {toField}
      </ViewForm>
      <ViewLinks>
        {view === "sign_up" ? (
          <>
            <span className="mt-1 text-sm text-ink-soft">{words.sign_up.known}</span>
            <ViewLink to="forgotten_password">{words.sign_up.knownLink}</ViewLink>
          </>
        ) : null}
        <ViewLink to="sign_in">{words.shared.backToSignIn}</ViewLink>
      </ViewLinks>
    </>
  );
}
