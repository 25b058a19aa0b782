import { useFetcher } from "react-router";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { TypedAddress } from "./look-words";
import type { StepOutcome } from "./step-forms.server";
import type { StepsView } from "./steps-view.server";

const familyNames = { ipv4: "IPv4", ipv6: "IPv6" } as const;

/** Takes the server's address once; every row and command then has it. With script a refusal leads to no other page. */
export function AddressForm({
  view: { families, address, several },
  typed: typedWithoutScript,
  action,
  page,
  version,
}: {
  view: StepsView;
  /** What was refused of a page without script. */
  typed: TypedAddress | undefined;
  action: string;
  page: string;
  version: number;
}) {
  const { data, Form, state } = useFetcher<StepOutcome>();
  const typed = data?.typed ?? typedWithoutScript;
  return (
    <Form
      key={JSON.stringify(address)}
      method="post"
      action={action}
      preventScrollReset
      noValidate
      className="flex flex-wrap items-start gap-3"
    >
      <input type="hidden" name="intent" value="address" />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="version" value={version} />
      {data?.message && state === "idle" ? (
        <Message kind="failure" className="w-full">
          {data.message}
        </Message>
      ) : null}
      {families.map((family) => (
        <div key={family} className="grow sm:max-w-96">
          <TextField
            name={family}
            label={`${familyNames[family]} address of the ${several?.entrance ?? "server"}`}
            hint={several ? "Your provider says it." : "The last lines of create-vm.sh say it."}
            defaultValue={typed?.[family]?.text ?? address?.[family]}
            error={typed?.[family]?.error}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      ))}
      <Button
        type="submit"
        variant={address ? "secondary" : "primary"}
        // Beside the field, below its label.
        className="sm:mt-7.5"
      >
        Save the address
      </Button>
    </Form>
  );
}
