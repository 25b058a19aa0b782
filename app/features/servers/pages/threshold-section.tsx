import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/roles";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { TextLink } from "~/ui/primitives/text-link";
import type { Measure } from "../state/threshold";
import type { ServerDetails } from "./server-details.server";

const measureNames: Record<Measure, string> = {
  participants: "People in calls",
  load: "Load, in % of all processors",
  memory: "Memory used, in %",
  disk: "Disk used, in %",
  traffic: "Sent this month, in GB",
};

/** The thresholds of a server, and the forms that change them. */
export function Thresholds({
  thresholds,
  deployment,
}: Pick<ServerDetails, "thresholds" | "deployment">) {
  const ofDeployment = deployment !== undefined;
  const mayChange = useMay("alerts");
  const busy = useNavigation().state !== "idle";
  if (!mayChange && thresholds.length === 0) return null;
  return (
    <section aria-label="Your thresholds" className="mt-10">
      <h3 className="text-lg">Your thresholds</h3>
      {thresholds.length === 0 ? (
        <p className="mt-2 text-sm text-ink-soft">None is set.</p>
      ) : (
        <ul className="mt-3 border-t border-line text-sm">
          {thresholds.map(({ id, measure, words, isPaging, isOwn }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line py-2"
            >
              <span>
                <span>{measureNames[measure]}: </span>
                <span className="font-mono">{words}</span>
                <span>{`, told ${isPaging ? "at once" : "once a day"}, ${isOwn ? (ofDeployment ? "for servers of this deployment" : "for this server") : "for all servers"}`}</span>
              </span>
              {mayChange ? (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="threshold" value={id} />
                  <Button
                    type="submit"
                    name="intent"
                    value="remove-threshold"
                    variant="quiet"
                    disabled={busy}
                    aria-label={`Remove ${measureNames[measure]}: ${words}`}
                  >
                    Remove
                  </Button>
                </Form>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayChange ? (
        <div className="print:hidden">
          <More summary="Set a threshold">
            <Form method="post" preventScrollReset className="grid max-w-prose gap-4 pb-2">
              <input type="hidden" name="intent" value="set-threshold" />
              <SelectField
                name="measure"
                label="Of what"
                options={Object.entries(measureNames).map(([value, label]) => ({ value, label }))}
              />
              <TextField
                name="value"
                label="From which value on"
                hint={
                  <span>
                    A whole number, which counts once it lasted five minutes. What some providers
                    include of traffic: <TextLink to="/docs/sizing">Sizing</TextLink>.
                  </span>
                }
                inputMode="numeric"
                pattern="[1-9][0-9]{0,7}"
                required
                autoComplete="off"
              />
              <SelectField
                name="severity"
                label="Who is told"
                options={[
                  { value: "notify", label: "First channels, once a day" },
                  { value: "page", label: "Like a server that is down, at once" },
                ]}
              />
              <SelectField
                name="of"
                label="For which servers"
                hint={`${ofDeployment ? "A deployment's" : "A server's"} own take the place of those for all servers.`}
                options={[
                  {
                    value: "deployment",
                    label: ofDeployment ? "Servers of this deployment" : "This server",
                  },
                  { value: "all", label: "All servers" },
                ]}
              />
              <Button
                type="submit"
                variant="secondary"
                disabled={busy}
                className="justify-self-start"
              >
                Set the threshold
              </Button>
            </Form>
          </More>
        </div>
      ) : null}
    </section>
  );
}
