import { findMediaRequirements } from "../media/requirements.ts";

type Given = Parameters<typeof findMediaRequirements>;

/** What the proof of media needs, and HAProxy, which stands in the place of a provider's balancer. */
export const findClusterRequirements = (environment?: Given[0], system?: Given[1]) =>
  findMediaRequirements(environment, system, ["haproxy"]);
