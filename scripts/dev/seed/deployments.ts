import type { FormStepId } from "../../../app/features/deployments/wizard/steps.ts";
import type { Browser } from "../../lib/browser.ts";
import { pageFields } from "../../lib/page-forms.ts";
import { PlainFailure } from "../../lib/terminal.mjs";

type Changes = [step: FormStepId, fields: Record<string, string>];
type Planned = { name: string; domain: string; versions: Changes[] };

const email = "ops@example.com";

/** Each entry of `versions` is saved at its step of the wizard, and makes a version. */
const planned: Planned[] = [
  {
    name: "Production",
    domain: "live.example.com",
    versions: [
      ["management", { updates: "weekly" }],
      ["features", { "recording.kind": "local" }],
      ["network", { "rooms.maxParticipants": "50" }],
      ["protection", { monitoring: "advanced" }],
      ["management", { "backups.frequency": "daily" }],
    ],
  },
  {
    name: "Staging",
    domain: "staging.example.com",
    versions: [
      ["management", { updates: "monthly" }],
      ["network", { "rooms.maxParticipants": "10" }],
    ],
  },
  {
    name: "Streaming studio",
    domain: "studio.example.com",
    versions: [["features", { ingress: "both" }]],
  },
];

/** Makes the deployments one after the other, and saves their steps as the wizard does. */
export async function makeDeployments(browser: Browser): Promise<void> {
  for (const { name, domain, versions } of planned) {
    const made = await browser.post("/dashboard/deployments/new", { name, domain, email });
    const id = /deployments\/([0-9a-f-]{36})\/edit/.exec(made.headers.get("location") ?? "")?.[1];
    if (!id) throw new PlainFailure(`${name} was not made: ${made.status}.`);
    for (const [step, fields] of versions) {
      const path = `/dashboard/deployments/${id}/edit?step=${step}`;
      const { values } = pageFields(await (await browser.request(path)).text());
      const saved = await browser.post(path, { ...values, ...fields });
      if (saved.status !== 303) {
        throw new PlainFailure(`The step ${step} of ${name} was not saved: ${saved.status}.`);
      }
    }
  }
}
