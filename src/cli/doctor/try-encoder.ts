/** Whether what makes vectors does so, and how far it is with the project. A service is asked for one word. */
import type { CommandContext } from '../command.ts';

interface TriedEncoder {
  readonly works: boolean;
  readonly seen: string;
}

export async function tryEncoder(root: string | undefined, context: CommandContext): Promise<TriedEncoder> {
  const { encoder, indexing } = await context.services();
  const { renderEncoder } = await import('../../tools/index.ts');
  const isIndexed = root !== undefined && indexing.state(root).state === 'indexed';
  const known = isIndexed ? await indexing.encoder(root) : undefined;
  const seen = known === undefined ? `vectors: ${encoder.kind}` : renderEncoder(known);
  if (encoder.kind !== 'http') return { works: true, seen };
  const { remote } = encoder;
  const asked = await remote.ask('waymark');
  if (asked.kind === 'vector') return { works: true, seen: `${seen}; ${remote.model} answers` };
  return { works: false, seen: `${seen}; ${remote.model} at ${remote.url} ${asked.why}` };
}
