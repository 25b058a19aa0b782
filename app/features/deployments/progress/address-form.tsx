import { Form } from "react-router";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import type { TypedAddress } from "./look-words";
import type { StepsView } from "./steps-view.server";

const labels = { ipv4: "IPv4 address of the server", ipv6: "IPv6 address of the server" } as const;

/** Takes the server's address once; every row and command then has it. */
export function AddressForm({
  view: { families, address },
  typed,
  action,
  page,
}: {
  view: StepsView;
  typed: TypedAddress | undefined;
  action: string;
  page: string;
}) {
  return (
    <Form
      key={JSON.stringify(address)}
      method="post"
      action={action}
      preventScrollReset
      noValidate
      className="flex flex-wrap items-end gap-3"
    >
      <input type="hidden" name="intent" value="address" />
      <input type="hidden" name="page" value={page} />
      {families.map((family) => (
        <div key={family} className="grow sm:max-w-sm">
          <TextField
            name={family}
            label={labels[family]}
            hint="The last lines of create-vm.sh say it."
            defaultValue={typed?.[family]?.text ?? address?.[family]}
            error={typed?.[family]?.error}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      ))}
      <Button type="submit" variant={address ? "secondary" : "primary"}>
        Save the address
      </Button>
    </Form>
  );
}
