/** The stages of a first boot in their order: as machines name them, and as pages do. */
export const stages = {
  connected: "Connected",
  secrets: "Secrets",
  packages: "Packages",
  tools: "Docker and tools",
  images: "Images",
  services: "Services",
  ready: "Ready",
} as const;
