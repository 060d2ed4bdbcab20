/** What runs in a parser child: takes one file at a time and answers what is in it. It reads nothing but the grammars. */
import { openParentPort, type ParentPort } from '../platform/index.ts';
import { parseCommand, type ChildAnswer } from './messages.ts';
import { createSyntax, type Read, type Syntax } from './syntax.ts';

const OUT_OF_MEMORY = /out of memory|memory access out of bounds|OOM|Array buffer allocation failed/i;

/** For the child's main module only. */
export async function runParserProcess(
  folder: string,
  wrap: (syntax: Syntax) => Syntax = (syntax) => syntax,
): Promise<void> {
  const port = openParentPort();
  const syntax = wrap(await createSyntax(folder));
  port.onMessage((message) => {
    const command = parseCommand(message);
    if (command === undefined) return;
    syntax.read(command.language, command.text, command.only).then(
      (read) => answer(port, toAnswer(command.id, read)),
      (thrown: unknown) => giveUp(port, command.id, thrown),
    );
  });
  answer(port, { kind: 'ready' });
}

function answer(port: ParentPort, message: ChildAnswer): void {
  port.send(message);
}

function toAnswer(id: number, read: Read): ChildAnswer {
  return 'failure' in read
    ? { kind: 'failed', id, failure: read.failure }
    : { kind: 'found', id, found: read };
}

/** A grammar that trapped has left its memory in an unknown state: nobody must parse with it again. */
function giveUp(port: ParentPort, id: number, thrown: unknown): void {
  const failure = OUT_OF_MEMORY.test(String(thrown)) ? 'out of memory' : 'crashed';
  port.sendAndEnd({ kind: 'failed', id, failure } satisfies ChildAnswer);
}
