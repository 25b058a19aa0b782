import type { RecordState, ServerCheck } from "./look.server";
import type { Family } from "./public-address";

/** What a look found, and when the page may look again. */
export type CheckAnswer = ServerCheck & {
  at: string;
  /** In seconds. */
  againIn: number;
  /** Whether it changed what is done. */
  hasTicked: boolean;
};

/** What was pasted as an address that was refused, and why. */
export type TypedAddress = Partial<Record<Family, { text: string; error?: string }>>;

/** What a record says, for its row. */
export function recordWords(record: RecordState): string {
  switch (record.state) {
    case "right":
      return "Right";
    case "missing":
      return "Not there yet";
    case "unknown":
      return "Could not be looked up";
    case "elsewhere":
      return `Points elsewhere: ${record.found.join(", ")}`;
  }
}

/** What answers at the server's address, and what to do about it. */
export function answerWords(answer: ServerCheck["answer"], domain: string): string {
  switch (answer) {
    case "livekit":
      return `https://${domain} answers: LiveKit runs.`;
    case "starting":
      return "LiveKit answers that it is not ready yet. That takes some seconds.";
    case "nothing":
      return `Nothing answers at https://${domain} yet. The first boot takes some minutes; after that, ask the doctor.`;
    case "certificate":
      return "The server answers, and has no certificate yet. That takes a minute or two once DNS is right and port 80 is open; by your DNS provider or with files of your own, once the server has what its README names.";
    case "other":
      return `Something other than LiveKit answers at https://${domain}. Does this machine serve another site?`;
    default:
      return `https://${domain} is asked once its DNS record is right.`;
  }
}

/** All records in the form of a zone file. */
export function zoneFile(
  records: readonly { name: string; type: string; value: string | undefined }[],
): string {
  return records
    .map(({ name, type, value = "ADDRESS" }) => `${name}. 300 IN ${type} ${value}\n`)
    .join("");
}
