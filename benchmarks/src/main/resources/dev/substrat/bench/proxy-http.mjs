// A proxy as people build one from npm: mcp-proxy in front of the MCP server whose address is the first argument.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { createServer } from "node:net";
import { proxyServer, startHTTPServer } from "mcp-proxy";

async function connect() {
  const client = new Client({ name: "proxy", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
  return client;
}

// One connection to the upstream, shared by all clients: the quickest way it has.
const client = await connect();

function freePort() {
  return new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}

const port = await freePort();
await startHTTPServer({
  createServer: async () => {
    const serverCapabilities = client.getServerCapabilities();
    const server = new Server({ name: "proxy", version: "1.0.0" }, { capabilities: serverCapabilities });
    await proxyServer({ client, server, serverCapabilities });
    return server;
  },
  enableJsonResponse: true,
  eventStore: false,
  host: "127.0.0.1",
  port,
  streamEndpoint: "/mcp",
});
console.log(`ready http://127.0.0.1:${port}`);
