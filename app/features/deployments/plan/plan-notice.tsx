import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { PlanLink } from "./plan-link";

/** Why something cannot be changed under the present plan, with the way to one that can. */
export function PlanNotice({ words, planLink }: { words: string; planLink: PlanLink }) {
  return (
    <Message kind="warning" className="mt-6">
      <p>{words}</p>
      <TextLink to={planLink.to} variant="standalone">
        {planLink.words}
      </TextLink>
    </Message>
  );
}
