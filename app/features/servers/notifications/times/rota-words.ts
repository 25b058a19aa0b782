import { type ChannelView, channelTitle, maskedAddress } from "../channel";
import { personOf } from "./rota";

/** By their number, as `Date` has it. */
export const weekdays = [
  ...["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
];

/** What somebody is called whom channels reach; an address is whole only where `isWhole`. */
export function personLabel(
  channels: readonly ChannelView[],
  person: string,
  isWhole: boolean,
): string {
  const reaching = channels.filter((each) => personOf(each) === person);
  const mail = reaching.find((each) => each.kind === "mail");
  if (mail) return isWhole ? mail.address : maskedAddress(mail.address);
  const [first] = reaching;
  return first ? channelTitle(first, false) : "somebody without a channel";
}
