import { useMay } from "~/features/workspaces/roles";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { PlanLink } from "./plan-link";

/** Why something cannot be changed under the present plan; for a member who may buy, with the link to a plan. */
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
