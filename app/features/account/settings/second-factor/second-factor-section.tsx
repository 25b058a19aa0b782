import { unnamed } from "~/content/account";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { AccountOutcome } from "../account-outcome";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  accountSection,
  RecentOnly,
  type SectionProps,
  useReturn,
} from "../account-section";
import type { AccountView } from "../account-view.server";
import { AddPhone, PhoneTexted } from "./phone-factor-view";
import { NewRecoveryCodes, RecoveryCodesLeft } from "./recovery-codes-view";

export function SecondFactorSection(props: SectionProps) {
  const { factors, recent, offersPhone, words } = props.view;
  const labels = words.secondFactor;
  const mine = props.outcome?.section === "second-factor" ? props.outcome : undefined;
  const next = useReturn();
  return (
    <AccountSection id="second-factor" title={labels.title} intro={labels.intro} {...props}>
      {mine?.state === "codes" ? <NewRecoveryCodes outcome={mine} words={words} /> : null}
      {next && factors.length > 0 && mine?.state !== "codes" ? (
        <LinkButton to={next} className="mb-5">
          {labels.goOn}
        </LinkButton>
      ) : null}
      {factors.length > 0 ? (
        <>
          <Card as="ul" flush className="divide-y divide-line">
            {factors.map(({ id, name, since }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-6"
              >
                <div className="min-w-0">
                  <p className="font-strong wrap-anywhere">{name}</p>
                  <p className="text-sm text-ink-soft">
                    {words.identities.since.replace("{time}", since)}
                  </p>
                </div>
                {recent ? (
                  <AccountForm section="second-factor" intent="remove_factor">
                    <input type="hidden" name="factorId" value={id} />
                    <AccountButton variant="danger">
                      {labels.remove.replace("{name}", name)}
                    </AccountButton>
                  </AccountForm>
                ) : null}
              </li>
            ))}
          </Card>
          <p className="mt-3 max-w-prose text-ink-soft">{labels.lost}</p>
          {mine?.state === "codes" ? null : <RecoveryCodesLeft view={props.view} />}
        </>
      ) : mine ? null : (
        <p className="mb-5">{labels.none}</p>
      )}
      {mine?.state === "not-offered" ? (
        <p role="status" className="max-w-prose border-l-2 border-line-strong pl-4">
          {labels.notOffered}
        </p>
      ) : mine?.state === "enrolling" ? (
        <Enrolling outcome={mine} words={words} />
      ) : mine?.state === "texted" ? (
        <PhoneTexted outcome={mine} words={words} />
      ) : mine?.state === "codes" ? null : !recent ? (
        <RecentOnly words={words} />
      ) : (
        <>
          <AccountForm
            section="second-factor"
            intent="enrol"
            className={`grid max-w-dialog gap-4 ${factors.length > 0 ? "mt-6" : ""}`}
          >
            <TextField
              label={labels.name}
              name="name"
              maxLength={60}
              autoComplete="off"
              placeholder={unnamed.secondFactor}
              hint={labels.nameHint}
            />
            <div>
              <AccountButton variant="secondary">
                {factors.length > 0 ? labels.beginAnother : labels.begin}
              </AccountButton>
            </div>
          </AccountForm>
          {offersPhone ? (
            <AddPhone
              labels={words.phoneFactor}
              value={mine && "value" in mine ? (mine.value ?? "") : ""}
            />
          ) : null}
        </>
      )}
    </AccountSection>
  );
}

function Enrolling({
  outcome: { enrolment, message },
  words: { secondFactor: labels },
}: {
  outcome: Extract<AccountOutcome, { state: "enrolling" }>;
  words: AccountView["words"];
}) {
  return (
    <Card className={`grid gap-6 ${enrolment.qr ? "sm:grid-cols-[auto_1fr]" : ""}`}>
      {enrolment.qr ? (
        <img
          src={enrolment.qr}
          alt={labels.qrAlternative}
          width={200}
          height={200}
          className="size-50 rounded-sm bg-[white]"
        />
      ) : null}
      <div className="min-w-0">
        {message ? (
          <Message kind="failure" className="mb-4">
            {message}
          </Message>
        ) : null}
        <p className="font-strong">{enrolment.qr ? labels.scan : labels.scanned}</p>
        <p className="mt-1 text-ink-soft">{labels.secret}</p>
        <p className="mt-2 font-mono text-sm wrap-anywhere">
          {enrolment.secret.match(/.{1,4}/g)?.join(" ")}
        </p>
        <AccountForm section="second-factor" intent="finish_enrolment" className="mt-5 grid gap-4">
          <input type="hidden" name="factorId" value={enrolment.factorId} />
          <input type="hidden" name="secret" value={enrolment.secret} />
          <TextField
            label={labels.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={8}
            required
            hint={labels.codeHint}
          />
          <div className="flex flex-wrap gap-3">
            <AccountButton>{labels.finish}</AccountButton>
            <LinkButton variant="quiet" to={accountSection("second-factor", useReturn())}>
              {labels.stop}
            </LinkButton>
          </div>
        </AccountForm>
      </div>
    </Card>
  );
}
