import { type ComponentProps, type FormEvent, useState } from "react";
import { useFetcher } from "react-router";
import { type ReadFailure, useRead } from "~/http/read";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { UsageStatisticsView } from "../usage/statistics";
import { StatisticsBand } from "../usage/statistics-band";
import { MissingProof } from "./missing-proof";
import { UserModels } from "./own-models";
import { type UserView, userViewAddress } from "./own-view";
import { Tokens } from "./tokens";

/** The usage on a page that is the same for everybody: the browser reads it. */
function UserStatistics() {
  const [query, setQuery] = useState("");
  const { value: last, failure } = useRead(
    useFetcher<UsageStatisticsView | ReadFailure>(),
    `/openai-config/usage${query}`,
  );

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setQuery(queryOf(new FormData(event.currentTarget)));
  }
  return <StatisticsBand statistics={last} failure={failure} chosen={last} onSubmit={choose} />;
}

function queryOf(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string" && value) query.set(name, value);
  return `?${query}`;
}

/** The public page of a customer: what is saved, its versions, the usage and the tokens. */
export default function UserConfiguration({
  voices,
}: Pick<ComponentProps<typeof UserModels>, "voices">) {
  const {
    value: view,
    failure,
    readAgain,
  } = useRead(useFetcher<UserView | ReadFailure>(), userViewAddress);
  const notRead = failure ? <NotRead failure={failure} onRetry={readAgain} /> : null;
  if (!view) {
    return (
      <div className="page min-h-[60vh] pb-20">
        {notRead ?? (
          <p role="status" className="border-t border-line pt-10 text-ink-soft">
            Loading your configuration…
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      {notRead ? <div className="page pb-10">{notRead}</div> : null}
      <div className="page pb-20">
        <UserModels view={view} voices={voices} />
      </div>
      <UserStatistics />
      <Tokens tokens={view.tokens} />
    </>
  );
}

function NotRead({ failure, onRetry }: { failure: ReadFailure; onRetry: () => void }) {
  return (
    <>
      <Message kind="failure">{failure.error}</Message>
      <div className="mt-5">
        {failure.status === 401 ? (
          <TextLink to="/signin?next=/openai-config">Sign in</TextLink>
        ) : failure.status === 403 ? (
          <MissingProof missing="second-factor" />
        ) : (
          <Button variant="secondary" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </>
  );
}
