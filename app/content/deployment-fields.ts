type Choice = { label: string; options: readonly [string, ...string[]] };
type Typed = { label: string; type: "text" | "email"; placeholder?: string };

/** Every question that the six services ask, by the name of its form field. */
export const deploymentFields = {
  provider: { label: "Provider", options: ["AWS", "Azure", "Digital Ocean"] },
  region: { label: "Region", options: ["US East", "US West", "EU West", "Asia Pacific"] },
  instanceType: { label: "Instance type", options: ["Small", "Medium", "Large"] },
  domain: { label: "Domain", type: "text", placeholder: "livekit.example.com" },
  email: { label: "Email", type: "email" },
  turnConfig: { label: "TURN configuration", options: ["Auto", "Manual"] },
  firewallPreset: { label: "Firewall preset", options: ["Standard", "Strict", "Custom"] },
  securityLevel: { label: "Security level", options: ["Standard", "High", "Enterprise"] },
  monitoring: { label: "Monitoring", options: ["Basic", "Advanced", "24/7"] },
  ingressType: { label: "Ingress type", options: ["RTMP", "WebRTC", "Both"] },
  recordingStorage: { label: "Recording storage", options: ["Local", "S3", "GCS"] },
  updateSchedule: { label: "Update schedule", options: ["Manual", "Weekly", "Monthly"] },
  backupFrequency: { label: "Backup frequency", options: ["Daily", "Weekly", "Monthly"] },
} as const satisfies Record<string, Choice | Typed>;

export type DeploymentField = keyof typeof deploymentFields;
