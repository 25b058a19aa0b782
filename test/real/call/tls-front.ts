// node tls-front.ts KEY CERTIFICATE TURN-NAME [PORT]: port 443 as Caddy has it. A connection for the name of TURN ends here and
// goes on to LiveKit's TURN server, any other to its HTTP server.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createServer, type TLSSocket } from "node:tls";

const [keyFile = "", certificateFile = "", turnName = "", port = "443"] = process.argv.slice(2);
const [key, cert] = [keyFile, certificateFile].map((file) => readFileSync(file));

createServer({ key, cert, ALPNProtocols: ["http/1.1"] }, (browser: TLSSocket) => {
  const livekit = connect(browser.servername === turnName ? 5349 : 7880, "127.0.0.1");
  browser.pipe(livekit).pipe(browser);
  browser.on("error", () => livekit.destroy());
  livekit.on("error", () => browser.destroy());
}).listen(Number(port), () => console.log("ready"));
