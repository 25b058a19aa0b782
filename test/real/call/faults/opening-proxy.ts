// node opening-proxy.ts KEY CERTIFICATE ADDRESS PORT [blocked NAME | no-websocket]: a company's proxy that opens TLS, looks
// at what is inside, and lets only HTTP through.
import { readFileSync } from "node:fs";
import { connect, createServer, type TLSSocket } from "node:tls";

const [keyFile = "", certificateFile = "", address = "", port = "", rule = "", blocked = ""] =
  process.argv.slice(2);
const [key, cert] = [keyFile, certificateFile].map((file) => readFileSync(file));

createServer({ key, cert, ALPNProtocols: ["http/1.1"] }, (browser: TLSSocket) => {
  const servername = String(browser.servername);
  if (rule === "blocked" && servername === blocked) {
    browser.destroy();
    return;
  }
  browser.on("error", () => browser.destroy());
  browser.once("data", (first: Buffer) => {
    const isHttp = /^(GET|POST|PUT|OPTIONS|HEAD) /.test(first.toString("latin1"));
    const isWebSocket = /\r\nupgrade: websocket/i.test(first.toString("latin1"));
    if (!isHttp || (rule === "no-websocket" && isWebSocket)) {
      browser.destroy();
      return;
    }
    // The office's own address is the one that the server sees.
    const options = { host: address, port: 443, servername, localAddress: address };
    const server = connect({ ...options, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    server.write(first);
    browser.pipe(server).pipe(browser);
    browser.on("close", () => server.destroy());
    server.on("error", () => browser.destroy());
  });
}).listen(Number(port), () => console.log("ready"));
