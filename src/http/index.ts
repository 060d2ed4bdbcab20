/** The listener: everything between a socket and the edges. */
export {
  checkBind,
  createRateLimit,
  hasToken,
  LOOPBACK_HOSTS,
  unauthorized,
  type AccessRules,
  type BindFacts,
  type RateLimit,
} from './access.ts';
export { openListener, type Listener, type ListenerOptions } from './listener.ts';
