// The official client, calling one tool again and again in each of several ways, which take turns in every round.
// Arguments: seconds for each of them in a round, warm-up rounds, rounds that count. The ways are in WAYS, as JSON.
// Says for each way of each counted round how many calls it answered per second.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const ways = JSON.parse(process.env.WAYS);
const [seconds, warmUps, rounds] = process.argv.slice(2).map(Number);

async function connect({ url, token }) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

async function callsPerSecond(client, tool) {
  const start = performance.now();
  let answers = 0;
  let now = start;
  while (now - start < seconds * 1000) {
    const result = await client.callTool({ name: tool, arguments: { text: "hello" } });
    if (result.isError || result.content[0].text.indexOf("hello") < 0) {
      throw new Error(`${tool} was answered ${JSON.stringify(result)}`);
    }
    answers++;
    now = performance.now();
  }
  return (answers * 1000) / (now - start);
}

for (let round = 1 - warmUps; round <= rounds; round++) {
  for (let way = 0; way < ways.length; way++) {
    // A new one each time: it becomes slower with every call it has made.
    const client = await connect(ways[way]);
    const rate = await callsPerSecond(client, ways[way].tool);
    await client.close();
    if (round > 0) {
      console.log(JSON.stringify({ way, rate }));
    }
  }
}
process.exit(0);
