/** The listener: everything between a socket and the edges. */
export { createRateLimit, hasToken, LOOPBACK_HOSTS, type AccessRules, type RateLimit } from './access.ts';
export { checkBind, checkHosts, checkOrigins, checkToken, type BindFacts } from './start-checks.ts';
export { openListener, type Listener, type ListenerOptions } from './listener.ts';
