import { createContext, type RouterContextProvider } from "react-router";
import * as z from "zod/mini";
import { type Session, sessionContext } from "~/features/auth/session/session.server";
import { type AppContext, appContext } from "~/http/app-context";
import { type Role, roleRights } from "~/platform/database/role-rights";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { workspaceBase } from "~/ui/console/console-path";

/** A workspace of somebody, and what they are there. */
export type Workspace = {
  id: string;
  slug: string;
  name: string;
  role: Role;
  /** Whether it is their personal workspace. */
  isPersonal: boolean;
  /** Whether somebody else is a member. */
  isShared: boolean;
  needsSecondFactor: boolean;
  /** Whether it shows them nothing: it wants a second factor, which they did not give. */
  isClosed: boolean;
  /** What the addresses of its pages begin with. */
  base: string;
};

const rows = z.array(
  z.object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    role: z.enum(roleRights.see),
    personal: z.boolean(),
    shared: z.boolean(),
    needs_second_factor: z.boolean(),
  }),
);

const readContext = createContext<Promise<readonly Workspace[] | undefined> | null>(null);

/**
 * The visitor's workspaces, the personal one first. They are asked for once in a request and never remembered for
 * longer: who was removed is gone with the next page. Undefined when the database does not answer, or nobody
 * has signed in to the end.
 */
export function myWorkspaces(
  context: Readonly<RouterContextProvider>,
): Promise<readonly Workspace[] | undefined> {
  const cached = context.get(readContext);
  if (cached) return cached;
  const reading = read(context.get(sessionContext), context.get(appContext));
  context.set(readContext, reading);
  return reading;
}

async function read(session: Session, app: AppContext): Promise<readonly Workspace[] | undefined> {
  const visitor = await session.visitor();
  // The database would answer none.
  if (visitor.state === "signed-out" || visitor.state === "second-factor-due") return;
  const gaveSecondFactor = visitor.state === "signed-in" && visitor.gaveSecondFactor;
  const found = await ask(session, gaveSecondFactor);
  if (found?.length !== 0 || visitor.state !== "signed-in") return found;
  // The user signed in while the database did not answer, or before there were workspaces.
  return (await makePersonalWorkspace(app, visitor.userId))
    ? ask(session, gaveSecondFactor)
    : undefined;
}

async function ask(
  { supabase }: Session,
  gaveSecondFactor: boolean,
): Promise<Workspace[] | undefined> {
  const { data, error } = await supabase.rpc("my_workspaces", undefined, { get: true });
  if (!error) return rows.parse(data).map((row) => workspaceOf(row, gaveSecondFactor));
  log.error("Workspaces could not be read", describeError(error));
}

function workspaceOf(row: z.infer<typeof rows>[number], gaveSecondFactor: boolean): Workspace {
  const { personal: isPersonal, shared: isShared, needs_second_factor, ...rest } = row;
  return {
    ...rest,
    isPersonal,
    isShared,
    needsSecondFactor: needs_second_factor,
    isClosed: needs_second_factor && !gaveSecondFactor,
    // A user who is alone in their personal workspace sees no name of one in an address.
    base: isPersonal && !isShared ? "/dashboard" : workspaceBase(row.slug),
  };
}

/** Gives an account its personal workspace, unless it has one. Answers whether it has one now. */
async function makePersonalWorkspace(
  { configuration }: AppContext,
  person: string,
): Promise<boolean> {
  const { error } = await serviceClient(configuration).rpc("personal_workspace", { person });
  if (error) log.error("A personal workspace could not be made", describeError(error));
  return !error;
}

/** What is sent to a page about its workspace. */
export type WorkspaceSummary = ReturnType<typeof workspaceSummary>;

export function workspaceSummary(workspace: Workspace) {
  const { name, role, base, isPersonal, isShared, needsSecondFactor } = workspace;
  return { name, role, base, isPersonal, isShared, needsSecondFactor };
}
