/** Pure text work that several rooms need: escaping, hiding secrets, log lines, near words. */
export { escapeControl, escapeControlKeepingLines } from './escape-control.ts';
export { HIDDEN, hideSecrets, isSecretName } from './hide-secrets.ts';
export { createLogger, silentLogger, type LoggerOptions } from './logger.ts';
export { redactSecrets, type FoundSecret, type Redaction } from './redact/redact-secrets.ts';
export { editDistance, nearest } from './nearest.ts';
