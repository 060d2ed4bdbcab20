/** What is worth keeping of a session: what was asked, decided, touched, failed, mended and left open. No model is asked. */
import { redactSecrets } from '../text/index.ts';
import { answerIn } from './answers.ts';
import { bareCommand, commitMessageIn, errorIn, isLook, isSameCommand } from './commands.ts';
import { type Decision, decisionsIn, directionsIn, type Place } from './decisions.ts';
import { openEndsIn } from './open-ends.ts';
import type { Session, Step } from './session.ts';

type Ran = Extract<Step, { kind: 'ran' }>;

/** A command that failed and later succeeded. */
export interface Mended {
  readonly command: string;
  readonly error: string;
  /** Files that were edited in between. */
  readonly paths: readonly string[];
  /** Other commands that succeeded in between. */
  readonly commands: readonly string[];
  /** The last that the agent said before it held. */
  readonly said: string;
}

export interface SessionDigest {
  /** The first thing that was asked. */
  readonly asked: string;
  readonly decisions: readonly string[];
  /** What the agent said right before it edited something. */
  readonly reasons: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
  /** As the transcript names them, in the order they were first edited. */
  readonly paths: readonly string[];
  readonly mended: readonly Mended[];
  readonly failing: readonly { readonly command: string; readonly error: string }[];
  /** The last words of the agent, or the program's own summary. */
  readonly conclusion: string;
}

const MOST = { decisions: 15, reasons: 8, open: 12, done: 12, paths: 80, mended: 10, failing: 5 } as const;
const MOST_ASKED_CHARS = 400;
const MOST_CONCLUSION_CHARS = 1_500;
const MOST_SAID_CHARS = 500;
/** What is open is said towards the end: before that it was next, and was done. */
const LATE_SHARE = 0.6;
const LEAST_LATE = 4;

/** Undefined if there is nothing to remember: no file was touched, nothing was run, and hardly anything was said. */
export function digestSession(session: Session): SessionDigest | undefined {
  const steps = lastSteps(session.steps).map(cleanStep);
  const summary = session.summary === undefined ? undefined : clean(session.summary);
  const said = steps.filter((step) => step.kind === 'said');
  const agent = said.filter(({ by }) => by === 'agent');
  const first = said.find(({ by }) => by === 'user');
  const asked = first?.text ?? '';
  const paths = distinct(
    steps.flatMap((step) => (step.kind === 'edited' ? step.paths : [])),
    MOST.paths,
  );
  const ran = steps.filter((step) => step.kind === 'ran');
  // An agent that was stopped may have said nothing yet.
  if (paths.length === 0 && agent.length < (ran.length === 0 ? 2 : 1)) return undefined;
  const plan = steps.findLast((step) => step.kind === 'planned');
  const late = agent.slice(
    Math.min(Math.floor(agent.length * LATE_SHARE), Math.max(0, agent.length - LEAST_LATE)),
  );
  const conclusion = [summary, agent.at(-1)?.text].find((text) => text !== undefined && text !== '') ?? '';
  const failing = failingOf(ran);
  return {
    asked: asked.slice(0, MOST_ASKED_CHARS),
    decisions: best(decisionsOf(steps), MOST.decisions),
    reasons: distinct(reasonsOf(steps), MOST.reasons),
    done: distinct(plan?.done ?? [], MOST.done),
    open: distinct(
      [...(plan?.open ?? []), ...late.flatMap((step) => openEndsIn(step.text, endingOf(steps, step)))],
      MOST.open,
    ),
    paths,
    mended: mendedOf(steps).slice(-MOST.mended),
    failing: failing.slice(-MOST.failing),
    conclusion: conclusion.slice(0, MOST_CONCLUSION_CHARS),
  };
}

/** By who said it and when, and what was committed. */
function decisionsOf(steps: readonly Step[]): readonly Decision[] {
  const isSaid = (step: Step): boolean => step.kind === 'said';
  const first = steps.find((step) => step.kind === 'said' && step.by === 'user');
  return steps.flatMap((step, at) => {
    if (step.kind === 'ran') return step.failed === true ? [] : committedBy(step.command);
    if (step.kind === 'answered') return [{ text: `${step.question} ${step.answer}`, score: ANSWERED }];
    if (step.kind !== 'said') return [];
    if (step.by === 'user') {
      const before = steps.slice(0, at).findLast(isSaid);
      const answer =
        before?.kind === 'said' && before.by === 'agent' ? answerIn(before.text, step.text) : undefined;
      if (answer !== undefined) return [answer];
      return step === first ? decisionsIn(step.text) : directionsIn(step.text);
    }
    return decisionsIn(step.text, placeOf(steps, at));
  });
}

/** The last that an agent says closes the session, whatever it has come to. */
function endingOf(steps: readonly Step[], step: Step): 'closing' | 'elsewhere' {
  const at = steps.indexOf(step);
  const isLast = !steps.slice(at + 1).some((later) => later.kind === 'said' && later.by === 'agent');
  return isLast || placeOf(steps, at) === 'closing' ? 'closing' : 'elsewhere';
}

function placeOf(steps: readonly Step[], at: number): Place {
  const next = steps.slice(at + 1).find(({ kind }) => kind === 'said' || kind === 'edited');
  if (next?.kind === 'edited') return 'reason';
  const isLast = next === undefined || (next.kind === 'said' && next.by === 'user');
  const hasEdited = steps.slice(0, at).some(({ kind }) => kind === 'edited');
  return isLast && hasEdited ? 'closing' : 'elsewhere';
}

const ANSWERED = 4;
const COMMITTED = 2.5;

function committedBy(command: string): readonly Decision[] {
  const message = commitMessageIn(command);
  if (message === undefined) return [];
  return [{ text: message.subject, score: COMMITTED }, ...decisionsIn(message.body, 'commit')];
}

/** The best of them, in the order they were made. The later of two that say the same. */
function best(decisions: readonly Decision[], most: number): readonly string[] {
  const ranked = decisions.map((decision, at) => ({ ...decision, at }));
  const kept = new Map(ranked.map((one) => [sameAs(one.text), one]));
  return [...kept.values()]
    .toSorted((one, other) => other.score - one.score || other.at - one.at)
    .slice(0, most)
    .toSorted((one, other) => one.at - other.at)
    .map(({ text }) => text);
}

/** Each failure is compared with each later command. */
const MOST_RAN = 600;

/** All of a session, but only the last of very many commands. */
function lastSteps(steps: readonly Step[]): readonly Step[] {
  let left = steps.filter(({ kind }) => kind === 'ran').length;
  return left <= MOST_RAN ? steps : steps.filter(({ kind }) => kind !== 'ran' || left-- <= MOST_RAN);
}

/** Before anything is cut: half of a secret is not recognised. The gate in front of the memory looks at all of it again. */
function cleanStep(step: Step): Step {
  if (step.kind === 'said') return { ...step, text: clean(step.text) };
  if (step.kind === 'answered')
    return { ...step, question: clean(step.question), answer: clean(step.answer) };
  if (step.kind === 'planned') return { ...step, open: step.open.map(clean), done: step.done.map(clean) };
  if (step.kind !== 'ran') return step;
  // Only what a failure says is read.
  const output = step.failed === true ? clean(lastLines(step.output)) : '';
  return { ...step, command: clean(step.command), output };
}

function clean(text: string): string {
  return redactSecrets(text).text;
}

const MOST_OUTPUT_CHARS = 200_000;

function lastLines(output: string): string {
  if (output.length <= MOST_OUTPUT_CHARS) return output;
  const end = output.slice(-MOST_OUTPUT_CHARS);
  return end.slice(end.indexOf('\n') + 1);
}

function distinct(texts: readonly string[], most: number): readonly string[] {
  const found = new Map(texts.map((text) => [sameAs(text), text]));
  // The latest of them: what was decided first may have been decided again.
  return [...found.values()].slice(-most);
}

function sameAs(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, ' ').trim() || text;
}

function mendedOf(steps: readonly Step[]): readonly Mended[] {
  const mended: Mended[] = [];
  const counted = new Set<number>();
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'ran' || step.failed !== true || isLook(step.command) || counted.has(at)) continue;
    const until = steps.findIndex(
      (later, index) =>
        index > at &&
        later.kind === 'ran' &&
        later.failed === false &&
        isSameCommand(step.command, later.command),
    );
    if (until === -1) continue;
    const between = steps.slice(at + 1, until);
    // Failures of the same command on the way belong to this one.
    for (const [index, other] of steps.entries())
      if (index > at && index < until && other.kind === 'ran' && isSameCommand(step.command, other.command))
        counted.add(index);
    const last = between.findLast(
      (other) => other.kind === 'ran' && other.failed === true && isSameCommand(step.command, other.command),
    );
    const error = errorIn(step.output) || (last?.kind === 'ran' ? errorIn(last.output) : '');
    if (error === '') continue;
    mended.push({
      command: bareCommand(step.command),
      error,
      paths: distinct(
        between.flatMap((other) => (other.kind === 'edited' ? other.paths : [])),
        MOST.paths,
      ),
      commands: distinct(
        between.flatMap((other) =>
          other.kind === 'ran' &&
          other.failed !== true &&
          !isLook(other.command) &&
          !isSameCommand(step.command, other.command)
            ? [bareCommand(other.command)]
            : [],
        ),
        MOST.failing,
      ),
      said: lastSaid(between).slice(0, MOST_SAID_CHARS),
    });
  }
  return mended;
}

const MOST_REASON_CHARS = 240;

function reasonsOf(steps: readonly Step[]): readonly string[] {
  let said = '';
  return steps.flatMap((step) => {
    if (step.kind === 'said' && step.by === 'agent') said = step.text;
    if (step.kind !== 'edited' || said === '') return [];
    const reason = said.replaceAll(/\s+/g, ' ').slice(0, MOST_REASON_CHARS);
    said = '';
    return [reason];
  });
}

function lastSaid(steps: readonly Step[]): string {
  const found = steps.findLast((step) => step.kind === 'said' && step.by === 'agent');
  return found?.kind === 'said' ? found.text : '';
}

/** Commands whose last run failed. */
function failingOf(ran: readonly Ran[]): SessionDigest['failing'] {
  return ran.flatMap(({ command, output, failed }, at) => {
    if (failed !== true || isLook(command)) return [];
    const later = ran.slice(at + 1).some((other) => isSameCommand(command, other.command));
    return later ? [] : [{ command: bareCommand(command), error: errorIn(output) }];
  });
}
