import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { database, userIdOf } from "../database/database.ts";
import { defaultOptions } from "./bundle-cases.ts";

/** Choices whose deployment has every optional part. */
export function fullOptions(): DeploymentOptions {
  return {
    ...defaultOptions,
    domain: "media.example.com",
    email: "owner@example.com",
    ingress: "both",
    recording: { kind: "local" },
    monitoring: "advanced",
  };
}

/** Stores a deployment of the user with this address or id, past plans and limits; answers its id. */
export async function storeDeployment(
  owner: string,
  options: DeploymentOptions,
  name = "Production",
  workspace?: string,
): Promise<string> {
  const { data, error } = await database.rpc("create_deployment", {
    owner: await idOf(owner),
    new_name: name,
    new_options: options,
    allowed: 100,
    ...(workspace ? { workspace } : {}),
  });
  if (!data) throw new Error(`The deployment was not stored: ${error?.message}`);
  return data;
}

/** Saves further choices as the next version. */
export async function storeVersion(
  owner: string,
  id: string,
  options: DeploymentOptions,
  expectedVersion: number,
  name = "Production",
): Promise<void> {
  const { data, error } = await database.rpc("save_deployment", {
    owner: await idOf(owner),
    target: id,
    new_name: name,
    new_options: options,
    expected_version: expectedVersion,
  });
  if (data !== "saved") throw new Error(`The version was not saved: ${data} ${error?.message}`);
}

/** A deployment's row, as the database has it. */
export async function storedDeployment(id: string) {
  const { data } = await database.from("deployments").select("*").eq("id", id).single();
  if (!data) throw new Error(`No deployment ${id}`);
  return data;
}

function idOf(owner: string): string | Promise<string> {
  return owner.includes("@") ? userIdOf(owner) : owner;
}
