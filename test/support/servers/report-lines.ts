/** What a machine of the tests is, and what it says when nothing is wrong. */
export const machine = {
  machine: "a".repeat(64),
  instance: "i-0123456789",
  boot: "11111111-1111-4111-8111-111111111111",
  otherBoot: "22222222-2222-4222-8222-222222222222",
  version: "b".repeat(64),
} as const;

/** The text of a report; `fields` replace lines of one kind or leave them out, `more` are added as they are. */
export function reportText(
  fields: Record<string, string | number | undefined> = {},
  more: readonly string[] = [],
): string {
  const { boot, machine: id, instance, version } = machine;
  const single = { seq: 1, boot, machine: id, instance, at: 1_795_313_698, version, ...fields };
  const lines = Object.entries(single)
    .filter(([, value]) => value !== undefined)
    .map(([kind, value]) => `${kind}\t${value}`);
  return ["livekit-deploy-report\t1", ...lines, ...more, ""].join("\n");
}
