import { useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { fromBase64url, toBase64url } from "~/http/encodings";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";

export type PasskeyTerms = {
  challenge: string;
  site: { id: string; name: string };
  person: { id: string; name: string };
  /** The credentials that this person has here. */
  present: readonly string[];
};

type Labels = {
  name: string;
  nameHint: string;
  button: string;
  unsupported: string;
  cancelled: string;
};

/** Asks the browser for a new passkey, and sends its public half. Only a script can. */
export default function AddPasskey({
  terms,
  labels,
  typed,
}: {
  terms: PasskeyTerms;
  labels: Labels;
  typed: string | undefined;
}) {
  const [hasFailed, setHasFailed] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const isBusy = useNavigation().state !== "idle" || isWaiting;
  const submit = useSubmit();
  if (!("PublicKeyCredential" in window)) return <p>{labels.unsupported}</p>;
  async function add(name: string) {
    setHasFailed(false);
    setIsWaiting(true);
    try {
      const fields = await newPasskey(terms);
      await submit(
        { intent: "add-passkey", name, challenge: terms.challenge, ...fields },
        { method: "post", action: "#add", preventScrollReset: true },
      );
    } catch {
      setHasFailed(true);
    }
    setIsWaiting(false);
  }
  return (
    <form
      className="grid max-w-dialog gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void add(String(new FormData(event.currentTarget).get("name") ?? ""));
      }}
    >
      <TextField
        name="name"
        label={labels.name}
        hint={labels.nameHint}
        maxLength={60}
        autoComplete="off"
        required
        defaultValue={typed}
      />
      {hasFailed ? <Message kind="failure">{labels.cancelled}</Message> : null}
      <div>
        <Button type="submit" variant="secondary" disabled={isBusy}>
          {labels.button}
        </Button>
      </div>
    </form>
  );
}

async function newPasskey({ challenge, site, person, present }: PasskeyTerms) {
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: fromBase64url(challenge),
      rp: site,
      user: { id: fromBase64url(person.id), name: person.name, displayName: person.name },
      // ES256 alone: the servers verify it with openssl.
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { userVerification: "required", residentKey: "preferred" },
      excludeCredentials: present.map((id) => ({ type: "public-key", id: fromBase64url(id) })),
      attestation: "none",
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("No passkey was made");
  const { response } = credential;
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new Error("No passkey");
  return {
    "client-data": toBase64url(new Uint8Array(response.clientDataJSON)),
    "authenticator-data": toBase64url(new Uint8Array(response.getAuthenticatorData())),
  };
}
