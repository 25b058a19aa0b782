// node metadata.ts: the metadata of a machine at AWS, as far as the generated scripts ask for it.
import { createServer } from "node:http";

const [address = ""] = process.argv.slice(2);

createServer((request, response) => {
  if (request.method === "PUT" && request.url === "/latest/api/token") response.end("token");
  else if (request.headers["x-aws-ec2-metadata-token"] !== "token") response.writeHead(401).end();
  else if (request.url === "/latest/meta-data/public-ipv4" && address) {
    // A machine whose public address lies on its own interface asks by that one.
    const { remoteAddress = "" } = request.socket;
    response.end(remoteAddress.startsWith("203.0.113.") ? remoteAddress : address);
  } else response.writeHead(404).end();
}).listen(80, "169.254.169.254", () => console.log("ready"));
