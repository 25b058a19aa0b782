import { isInTrial } from "~/features/auth/session/in-trial.server";
import type { RequestScope } from "~/features/auth/session/session.server";
import { withinLimitOf } from "~/http/rate-limit.server";
import { checkName } from "../bundle/names.ts";
import type { ServerAddress } from "../stored-deployment";
import { foreignDomain, resolvesElsewhere } from "../words/foreign-domains";
import { typedDomain } from "../words/typed-domain";
import { addressesOf } from "./resolver.server";

/**
 * Warns of a typed domain that is somebody else's, or that has other addresses than the server of this deployment. Of
 * one person's names so many are looked up in a minute; of others nothing is said.
 */
export async function domainWarning(
  { context, session, request }: RequestScope & { request: Request },
  typed: string | undefined,
  server: ServerAddress | undefined,
): Promise<string | undefined> {
  const checked = checkName(typedDomain(typed ?? ""));
  if (!("name" in checked)) return;
  const { name } = checked;
  const foreign = foreignDomain(name);
  if (foreign) return foreign;
  const visitor = await session.visitor();
  // A trial asks nobody about a name.
  if (!("userId" in visitor) || (await isInTrial(session))) return;
  if (!(await withinLimitOf(`domain:${visitor.userId}`, context, "LOOK_LIMIT", request))) return;
  const { configuration } = context;
  const [ipv4 = [], ipv6 = []] = await Promise.all([
    addressesOf(configuration, name, "A"),
    addressesOf(configuration, name, "AAAA"),
  ]);
  const others = [...ipv4, ...ipv6].filter(
    (address) => address !== server?.ipv4 && address !== server?.ipv6,
  );
  return others.length > 0 ? resolvesElsewhere(name, others.slice(0, 3)) : undefined;
}
