/** Tries attacks one after the other, each in a place of its own and within a time: a hang is a way through, too. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack } from './attack.ts';
import { stopJailServer } from './jail-server.ts';
import { stopTargets } from './target.ts';

export interface AttackResult {
  readonly attack: Attack;
  /** Undefined where it held. */
  readonly through: string | undefined;
  readonly ms: number;
}

export interface AttackCampaignOptions {
  readonly attacks: readonly Attack[];
  /** The built program: dist/main.js. */
  readonly program: string;
  readonly onResult?: (result: AttackResult) => void;
  readonly limitMs?: number;
}

const LIMIT_MS = 60_000;

export async function runAttacks(options: AttackCampaignOptions): Promise<readonly AttackResult[]> {
  const { attacks, program, onResult, limitMs = LIMIT_MS } = options;
  const names = attacks.map(({ area, name }) => `${area}: ${name}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two attacks have one name: ${twice}`);
  const results: AttackResult[] = [];
  try {
    for (const attack of attacks) {
      const result = await tryOne(attack, program, limitMs);
      results.push(result);
      onResult?.(result);
    }
  } finally {
    await stopTargets();
    await stopJailServer();
  }
  return results;
}

async function tryOne(attack: Attack, program: string, limitMs: number): Promise<AttackResult> {
  const start = performance.now();
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-attack-')));
  const place = { folder: join(base, 'folder'), home: join(base, 'home'), program };
  mkdirSync(place.folder);
  mkdirSync(place.home);
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no end within ${limitMs / 1000} s`), limitMs);
  });
  // An attack that breaks was not tried, which must not look as if it had held.
  const tried = Promise.resolve()
    .then(() => attack.run(place))
    .catch((thrown: unknown) => `could not be tried: ${String(thrown)}`);
  const through = await Promise.race([tried, expired]);
  clearTimeout(timer);
  rmSync(base, { recursive: true, force: true });
  return { attack, through, ms: performance.now() - start };
}

/** A table per area: tried, held, through. */
export function renderAttacks(results: readonly AttackResult[]): string {
  const areas = [...new Set(results.map(({ attack }) => attack.area))];
  const rows = [...areas, undefined].map((area) => {
    const tried = results.filter(({ attack }) => area === undefined || attack.area === area);
    const through = tried.filter((result) => result.through !== undefined).length;
    return `| ${area ?? 'all'} | ${tried.length} | ${tried.length - through} | ${through} |`;
  });
  return ['| area | tried | held | through |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The first attack of each class: the short version of the campaign. */
export function firstOfEachClass(attacks: readonly Attack[]): readonly Attack[] {
  return attacks.filter((attack, at) => attacks.findIndex((one) => classOf(one) === classOf(attack)) === at);
}

export function classOf({ area, stands }: Attack): string {
  return `${area}: ${stands}`;
}
