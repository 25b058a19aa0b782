/** The stories of /spotlight, which are in stories.json: samples, as the note there says. */
export const storyIds = [
  "virtualclass-pro",
  "telemed-connect",
  "globalmeet",
  "gamestream-live",
  "eventconnect",
  "securechat-pro",
] as const;

/** A customer story. */
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

/** All of them, and the sentence that says what they are. */
export type Stories = { note: string; stories: readonly Story[] };
