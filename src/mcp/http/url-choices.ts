/** What a URL chooses of a server's listing and answers: `?toolsets=`, `?structured=`. A bad choice is refused before anything runs. */
import { AppError, parseToolsets, toAppError } from '../../core/index.ts';
import { quoteForeign } from '../../text/index.ts';
import { isRecord, readableId } from './classify.ts';
import { errorReply, RPC, type Reply } from './reply.ts';

/** As written; what the URL does not name is left to the server's settings. */
export interface UrlChoices {
  readonly toolsets?: readonly string[];
  readonly structured?: string;
}

const TOOLSETS_PARAMETER = 'toolsets';
const STRUCTURED_PARAMETER = 'structured';

/** Only what depends on a choice is refused: a mistake in a URL must not keep a client from closing. */
const METHODS: readonly unknown[] = ['initialize', 'server/discover', 'tools/list', 'tools/call'];

export function readUrlChoices({ query }: { readonly query: URLSearchParams }): UrlChoices {
  const toolsets = query.getAll(TOOLSETS_PARAMETER).filter((text) => text.trim() !== '');
  const structured = query.get(STRUCTURED_PARAMETER)?.trim() ?? '';
  return {
    ...(toolsets.length === 0 ? {} : { toolsets }),
    ...(structured === '' ? {} : { structured }),
  };
}

/** `true` or `false`; undefined where nothing was chosen. */
export function parseStructured(written: string | undefined): boolean | undefined {
  if (written === undefined) return undefined;
  if (written === 'true' || written === 'false') return written === 'true';
  throw new AppError(
    'bad_argument',
    `\`${STRUCTURED_PARAMETER}\` is true or false, not ${quoteForeign(written)}.`,
    {
      hint: `Write ?${STRUCTURED_PARAMETER}=true, or leave it out.`,
    },
  );
}

export function refuseUrlChoices(choices: UrlChoices, body: unknown): Reply | undefined {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const first = messages.find((message) => isRecord(message) && METHODS.includes(message['method']));
  if (first === undefined) return undefined;
  try {
    if (choices.toolsets !== undefined) parseToolsets(choices.toolsets);
    parseStructured(choices.structured);
    return undefined;
  } catch (thrown) {
    const { message, hint = '' } = toAppError(thrown);
    return errorReply({
      status: 400,
      code: RPC.invalidParams,
      message: `${message} ${hint}`.trim(),
      id: readableId(first),
    });
  }
}
