import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { WayToPlan } from "./way-to-plan";

/** Why something cannot be changed under the present plan, with the way to one that can. */
export function PlanNotice({ words, way }: { words: string; way: WayToPlan }) {
  return (
    <Message kind="warning" className="mt-6">
      <p>{words}</p>
      <TextLink to={way.to} variant="standalone">
        {way.words}
      </TextLink>
    </Message>
  );
}
