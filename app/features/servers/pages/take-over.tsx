import { Form } from "react-router";
import { RecentMoment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { ServerDetails } from "./server-details.server";

/** Another machine used the server's key, and waits for somebody to answer. */
export function TakeOver({
  request,
  mayAnswer,
}: {
  request: NonNullable<ServerDetails["request"]>;
  mayAnswer: boolean;
}) {
  return (
    <Message kind="warning" className="mt-6">
      <p>
        Another machine wants to replace this server:{" "}
        <span className="font-mono wrap-anywhere">{request.instance}</span>, since{" "}
        <RecentMoment at={request.at} />. Allow it if you made the machine anew. If you made a copy,
        refuse it: two machines cannot have one key.
      </p>
      {mayAnswer ? (
        <Form method="post" className="mt-4 flex flex-wrap gap-3">
          <input type="hidden" name="asked" value={request.at} />
          <Button type="submit" name="intent" value="allow" variant="secondary">
            Allow
          </Button>
          <Button type="submit" name="intent" value="refuse" variant="secondary">
            Refuse
          </Button>
        </Form>
      ) : null}
    </Message>
  );
}
