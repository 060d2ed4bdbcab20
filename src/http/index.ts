/** The listener: everything between a socket and the protocol edge. */
export { checkBind, type BindFacts } from './bind.ts';
export { LOOPBACK_HOSTS, type GuardRules } from './guard.ts';
export { openListener, type Listener, type ListenerOptions } from './listener.ts';
export { createRateLimit, type RateLimit } from './rate-limit.ts';
export { hasToken, unauthorized } from './token.ts';
