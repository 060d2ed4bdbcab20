/** What the settings say about vectors, made ready. Nothing is loaded and no service is called before the first use. */
import type { Clock } from '../core/index.ts';
import { parseEndpoint, type EndpointSettings } from './endpoint.ts';
import { createHttpEncoder, type HttpEncoder, type HttpLimits } from './http-encoder.ts';
import { STATIC_MODEL_ID } from './static-encoder.ts';

export type EncoderChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'static'; readonly model: string }
  /** The static model makes vectors as well: they answer until the service's are there, and whenever it does not. */
  | { readonly kind: 'http'; readonly model: string; readonly remote: HttpEncoder };

export interface EncoderSettings extends EndpointSettings {
  readonly encoder: EncoderChoice['kind'];
  readonly encoderKey: string | undefined;
}

export interface ChooseParts {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits?: Partial<HttpLimits>;
}

/** Throws `bad_config` for a service that must not be called. */
export function chooseEncoder(settings: EncoderSettings, parts: ChooseParts): EncoderChoice {
  switch (settings.encoder) {
    case 'none':
      return { kind: 'none' };
    case 'static':
      return { kind: 'static', model: STATIC_MODEL_ID };
    case 'http': {
      const remote = createHttpEncoder({
        ...parts,
        endpoint: parseEndpoint(settings),
        key: settings.encoderKey,
      });
      return { kind: 'http', model: remote.model, remote };
    }
  }
}
