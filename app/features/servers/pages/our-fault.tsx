import { RecentMoment } from "~/ui/moment";
import { Message } from "~/ui/primitives/message";

/** Reports do not reach us, which is ours to mend. Nothing is wrong with anybody's server. */
export function OurFault({ since }: { since: string }) {
  return (
    <Message kind="neutral" className="mt-4">
      Reports do not reach us since <RecentMoment at={since} />: our fault. Your servers run as
      before, and nobody is paged.
    </Message>
  );
}
