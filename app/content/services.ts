import type { DeploymentField } from "./deployment-fields";

/** The six services in the order of the page, with the questions that each asks. Their words are in services.json. */
export const services = [
  { kind: "deployment", fields: ["provider", "region", "instanceType"] },
  { kind: "security", fields: ["domain", "email"] },
  { kind: "server", fields: ["turnConfig", "firewallPreset"] },
  { kind: "security-advanced", fields: ["securityLevel", "monitoring"] },
  { kind: "features", fields: ["ingressType", "recordingStorage"] },
  { kind: "management", fields: ["updateSchedule", "backupFrequency"] },
] as const satisfies readonly { kind: string; fields: readonly DeploymentField[] }[];

type Kind = (typeof services)[number]["kind"];

export type ServiceWords = Readonly<
  Record<
    Kind,
    {
      name: string;
      description: string;
      features: readonly string[];
      /** Something real that the service makes: its name, and what it holds. */
      exhibit: {
        title: string;
        rows: readonly ({ term: string } & ({ codes: readonly string[] } | { words: string }))[];
      };
    }
  >
>;

export type Service = (typeof services)[number] & ServiceWords[Kind];
