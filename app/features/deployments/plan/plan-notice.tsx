import { Link } from "react-router";
import { Message } from "~/ui/primitives/message";
import type { WayToPlan } from "./way-to-plan";

/** Why something cannot be changed under the present plan, with the way to one that can. */
export function PlanNotice({ words, way }: { words: string; way: WayToPlan }) {
  return (
    <Message kind="warning" className="mt-6">
      <p>{words}</p>
      <Link to={way.to} className="inline-flex min-h-11 items-center underline underline-offset-4">
        {way.words}
      </Link>
    </Message>
  );
}
