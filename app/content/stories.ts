/** A customer story, as /spotlight shows it. The customers are samples: see `storiesNote`. */
export type Story = {
  id: string;
  name: string;
  industry: string;
  description: string;
  /** What the drawing shows, for those who cannot see it. */
  scene: string;
  metrics: { users: string; uptime: string; latency: string };
  /** Paragraphs. */
  fullDescription: readonly string[];
  testimonial: { quote: string; author: string; role: string };
};

export const storiesNote =
  "The stories are illustrative examples: customers, figures and quotations are samples.";

export const stories: readonly Story[] = [
  {
    id: "virtualclass-pro",
    name: "VirtualClass Pro",
    industry: "Education",
    description: "Live lessons for thirty pupils at a time, through any school's firewall.",
    scene:
      "A teacher in front of a triangle on a board; the server sends the lesson on to nine pupils, one with an arm raised.",
    metrics: { users: "12,000", uptime: "99.95%", latency: "48 ms" },
    fullDescription: [
      "VirtualClass Pro teaches in small rooms: one teacher, up to thirty pupils, a shared board. Each camera is forwarded in the size it is shown.",
      "Many schools let nothing out but HTTPS. TURN over TLS on port 443 brings those pupils into the lesson; everybody else takes UDP.",
    ],
    testimonial: {
      quote:
        "A lesson cannot wait for a firewall. Port 443 was open everywhere, and that was enough.",
      author: "Platform team",
      role: "Head of Engineering",
    },
  },
  {
    id: "telemed-connect",
    name: "TeleMed Connect",
    industry: "Healthcare",
    description: "Video consultations on machines in the clinic's own cloud account.",
    scene:
      "A doctor on a monitor and a patient on a phone, joined by one server in the clinic's own cloud; below them a heartbeat.",
    metrics: { users: "8,400", uptime: "99.98%", latency: "39 ms" },
    fullDescription: [
      "TeleMed Connect runs its servers in the cloud account, and in the country, where its patient records are.",
      "Each consultation is a room; a token says who may enter.",
    ],
    testimonial: {
      quote: "Every hospital asks where the video goes. Our answer is now one sentence.",
      author: "Clinical systems team",
      role: "Chief Technology Officer",
    },
  },
  {
    id: "globalmeet",
    name: "GlobalMeet",
    industry: "Enterprise",
    description: "Meetings on three continents, each on an instance near the people in it.",
    scene:
      "A globe with three connected servers in Europe, India and southern Africa, and four meeting rooms, each joined to the server nearest to it.",
    metrics: { users: "45,000", uptime: "99.99%", latency: "62 ms" },
    fullDescription: [
      "GlobalMeet runs LiveKit in Germany, India and South Africa, with one Redis that tells the instances of each other. A meeting opens on the instance nearest to whoever opens it.",
      "Updates happen by day: an instance takes no new meetings, finishes its own and stops.",
    ],
    testimonial: {
      quote: "We update on Tuesday mornings now, with people in meetings. They do not notice.",
      author: "Meetings team",
      role: "Director of Infrastructure",
    },
  },
  {
    id: "gamestream-live",
    name: "GameStream Live",
    industry: "Gaming",
    description: "Players go live from the tools they know; the audience is there as it happens.",
    scene:
      "A platform game on a monitor, with the player in a corner and a controller below; the server sends it on to a crowd that chats.",
    metrics: { users: "120,000", uptime: "99.97%", latency: "74 ms" },
    fullDescription: [
      "GameStream Live takes its streams in through Ingress: RTMP for the tools that players have, WHIP for the least delay.",
      "On tournament days more machines boot from the same cloud-init file, join through Redis and take new rooms.",
    ],
    testimonial: {
      quote: "Chat used to answer what happened half a minute ago. Now it plays along.",
      author: "Live video team",
      role: "Lead Platform Engineer",
    },
  },
  {
    id: "eventconnect",
    name: "EventConnect",
    industry: "Events",
    description: "One stage, as many side rooms as tables, and the recording right after.",
    scene:
      "A speaker at a lectern in front of a seated audience, shown large on a screen; the server sends the stage on to three people far away.",
    metrics: { users: "30,000", uptime: "99.96%", latency: "57 ms" },
    fullDescription: [
      "EventConnect gives a conference a stage and a side room for every table. One changed permission brings somebody from the audience onto the stage.",
      "Egress streams the stage to the video platforms over RTMP and keeps a file in EventConnect's own storage.",
    ],
    testimonial: {
      quote: "The recording was in our storage before the hall was empty.",
      author: "Stage team",
      role: "Head of Production",
    },
  },
  {
    id: "securechat-pro",
    name: "SecureChat Pro",
    industry: "Security",
    description: "Calls that the server passes on and cannot read.",
    scene:
      "Two people, each with a key, and between them a padlock: sealed packets pass through the server in its middle.",
    metrics: { users: "18,000", uptime: "99.94%", latency: "41 ms" },
    fullDescription: [
      "SecureChat Pro turns on the end-to-end encryption of LiveKit's client SDKs. The app makes the keys; the server forwards what it cannot read.",
      "The firewall opens the ports that calls need and no others, secrets are made on the machine at its first boot, and Redis never faces the internet.",
    ],
    testimonial: {
      quote: "Our auditors asked which ports are open. It was the shortest answer we gave them.",
      author: "Server team",
      role: "Security Lead",
    },
  },
];
