/** Which service makes vectors, and with which model; and the name under which its vectors are stored. Pure. */
import { AppError } from '../core/index.ts';
import { isLoopback } from '../text/index.ts';

export type EncoderApi = 'openai' | 'ollama';

export interface Endpoint {
  readonly api: EncoderApi;
  /** Without a slash at its end. */
  readonly url: string;
  readonly model: string;
  /** Undefined: as many as the model gives. */
  readonly dimensions: number | undefined;
}

/** The slice of the settings. */
export interface EndpointSettings {
  readonly encoderUrl: string | undefined;
  readonly encoderModel: string | undefined;
  readonly encoderApi: EncoderApi;
  readonly encoderDimensions: number;
}

/** Counted up whenever the same text would give other vectors in the index. */
const VERSION = 1;

export function parseEndpoint(settings: EndpointSettings): Endpoint {
  const { encoderUrl, encoderModel, encoderApi, encoderDimensions } = settings;
  const missing = [
    ...(encoderUrl === undefined ? ['encoderUrl'] : []),
    ...(encoderModel === undefined ? ['encoderModel'] : []),
  ];
  if (encoderUrl === undefined || encoderModel === undefined)
    throw wrong(`The HTTP encoder needs ${missing.join(' and ')}.`, 'Set it, or leave `encoder` out.');
  // The stored name has blanks between its parts.
  if (/\s/.test(encoderModel))
    throw wrong('encoderModel has a blank in it.', 'Give the name as the service lists it.');
  return {
    api: encoderApi,
    url: parseServiceUrl(encoderUrl, { setting: 'encoderUrl', keyVariable: 'WAYMARK_ENCODER_KEY' }),
    model: encoderModel,
    dimensions: encoderDimensions === 0 ? undefined : encoderDimensions,
  };
}

/** An address that code may be sent to. Throws `bad_config`, by the name of its setting, for any other. */
export function parseServiceUrl(
  text: string,
  { setting, keyVariable }: { readonly setting: string; readonly keyVariable: string },
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(host));
  if (url === undefined || !isSafe)
    throw wrong(
      `${setting} is neither an https address nor an http address of this machine.`,
      'Code is never sent in the clear: use https://…, or http://127.0.0.1:… for a service that runs here.',
    );
  // It is shown, logged and stored.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrong(
      `${setting} holds more than an address: a user, a password, a query or a fragment.`,
      `Put the key into ${keyVariable}, and give the address alone.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Vectors are compared only with vectors of the same id. */
export function modelId({ api, url, model, dimensions }: Endpoint): string {
  return [
    'http',
    String(VERSION),
    api,
    url,
    model,
    ...(dimensions === undefined ? [] : [String(dimensions)]),
  ].join(' ');
}

/** The endpoint behind an id, if it is the same service with another model: that may still answer. */
export function earlierEndpoint(id: string, { api, url }: Endpoint): Endpoint | undefined {
  const [kind, version, oldApi, oldUrl, model, dimensions] = id.split(' ');
  const isSame = kind === 'http' && version === String(VERSION) && oldApi === api && oldUrl === url;
  if (!isSame || model === undefined) return undefined;
  return { api, url, model, dimensions: dimensions === undefined ? undefined : Number(dimensions) };
}

function wrong(message: string, hint: string): AppError {
  return new AppError('bad_config', message, { hint });
}
