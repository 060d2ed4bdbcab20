/** What runs in a parser child: reads one file at a time and answers what is in it. It reads nothing but the grammars. */
import { openParentPort, optimiseLate, optimiseNoMoreWasm, ownMemoryMb } from '../../platform/index.ts';
import { parseCommand, type ChildAnswer, type ParseCommand, type SentAnswer } from './messages.ts';
import { createSyntax, type Read, type Syntax } from './load-grammars.ts';

const OUT_OF_MEMORY = /out of memory|memory access out of bounds|OOM|Array buffer allocation failed/i;

/** For the child's main module only. */
export async function runParserProcess(
  folder: string,
  wrap: (syntax: Syntax) => Syntax = (syntax) => syntax,
): Promise<void> {
  optimiseLate();
  const port = openParentPort();
  const syntax = wrap(await createSyntax(folder));
  // The runtime is optimised while it works, a quarter less time for everything; grammars never are.
  optimiseNoMoreWasm();
  // One at a time, and the next only after the last answer was sent: a child that dies loses one answer at most.
  let last: Promise<unknown> = Promise.resolve();
  port.onMessage((message) => {
    const command = parseCommand(message);
    if (command === undefined) return;
    last = last.then(async () => {
      const answer = await answerTo(command, syntax);
      await (answer.isLast ? port.sendAndEnd(answer.message) : port.send(answer.message));
    });
  });
  await port.send({ kind: 'ready' } satisfies ChildAnswer);
}

async function answerTo(
  { id, language, text }: ParseCommand,
  syntax: Syntax,
): Promise<{ readonly message: SentAnswer; readonly isLast?: true }> {
  try {
    return { message: toAnswer(id, await syntax.read(language, text)) };
  } catch (thrown) {
    // A grammar that trapped leaves its memory in an unknown state, so this child must not parse again.
    const failure = OUT_OF_MEMORY.test(String(thrown)) ? 'out of memory' : 'crashed';
    return { message: { kind: 'failed', id, failure }, isLast: true };
  }
}

function toAnswer(id: number, read: Read): SentAnswer {
  if ('failure' in read) return { kind: 'failed', id, failure: read.failure };
  const { facts, ...found } = read;
  // Messages are JSON: the parent reads the bytes back from their text.
  const sent = facts === undefined ? found : { ...found, facts: Buffer.from(facts).toString('base64') };
  return { kind: 'found', id, found: sent, rssMb: ownMemoryMb() };
}
