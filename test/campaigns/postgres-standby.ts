/**
 * npm run campaign:standby -- --rounds 5: the database dies while six writers save, and its synchronous standby takes its place behind the
 * same address. What was acknowledged is there, and saves go on within five seconds.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPostgresStorage } from '../../src/storage/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { makeEntry, OPEN_GATE, PLAIN_KEYS } from '../storage/memory-entries.ts';
import { startPostgres } from '../support/postgres-server.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const SPACE = 'shop-0123456789abcdef';
const INSTANCES = 2;
const WRITERS = 3;
const BEFORE_MS = 2_000;
const AFTER_MS = 2_000;
const LIMIT_MS = 5_000;

interface Address {
  readonly port: number;
  /** Where it leads from now on; what is open is cut. */
  leadTo(port: number): void;
  close(): void;
}

async function openAddress(first: number): Promise<Address> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    leadTo(next) {
      target = next;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}

interface Round {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly backMs: number;
}

async function runRound(round: number): Promise<Round> {
  const server = await startPostgres();
  const address = await openAddress(Number(new URL(server.url).port));
  try {
    const standby = await server.addStandby();
    const url = `postgres://waymark@127.0.0.1:${address.port}/postgres`;
    const storages = Array.from({ length: INSTANCES }, () =>
      createPostgresStorage({
        url,
        tenant: 'campaign',
        nameOf: (root) => ({ project: root, tree: root }),
        keyMaker: () => PLAIN_KEYS,
        gate: OPEN_GATE,
        workFolder: '',
        keepsSource: false,
        clock: systemClock,
        logger: silentLogger,
      }),
    );
    const saved: { readonly id: string; readonly at: number }[] = [];
    let isOver = false;
    const writers = storages.flatMap((storage, instance) =>
      Array.from({ length: WRITERS }, async (_, writer) => {
        const store = await storage.memory.open(SPACE);
        for (let turn = 0; !isOver; turn += 1) {
          const id = `e-${round}-${instance}-${writer}-${turn}`;
          const isSaved = await store.save(makeEntry(id), { saveKey: id }).then(
            () => true,
            () => delay(50, false),
          );
          if (isSaved) saved.push({ id, at: performance.now() });
          else turn -= 1;
        }
      }),
    );
    await delay(BEFORE_MS);
    await server.stop('immediate');
    const died = performance.now();
    address.leadTo(standby.port);
    await standby.promote();
    while (!saved.some(({ at }) => at > died) && performance.now() - died < 60_000) await delay(10);
    await delay(AFTER_MS);
    isOver = true;
    await Promise.all(writers);
    const [first] = storages;
    const listed = (await (await first?.memory.open(SPACE))?.list({ limit: 1_000_000 })) ?? [];
    const there = new Set(listed.map(({ entry }) => entry.id));
    for (const storage of storages) await storage.close();
    return {
      acknowledged: saved.length,
      lost: saved.filter(({ id }) => !there.has(id)).length,
      doubled: listed.length - there.size,
      backMs: (saved.find(({ at }) => at > died)?.at ?? Infinity) - died,
    };
  } finally {
    address.close();
    await server.remove();
  }
}

let isMissed = false;
for (let round = 0; round < Number(values.rounds); round += 1) {
  const { acknowledged, lost, doubled, backMs } = await runRound(round);
  const isMet = lost === 0 && doubled === 0 && backMs <= LIMIT_MS;
  isMissed ||= !isMet;
  process.stdout.write(
    `${isMet ? '    ' : 'FAIL'} ${acknowledged} saves acknowledged, ${lost} lost, ${doubled} doubled; saves again after ${Math.round(backMs)} ms (≤ ${LIMIT_MS})\n`,
  );
}
process.exit(isMissed ? 1 : 0);
