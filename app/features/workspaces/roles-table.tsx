import { type Right, roleRights } from "~/platform/database/role-rights";
import { Table } from "~/ui/primitives/table";
import type { MembersView } from "./members-view.server";
import { roleMay } from "./roles";

/** What each role may do, from the table that the database asks. */
export function RolesTable({ words }: { words: MembersView["words"] }) {
  const { members: labels, rights, roles } = words;
  return (
    <>
      <dl className="mb-8 grid gap-3">
        {roleRights.see.map((role) => (
          <div key={role}>
            <dt className="font-strong">{roles[role].name}</dt>
            <dd className="text-ink-soft">{roles[role].says}</dd>
          </div>
        ))}
      </dl>
      <Table
        caption={labels.rolesCaption}
        columns={[labels.right, ...roleRights.see.map((role) => roles[role].name)]}
        compact
      >
        <tbody>
          {(Object.keys(rights) as (keyof typeof rights & Right)[]).map((right) => (
            <tr key={right}>
              <th scope="row" className="min-w-44">
                {rights[right]}
              </th>
              {roleRights.see.map((role) => (
                <td key={role}>
                  {roleMay(role, right) ? (
                    labels.yes
                  ) : (
                    <>
                      <span aria-hidden="true" className="text-ink-soft">
                        –
                      </span>
                      <span className="sr-only">{labels.no}</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
