/** A server with its page, and the link that it prints. */
import { serve, type RunOptions, type ServedWaymark } from './waymark.ts';

export interface ServedPage extends ServedWaymark {
  /** The first link, as it is printed. */
  readonly link: string;
}

/** `waymark serve --ui`, and the link that it prints. */
export async function servePage(args: readonly string[], options: RunOptions): Promise<ServedPage> {
  const served = await serve(['--ui', ...args], options);
  const [link] = await served.saw(/http:\S+#code=\S+/);
  return { ...served, link };
}
