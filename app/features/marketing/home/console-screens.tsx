import { TextLink } from "~/ui/primitives/text-link";
import type { Home } from "../page-texts.server";
import { ScreenPicture } from "../pictures/screen-picture";

/** The console's overview: what somebody returns to after the files. */
export function Fleet() {
  return (
    <section aria-labelledby="console" className="border-t border-line bg-well">
      <div className="page py-14 sm:py-20">
        <h2 id="console" className="max-w-[24ch] text-2xl">
          Then the console watches it
        </h2>
        <p className="mt-4 max-w-prose text-ink-soft">
          A connected server reports each minute: who is in calls, what its doctor finds, which
          versions run. What is wrong is on top, in words, with the command that helps. Connecting
          is your choice; the server runs without us.
        </p>
        <div className="mt-10">
          <ScreenPicture name="fleet" />
        </div>
      </div>
    </section>
  );
}

/** What is known afterwards of one person's call, and where. */
export function Answers({ answers }: Pick<Home, "answers">) {
  return (
    <section aria-labelledby="answers" className="border-t border-line">
      <div className="page grid items-center gap-x-12 gap-y-10 py-14 sm:py-20 lg:grid-cols-[1.25fr_1fr]">
        <div>
          <h2 id="answers" className="text-2xl">
            Why could this customer not connect?
          </h2>
          <dl className="mt-8 border-t border-line-strong">
            {answers.map(({ name, to, says }) => (
              <div key={name} className="border-b border-line py-3">
                <dt className="font-strong">
                  <TextLink to={to}>{name}</TextLink>
                </dt>
                <dd className="mt-1 text-ink-soft">{says}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-6 text-ink-soft">
            {"Names are hashes unless you choose to send them, and what is said never reaches us. "}
            <TextLink to="/docs/data-processing">What a server sends</TextLink>
          </p>
        </div>
        <div className="lg:order-first">
          <ScreenPicture name="call" />
        </div>
      </div>
    </section>
  );
}

/** What happens when a server is not well. */
export function Incident({ incident }: Pick<Home, "incident">) {
  return (
    <section aria-labelledby="incident" className="border-t border-line bg-well">
      <div className="page grid items-center gap-x-12 gap-y-10 py-14 sm:py-20 lg:grid-cols-[1fr_1.25fr]">
        <div>
          <h2 id="incident" className="text-2xl">
            At night it wakes whom you chose
          </h2>
          <ul className="mt-8 border-t border-line-strong">
            {incident.map((sentence) => (
              <li key={sentence} className="border-b border-line-strong py-4 text-ink-soft">
                {sentence}
              </li>
            ))}
          </ul>
          <p className="mt-6">
            <TextLink to="/docs/alerts">Alerts: what is sent, and when</TextLink>
          </p>
        </div>
        <ScreenPicture name="incident" />
      </div>
    </section>
  );
}
