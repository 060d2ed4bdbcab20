/** Recorded sessions, as every client writes them down, with what should be kept of them and what the next session asks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  digestSession,
  readSession,
  toCheckpointText,
  toFixText,
  TRANSCRIPT_FORMATS,
} from '../../src/capture/index.ts';
import { saveCapture } from '../../src/memory/index.ts';
import { openPlainMemory, ROOT } from '../../test/support/plain-memory.ts';
import { transcriptOf, type Happened } from '../../test/support/transcripts.ts';

/** What should be kept of a session. */
interface Labelled {
  readonly files: readonly string[];
  readonly error: string;
  /** Each is the part of a sentence that says it. */
  readonly decisions: readonly string[];
  readonly open: readonly string[];
  readonly question: string;
}

interface Recorded extends Labelled {
  readonly asked: string;
  readonly command: string;
  readonly cause: string;
}

interface FreeForm extends Labelled {
  readonly steps: readonly Happened[];
}

const GOALS = { files: 0.95, mended: 0.95, decisions: 0.6, open: 0.6, recall: 0.9 } as const;
const KINDS = ['checkpoint', 'remediation', 'skill', 'fact', 'guide'] as const;
const FIRST = 3;
const SECRETS = 200;

/** The first decides, the others are shown: they were written in other styles, before or without any rule for them. */
const SETS = {
  'recorded.jsonl': 'recorded sessions',
  'held-out.jsonl': 'sessions in another style, held out',
  'free-form.jsonl': 'sessions told step by step',
  'free-form-held-out.jsonl': 'sessions told step by step, held out',
  'free-form-others.jsonl': 'sessions of other people and agents',
  'free-form-others-held-out.jsonl': 'sessions of other people and agents, held out',
} as const;
type SetName = keyof typeof SETS;

function readLines<Line>(name: SetName): readonly Line[] {
  const text = readFileSync(join(process.cwd(), 'bench', 'sessions', name), 'utf8').trim();
  // Our own committed lines.
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

export function readRecorded(): readonly Recorded[] {
  return readLines('recorded.jsonl');
}

function stepsOf(session: Recorded | FreeForm, secrets: readonly string[]): readonly Happened[] {
  return 'steps' in session ? withSecrets(session.steps, secrets) : happenedIn(session, secrets);
}

/** Said, and printed. */
function withSecrets(steps: readonly Happened[], secrets: readonly string[]): readonly Happened[] {
  return steps.map((step, at) => {
    const secret = secrets[at % Math.max(1, secrets.length)] ?? '';
    if ('agent' in step) return { agent: `${step.agent}\n\n${secret}` };
    return 'run' in step ? { ...step, output: `${step.output}\n${secret}` } : step;
  });
}

/** With what else happens in a session: looks, chatter, and commands that fail because they look for something. */
export function happenedIn(session: Recorded, secrets: readonly string[] = []): readonly Happened[] {
  const { asked, files, command, error, cause, decisions, open } = session;
  const [first = '', second = ''] = secrets;
  return [
    { user: `${asked}. Take a look first, then tell me what you make of it.` },
    { agent: `Let me read the code around ${files[0] ?? 'it'} before I touch anything.` },
    { run: `grep -rn "${files[0] ?? ''}" .`, output: '', code: 1 },
    { run: `git status --short`, output: ' M README.md', code: 0 },
    { agent: `I have seen enough. ${decisions[0] ?? ''} The rest follows from that.` },
    { edit: files[0] ?? '' },
    { run: command, output: `> run\n\n${error}\n    at somewhere (lib/x:1:1)\n${first}`, code: 1 },
    { agent: `That is the reason: ${cause}` },
    ...files.slice(1).map((edit) => ({ edit })),
    { run: `cat ${files[0] ?? ''}`, output: `export const x = 1; ${second}`, code: 0 },
    { run: command, output: 'all good', code: 0 },
    { user: decisions[1] ?? 'Fine.' },
    { agent: `Understood, that is in. Thanks for the hint. ${first}` },
    { agent: `It works now: the run is green and the change is small.\n\n${closingOf(open, asked)}` },
  ];
}

/** Half of all agents head what they leave open, the others just say it. */
const LEADS = [
  'Still to do:',
  'Not part of this change:',
  '## Follow-ups',
  'Left for later:',
  '**Open points**',
];

function closingOf(open: readonly string[], asked: string): string {
  const lead = asked.length % 2 === 0 ? LEADS[asked.length % LEADS.length] : undefined;
  return lead === undefined ? open.join(' ') : `${lead}\n- ${open.join('\n- ')}`;
}

export async function measureSessions(folder: string, listMisses: boolean): Promise<boolean> {
  await measureSet(folder, 'free-form-others-held-out.jsonl', listMisses);
  await measureSet(folder, 'free-form-others.jsonl', listMisses);
  await measureSet(folder, 'free-form-held-out.jsonl', listMisses);
  await measureSet(folder, 'free-form.jsonl', listMisses);
  await measureSet(folder, 'held-out.jsonl', listMisses);
  return measureSet(folder, 'recorded.jsonl', listMisses);
}

async function measureSet(folder: string, set: SetName, listMisses: boolean): Promise<boolean> {
  const sessions = readLines<Recorded | FreeForm>(set);
  const secrets = Array.from(
    { length: SECRETS },
    (_, at) => `${['gh', 'p_'].join('')}aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG${String(at).padStart(4, '0')}`,
  );
  const memory = openPlainMemory(join(folder, set));
  const counts = { files: 0, mended: 0, decisions: 0, open: 0, recall: 0 };
  const of = { files: 0, mended: 0, decisions: 0, open: 0, recall: sessions.length };
  const ids: (readonly string[])[] = [];
  const miss = (what: string, text: string): void => {
    if (listMisses) process.stdout.write(`missed (${what}) ${text}\n`);
  };
  let leaked = 0;
  let told = 0;
  const lines = { decisions: 0, open: 0 };
  for (const [at, session] of sessions.entries()) {
    const format = TRANSCRIPT_FORMATS[at % TRANSCRIPT_FORMATS.length] ?? 'codex';
    const planted = secrets.filter((_, index) => index % sessions.length === at);
    const digest = digestSession(
      readSession(format, transcriptOf(format, stepsOf(session, planted), '/plain')),
    );
    if (digest === undefined) throw new Error(`nothing was read of session ${at}`);
    const text = toCheckpointText(digest).replaceAll('/plain/', '');
    const { checkpoint, fixes } = await saveCapture(
      memory,
      ROOT,
      { origin: 'captured', client: format, tool: 'hook' },
      {
        session: `s${at}`,
        name: digest.asked.slice(0, 80),
        text,
        files: digest.paths,
        readAt: at,
        fixes: digest.mended.map((one) => ({ error: one.error, solution: toFixText(one), files: one.paths })),
      },
    );
    ids.push([checkpoint, ...fixes].flatMap((entry) => entry?.id ?? []));
    const kept = checkpoint?.content ?? '';
    leaked += planted.filter((secret) => JSON.stringify({ checkpoint, fixes }).includes(secret)).length;
    for (const [what, wanted] of [
      ['files', session.files],
      ['decisions', session.decisions],
      ['open', session.open],
    ] as const)
      for (const one of wanted) {
        of[what] += 1;
        if (sectionOf(kept, what).includes(one)) counts[what] += 1;
        else miss(what, one);
      }
    for (const what of ['decisions', 'open'] as const)
      lines[what] += sectionOf(kept, what).split('\n- ').length - 1;
    told += session.decisions.filter((one) => kept.includes(one)).length;
    of.mended += 1;
    if (fixes.some(({ fields }) => (fields['error'] ?? '').includes(session.error))) counts.mended += 1;
    else miss('mended', session.error);
  }
  for (const [at, { question }] of sessions.entries()) {
    const { hits } = await memory.recall(ROOT, { text: question, kinds: KINDS, limit: FIRST });
    if (hits.some(({ entry }) => ids[at]?.includes(entry.id))) counts.recall += 1;
    else miss('recall', question);
  }
  await memory.close();
  process.stdout.write(`\n| ${sessions.length} ${SETS[set]} | kept | goal | |\n|---|---|---|---|\n`);
  let isMet = leaked === 0;
  for (const what of ['files', 'mended', 'decisions', 'open', 'recall'] as const) {
    const share = counts[what] / of[what];
    isMet &&= share >= GOALS[what];
    process.stdout.write(
      `| ${NAMES[what]} | ${share.toFixed(2)} (${counts[what]} of ${of[what]}) | ${GOALS[what]} | ${share >= GOALS[what] ? 'met' : 'missed'} |\n`,
    );
  }
  process.stdout.write(
    `| decisions anywhere in the checkpoint | ${(told / of.decisions).toFixed(2)} (${told} of ${of.decisions}) | | |\n`,
  );
  for (const what of ['decisions', 'open'] as const)
    process.stdout.write(
      `| lines kept as ${NAMES[what]}, for each that is labelled | ${(lines[what] / of[what]).toFixed(2)} (${lines[what]}) | | |\n`,
    );
  process.stdout.write(
    `| secrets of ${SECRETS} that were stored | ${leaked} | 0 | ${leaked === 0 ? 'met' : 'missed'} |\n`,
  );
  return isMet;
}

const NAMES = {
  files: 'files touched',
  mended: 'commands that failed and were mended',
  decisions: 'decisions',
  open: 'open ends',
  recall: "the next session's first question, recall@3",
} as const;
const TITLES = { files: 'Files', decisions: 'Decided', open: 'Open' } as const;

/** In its own section: an open end among the last words alone does not count. */
function sectionOf(text: string, what: keyof typeof TITLES): string {
  const start = text.indexOf(`## ${TITLES[what]}\n`);
  if (start === -1) return '';
  const end = text.indexOf('\n## ', start + 1);
  return text.slice(start, end === -1 ? undefined : end);
}
