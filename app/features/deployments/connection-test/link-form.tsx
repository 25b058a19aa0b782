import { type FormEvent, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { Moment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { CopyButton } from "~/ui/primitives/copy-button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { linkSeconds } from "./link";
import type { TestAnswer } from "./test-forms.server";

type CreatedLink = { address: string; endsAt: string };

/**
 * Makes a link to the test. Our site makes its first half; the token, which is its second, is made here and reaches
 * nobody but whom the link is given to.
 */
export function LinkForm({
  isTyped,
  makeToken,
}: {
  /** Whether there is a key to make a token with; says at its fields what is missing. */
  isTyped: () => boolean;
  makeToken: (validSeconds: number) => Promise<string>;
}) {
  const making = useFetcher<TestAnswer>();
  const [createdLink, setCreatedLink] = useState<CreatedLink>();
  const [isKeyMissing, setKeyMissing] = useState(false);
  const link = making.data?.link;

  const tokenMaker = useRef(makeToken);
  tokenMaker.current = makeToken;

  useEffect(() => {
    if (!link) return;
    const seconds = Math.floor((Date.parse(link.endsAt) - Date.now()) / 1_000);
    // A clock that is slow would make a token for longer than any may be.
    void tokenMaker.current(Math.min(seconds, linkSeconds)).then((token) =>
      setCreatedLink({
        address: `${location.origin}/connection-test/${link.secret}#${token}`,
        endsAt: link.endsAt,
      }),
    );
  }, [link]);

  function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const isReady = isTyped();
    setKeyMissing(!isReady);
    if (!isReady) return;
    setCreatedLink(undefined);
    const label = String(new FormData(event.currentTarget).get("label") ?? "");
    making.submit({ intent: "link", label }, { method: "post" });
  }

  return (
    <form onSubmit={make} noValidate className="grid gap-6 not-scripted:hidden">
      <div className="max-w-prose">
        <TextField
          name="label"
          label="Which network it is for"
          hint="For your list below, such as the customer's office. Whoever tests does not see it."
          error={making.data?.message}
          maxLength={80}
          autoComplete="off"
        />
      </div>
      <div>
        <Button type="submit" variant="secondary" disabled={making.state !== "idle"}>
          Make a link
        </Button>
      </div>
      {isKeyMissing ? (
        <Message kind="failure">
          The link needs a token: type key and secret above, or paste a token there.
        </Message>
      ) : null}
      {createdLink ? (
        <Message kind="success">
          <p>
            Copy the link now: it is shown once, and holds a token that only joins this test. It
            works until <Moment at={createdLink.endsAt} />.
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-3">
            <code className="min-w-0 break-all text-ink">{createdLink.address}</code>
            <CopyButton text={createdLink.address} label="Copy the link" />
          </p>
        </Message>
      ) : null}
    </form>
  );
}
