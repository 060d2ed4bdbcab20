/** Clients of both eras at once, with the same request ids everywhere: does anybody ever hear another's canary? */
import { Agent } from 'node:http';
import { connect, type Connected } from './mixed-clients.ts';
import { isMessage, rpc } from './messages.ts';
import { createRandom } from './seeded-random.ts';
import type { ServedProcess } from './served-process.ts';

export interface CanaryOptions {
  readonly server: ServedProcess;
  readonly clients: number;
  readonly ms: number;
}

export interface CanaryReport {
  readonly calls: number;
  readonly foreign: number;
  readonly errors: number;
  readonly firstError: string;
}

/** Requests of one client that are under way together. */
const TOGETHER = 4;

export async function runCanaries({ server, clients, ms }: CanaryOptions): Promise<CanaryReport> {
  const agent = new Agent({ keepAlive: true });
  const report = { calls: 0, foreign: 0, errors: 0, firstError: '' };
  const connections = await Promise.all(
    Array.from({ length: clients }, (_, client) => connect(server.port, client, agent)),
  );
  // The time starts when all are there: on a busy machine it could be over before the last has said hello.
  const endAt = performance.now() + ms;

  const live = async ({ call }: Connected, client: number): Promise<void> => {
    const random = createRandom(1, client);
    for (let turn = 0; turn === 0 || performance.now() < endAt; turn += 1) {
      const ask = async (lane: number): Promise<void> => {
        const canary = `canary-${client}-${turn}-${lane}`;
        const args = { canary, ...(random.chance(0.5) ? { waitMs: random.below(8) } : {}) };
        // The ids of all clients are the same few, so that any mix-up has a chance to happen.
        const answer = await call(rpc(lane, 'tools/call', { name: 'echo', arguments: args }));
        report.calls += 1;
        const heard: readonly string[] = JSON.stringify(answer).match(/canary-[\d-]+/g) ?? [];
        if (heard.some((other) => other !== canary)) report.foreign += 1;
        if (!heard.includes(canary) || !isMessage(answer) || answer['id'] !== lane)
          throw new Error(`not an answer: ${JSON.stringify(answer).slice(0, 200)}`);
      };
      const lanes = Array.from({ length: TOGETHER }, (_, lane) => ask(lane));
      for (const outcome of await Promise.allSettled(lanes)) {
        if (outcome.status === 'fulfilled') continue;
        report.errors += 1;
        report.firstError ||= String(outcome.reason);
      }
    }
  };
  await Promise.all(connections.map(live));
  for (const { close } of connections) close();
  agent.destroy();
  return report;
}
