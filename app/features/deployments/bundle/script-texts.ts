/** Every script that bundles are made of, by its path in `scripts/`. */
export const scriptNames = [
  "apply.sh",
  "apply/unpack-bundle.py",
  "approval.py",
  "backup-target.sh",
  "backup-test.sh",
  "backup.sh",
  "before-start.sh",
  "before-stop.sh",
  "call.py",
  "certificate.sh",
  "check.sh",
  "console.sh",
  "create-vm.sh",
  "create-vm/aws.sh",
  "create-vm/azure.sh",
  "create-vm/copy-files.sh",
  "create-vm/digital-ocean.sh",
  "create-vm/google-cloud.sh",
  "create-vm/hetzner.sh",
  "create-vm/linode.sh",
  "create-vm/oracle.sh",
  "create-vm/ovh.sh",
  "create-vm/vultr.sh",
  "doctor.sh",
  "doctor/advice.sh",
  "doctor/firewall.sh",
  "doctor/machine.sh",
  "doctor/network.sh",
  "environment.sh",
  "evidence.py",
  "first-boot.sh",
  "health.sh",
  "insights-check.sh",
  "insights.py",
  "insights_incoming.py",
  "insights_jobs.py",
  "insights_store.py",
  "insights_summary.py",
  "insights_wire.py",
  "install-tools.sh",
  "layout.py",
  "livekit-deploy.sh",
  "move-in.sh",
  "move-in/check.py",
  "move-in/journal.py",
  "move-in/present.py",
  "move-in/way-back.py",
  "public-address/aws.sh",
  "public-address/azure.sh",
  "public-address/digital-ocean.sh",
  "public-address/google-cloud.sh",
  "public-address/hetzner.sh",
  "public-address/ipv6.sh",
  "public-address/linode.sh",
  "public-address/ovh.sh",
  "public-address/unknown.sh",
  "public-address/vultr.sh",
  "redis-data.sh",
  "restore.sh",
  "rollout.sh",
  "sessions.py",
  "spool.py",
  "support.py",
  "system.sh",
  "terraform/aws-machines.tf",
  "terraform/aws.tf",
  "terraform/azure.tf",
  "terraform/common.tf",
  "terraform/digital-ocean-machines.tf",
  "terraform/digital-ocean.tf",
  "terraform/google-cloud.tf",
  "terraform/hetzner-machines.tf",
  "terraform/hetzner.tf",
  "terraform/linode.tf",
  "terraform/oracle.tf",
  "terraform/outputs.tf",
  "terraform/ovh.tf",
  "terraform/variables.tf",
  "terraform/vultr.tf",
  "tokens.py",
  "turn-check.py",
  "update.sh",
  "use-units.sh",
  "user-data.py",
] as const;

export type ScriptName = (typeof scriptNames)[number];

/**
 * The texts of all scripts. They are given to `bundle()`, because each program has them from elsewhere: Workers and
 * browsers from `script-files.ts`, which Vite fills, Node from the files themselves.
 */
export type ScriptTexts = Readonly<Record<ScriptName, string>>;

export function scriptTextsBy(read: (name: ScriptName) => string | undefined): ScriptTexts {
  const texts = scriptNames.map((name) => {
    const text = read(name);
    if (text === undefined) throw new Error(`There is no script ${name}.`);
    return [name, text];
  });
  return Object.fromEntries(texts) as ScriptTexts;
}
