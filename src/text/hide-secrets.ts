/**
 * Hides what looks like a credential in text that is about to be logged. Only shapes that are secrets by their form:
 * whoever logs a value under a telling name (`token`, `authorization`) has it hidden by the logger as a whole.
 */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w.~+/-]{8,}=*/gi,
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|npm|pypi|hf|wmk)[-_][\w-]{12,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s/@]+@/gi;
const TELLING_PAIR =
  /\b([\w-]*(?:token|secret|passwd|password|api[-_]?key|authorization|cookie)[\w-]*\s*[=:]\s*)("?)[^\s"&,;]+\2/gi;

const TELLING_NAME = /(?:token|secret|passw|api[-_]?key|authorization|cookie|credential)/i;

export const HIDDEN = '[hidden]';

export function hideSecrets(text: string): string {
  // Whole shapes first: `Authorization: Bearer x` must not end as a hidden `Bearer` beside a bare `x`.
  const safe = SECRET_SHAPES.reduce((soFar, shape) => soFar.replace(shape, HIDDEN), text);
  return safe.replace(URL_PASSWORD, `$1:${HIDDEN}@`).replace(TELLING_PAIR, `$1${HIDDEN}`);
}

/** Whether a field's name alone says that its value must not be shown. Counts (`tokens`, `maxTokens`) are no secrets. */
export function isSecretName(name: string): boolean {
  return TELLING_NAME.test(name) && !/tokens$/i.test(name);
}
