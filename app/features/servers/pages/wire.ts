import type { IncidentSummary } from "../incidents/incident";
import {
  type StoredSummary,
  withSeverities,
  withStoredSeverities,
} from "../incidents/stored-incident";
import type { ServerState } from "../state/state";
import type { FleetOverview, ServerFigures, ServerPage, ServerView } from "./server-view";

// What the servers Worker answers the site. In a deploy an older one of the two calls a newer one, so both keep the names
// that the first of them exchanged.

type WireState = Exclude<ServerState, { code: "duplicate" }> | { code: "twice" };
type Wire<View extends ServerView> = Omit<View, "state" | "incident"> & {
  state: WireState;
  incident: StoredSummary | undefined;
};

export type WireView = Wire<ServerView>;
export type WirePage = Wire<ServerPage>;
export type WireFigures = { readAt: number; servers: Wire<ServerFigures>[] };
export type WireOverview = Omit<FleetOverview, "servers" | "clusters"> & {
  servers: WireView[];
  clusters?: { deployment: string; incident: StoredSummary | undefined }[];
};

export function toWire<View extends Unwired>(view: View): Omit<View, keyof Unwired> & Wired {
  const { state, incident } = view;
  return {
    ...view,
    state: state.code === "duplicate" ? { code: "twice" } : state,
    incident: incident && withStoredSeverities(incident),
  };
}

export function fromWire<View extends Wired>(view: View): Omit<View, keyof Wired> & Unwired {
  const { state, incident } = view;
  return {
    ...view,
    state: state.code === "twice" ? { code: "duplicate" } : state,
    incident: incident && withSeverities(incident),
  };
}

type Unwired = { state: ServerState; incident: IncidentSummary | undefined };
type Wired = { state: WireState; incident: StoredSummary | undefined };
