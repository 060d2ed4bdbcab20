/** `/metrics`: for a token that may do everything, or where no token is asked for, which is on this machine alone. Figures are of all tenants: they are for none of them. */
import {
  invalidRequest,
  methodNotAllowed,
  refuseContent,
  refuseScopes,
  type Edge,
  type Exchange,
  type Reply,
} from '../transport/index.ts';
import type { Metrics } from './metrics.ts';

const PATH = '/metrics';

export function createMetricsEdge({ render }: Pick<Metrics, 'render'>): Edge {
  return {
    serves: (path) => path === PATH,
    handle: (exchange) => answer(exchange),
    close: async () => {},
  };

  async function answer(exchange: Exchange): Promise<Reply> {
    if (exchange.method !== 'GET') return methodNotAllowed('GET');
    const refused =
      refuseContent(exchange) ??
      refuseScopes(exchange.principal, { needed: ['admin'], metadataUrl: undefined });
    if (refused !== undefined) return refused;
    if (exchange.principal.tenant !== undefined)
      return invalidRequest(403, 'Figures of this server are for those who run it.');
    const headers = {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    };
    return { kind: 'whole', status: 200, headers, body: await render() };
  }
}
