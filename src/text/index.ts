/** Pure text work that several rooms need: escaping, hiding secrets, log lines, near words. */
export { escapeControl, escapeControlKeepingLines } from './escape-control.ts';
export { HIDDEN, hideSecrets, isSecretName } from './hide-secrets.ts';
export { createLogger, silentLogger, type LoggerOptions } from './logger.ts';
export { editDistance, nearest } from './nearest.ts';
export { stem } from './stem.ts';
export { splitIdentifier, tokenize } from './tokens.ts';
