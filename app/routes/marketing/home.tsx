import { LinkButton } from "~/components/button";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/home";

export const meta: Route.MetaFunction = () => [
  { title: "LiveKit Deploy: your own LiveKit server, set up for production" },
  {
    name: "description",
    content:
      "Deploy a production-ready LiveKit server on your own cloud: TLS, TURN, firewall, Docker Compose, systemd, Ingress and Egress.",
  },
];

export const headers: Route.HeadersFunction = () => publicPage;

export default function Home() {
  return (
    <div className="page py-24">
      <h1 className="max-w-[14ch] text-3xl">Deploy LiveKit Server with Confidence</h1>
      <p className="mt-6 max-w-prose text-lg text-ink-soft">
        Answer a few questions, get a bundle, boot a virtual machine on your own cloud.
      </p>
      <LinkButton to="/signup" className="mt-10">
        Get Early Access
      </LinkButton>
    </div>
  );
}
