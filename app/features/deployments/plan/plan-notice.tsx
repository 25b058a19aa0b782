import { useMay } from "~/features/workspaces/roles";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { PlanLink } from "./plan-link";

/** Why something cannot be changed under the present plan, and for whoever may choose it the way to one that can. */
export function PlanNotice({ words, planLink }: { words: string; planLink: PlanLink }) {
  const mayBuy = useMay("billing");
  return (
    <Message kind="warning" className="mt-6">
      <p>{words}</p>
      {mayBuy ? (
        <TextLink to={planLink.to} variant="standalone">
          {planLink.words}
        </TextLink>
      ) : null}
    </Message>
  );
}
