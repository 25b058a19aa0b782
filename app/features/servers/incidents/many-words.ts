import { untilMorning } from "./morning";

/** A server that is ticked in a list is a field of the form, by this and its id: our forms have no field twice. */
export const chosenPrefix = "server.";

/** What can be done with many servers at once; the action reads the values. */
export const manyActs = (zone: string | undefined) => [
  { value: "acknowledge", label: "Acknowledge" },
  { value: "snooze-1", label: "Tell nobody for 1 hour" },
  { value: "snooze-morning", label: `Tell nobody ${untilMorning(zone)}` },
  { value: "maintenance-1", label: "Maintenance for 1 hour" },
  { value: "maintenance-4", label: "Maintenance for 4 hours" },
  { value: "maintenance-24", label: "Maintenance for 24 hours" },
  { value: "maintenance-end", label: "End the maintenance" },
];
