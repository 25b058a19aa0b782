/** Where the real side listens: after the thirty ports of the site and its fakes. */
export function realPorts(portBase: number) {
  return {
    authServer: portBase + 30,
    mail: portBase + 31,
    google: portBase + 32,
    templates: portBase + 33,
    postgres: portBase + 34,
  };
}
