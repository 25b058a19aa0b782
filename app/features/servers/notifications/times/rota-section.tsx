import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { Section } from "~/ui/console/section";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { hourOptions } from "../../hours";
import type { AlertsView } from "../alerts-view.server";
import type { RotaView } from "./rota-view.server";
import { weekdays } from "./rota-words";

type Words = NonNullable<AlertsView["forms"]>["times"];

/** Who is first this week and in those that follow, and for those who may change it the forms. */
export function RotaSection({
  times: { zone, rota, candidates },
  words,
}: {
  times: RotaView;
  words: Words | undefined;
}) {
  return (
    <Section id="rota" title="Rota" detail={words?.detail}>
      {rota ? (
        <Weeks rota={rota} zone={zone} words={words} />
      ) : (
        <p>{words?.none ?? "There is no rota."}</p>
      )}
      {words ? (
        <div className="mt-5 grid gap-2 print:hidden">
          <RotaForm {...{ rota, candidates }} words={words.rota} />
          {rota ? (
            <More summary={words.absence.summary}>
              <TimesForm intent="absence" button={words.absence.button}>
                <SelectField
                  name="person"
                  label={words.absence.person}
                  options={optionsOf(rota.order)}
                />
                <TextField type="date" name="from" label={words.absence.from} />
                <TextField type="date" name="until" label={words.absence.until} />
              </TimesForm>
            </More>
          ) : null}
          <More summary={`${words.zone.summary}: ${zone}`}>
            <TimesForm intent="zone" button={words.zone.button}>
              <TextField
                name="zone"
                {...{ label: words.zone.label, hint: words.zone.hint }}
                defaultValue={zone}
                autoComplete="off"
                spellCheck={false}
                maxLength={60}
              />
            </TimesForm>
          </More>
        </div>
      ) : null}
    </Section>
  );
}

function Weeks({
  rota: { first, until, later, absences },
  zone,
  words,
}: {
  rota: NonNullable<RotaView["rota"]>;
  zone: string;
  words: Words | undefined;
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <div className="grid gap-3 wrap-anywhere">
      <p>
        {first ? <strong className="font-strong">{first}</strong> : <span>Nobody of the rota</span>}
        <span>{` is first until ${until} (${zone}).`}</span>
      </p>
      {later.length > 0 ? (
        <ul className="grid gap-1">
          {later.map(({ from, who }) => (
            <li key={from}>{`${from}: ${who}`}</li>
          ))}
        </ul>
      ) : null}
      {absences.map(({ person, from, until: last, who, days }) => (
        <div
          key={`${person} ${from} ${last}`}
          className="flex flex-wrap items-center gap-x-4 gap-y-2"
        >
          <span>{`Away: ${who}, ${days}`}</span>
          {words ? (
            <Form method="post" preventScrollReset className="print:hidden">
              <input type="hidden" name="intent" value="absence-end" />
              <input type="hidden" name="person" value={person} />
              <input type="hidden" name="from" value={from} />
              <input type="hidden" name="until" value={last} />
              <Button type="submit" variant="secondary" disabled={busy}>
                Remove<span className="sr-only">{` (${who}, ${days})`}</span>
              </Button>
            </Form>
          ) : null}
        </div>
      ))}
    </div>
  );
}

function RotaForm({
  rota,
  candidates,
  words,
}: Pick<RotaView, "rota" | "candidates"> & { words: Words["rota"] }) {
  const busy = useNavigation().state !== "idle";
  const options = optionsOf(candidates);
  return (
    <More summary={rota ? words.change : words.add}>
      {candidates.length === 0 ? (
        <p className="pb-4">{words.nobody}</p>
      ) : (
        <TimesForm intent="rota" button={words.button}>
          {candidates.map(({ id }, at) => (
            <SelectField
              key={id}
              name={`person-${at}`}
              label={words.week.replace("{number}", String(at + 1))}
              blank="—"
              options={options}
              defaultValue={rota ? (rota.order[at]?.id ?? "") : id}
            />
          ))}
          <SelectField
            name="weekday"
            label={words.weekday}
            options={weekdays.map((label, value) => ({ value: String(value), label }))}
            defaultValue={String(rota?.weekday ?? 1)}
          />
          <SelectField
            name="hour"
            label={words.hour}
            options={hourOptions}
            defaultValue={String(rota?.hour ?? 9)}
          />
        </TimesForm>
      )}
      {rota ? (
        <Form method="post" preventScrollReset className="pb-6">
          <input type="hidden" name="intent" value="rota-end" />
          <Button type="submit" variant="danger" disabled={busy}>
            {words.end}
          </Button>
        </Form>
      ) : null}
    </More>
  );
}

const optionsOf = (people: RotaView["candidates"]) =>
  people.map(({ id, label }) => ({ value: id, label }));

function TimesForm({
  intent,
  button,
  children,
}: {
  intent: string;
  button: string;
  children: ReactNode;
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" noValidate preventScrollReset className="grid max-w-prose gap-4 pb-6">
      <input type="hidden" name="intent" value={intent} />
      {children}
      <div>
        <Button type="submit" variant="secondary" disabled={busy}>
          {button}
        </Button>
      </div>
    </Form>
  );
}
