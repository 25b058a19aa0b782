import { useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { fromBase64url, toBase64url } from "~/http/encodings";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";

export type ApprovalTerms = { challenge: string; site: string; credentials: readonly string[] };

/** Signs the rollout with a passkey of the reader's, and sends that. Only a script can. */
export default function ApproveButton({
  rollout,
  terms,
}: {
  rollout: string;
  terms: ApprovalTerms;
}) {
  const [hasFailed, setHasFailed] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const isBusy = useNavigation().state !== "idle" || isWaiting;
  const submit = useSubmit();
  if (!("PublicKeyCredential" in window)) {
    return <p>This browser knows no passkeys. Open this page in another one to approve it.</p>;
  }
  async function approve() {
    setHasFailed(false);
    setIsWaiting(true);
    try {
      const fields = await assertionFields(terms);
      await submit(
        { intent: "approve-rollout", rollout, ...fields },
        { method: "post", preventScrollReset: true },
      );
    } catch {
      setHasFailed(true);
    }
    setIsWaiting(false);
  }
  return (
    <div className="grid gap-3">
      {hasFailed ? (
        <Message kind="failure">
          Nothing was approved: it was cancelled, took too long, or this device has none of your
          passkeys.
        </Message>
      ) : null}
      <div>
        <Button type="button" disabled={isBusy} onClick={approve}>
          Approve with passkey
        </Button>
      </div>
    </div>
  );
}

async function assertionFields({ challenge, site, credentials }: ApprovalTerms) {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: fromBase64url(challenge),
      rpId: site,
      allowCredentials: credentials.map((id) => ({ type: "public-key", id: fromBase64url(id) })),
      userVerification: "required",
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("Nothing was signed");
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error("Nothing was signed");
  const text = (bytes: ArrayBuffer) => toBase64url(new Uint8Array(bytes));
  return {
    credential: text(credential.rawId),
    "authenticator-data": text(response.authenticatorData),
    "client-data": text(response.clientDataJSON),
    signature: text(response.signature),
  };
}
