/** Many clients hold a stream each, at the same time, and every one of them gets its answers. */
import { Agent } from 'node:http';
import { openEventClient, type EventClient } from './event-client.ts';
import { initialize, rpc } from './messages.ts';
import type { ServedProcess } from './served-process.ts';

export interface StreamsOptions {
  readonly server: ServedProcess;
  readonly streams: number;
}

export interface StreamsReport {
  readonly opened: number;
  /** Answered a ping and a tool call while all the others were open. */
  readonly answered: number;
  readonly stillOpen: number;
  readonly rssMb: number;
}

const AT_A_TIME = 50;

export async function runStreams({ server, streams }: StreamsOptions): Promise<StreamsReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
  const clients: EventClient[] = [];
  try {
    await inTurns(streams, async () => {
      const client = await openEventClient(server.port, '/sse', agent);
      clients.push(client);
      await client.call(initialize(1, '2024-11-05'));
    });
    let answered = 0;
    await inTurns(clients.length, async (at) => {
      const canary = `stream ${at}`;
      const pong = await clients[at]?.call(rpc(2, 'ping'));
      const echo = await clients[at]?.call(rpc(3, 'tools/call', { name: 'echo', arguments: { canary } }));
      if (pong?.['result'] !== undefined && JSON.stringify(echo).includes(`"${canary}"`)) answered += 1;
    });
    const stillOpen = clients.filter((client) => client.isOpen).length;
    return { opened: clients.length, answered, stillOpen, rssMb: server.rssMb() };
  } finally {
    for (const client of clients) client.close();
    agent.destroy();
  }
}

async function inTurns(count: number, run: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}
