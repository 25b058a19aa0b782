import * as z from "zod/mini";
import { scopes } from "../scopes";
import { iso, named, operation, time, uuid } from "./operation";

const token = named(
  "Token",
  "The token of this call.",
  z.object({
    id: uuid,
    name: z.string(),
    workspace: uuid,
    scopes: z.array(z.enum(scopes)),
    ends_at: time,
  }),
);

export const tokenOperations = [
  operation({
    ...{ method: "GET", path: "/token", id: "getToken", tag: "Token" },
    summary: "What this token is, and what it may do",
    scope: undefined,
    ...{ params: {}, query: {}, status: 200, answer: token, problems: [] },
    async run({ call }) {
      const { id, name, workspace, scopes, endsAt } = call.token;
      return { value: { id, name, workspace, scopes, ends_at: iso(endsAt) } };
    },
  }),
];
