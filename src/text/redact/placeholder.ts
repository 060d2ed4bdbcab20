/** Values that stand where a secret would stand, in examples, templates and code: not secrets, and useful to find. */

/** A reference that is filled in elsewhere: `${VAR}`, `{{ x }}`, `%(x)s`, `<TOKEN>`, `$VAR`, `[redacted:…]`, `#{x}`. */
const REFERENCE = /^[$%<{[(#@&*]|\$\{|\{\{|\$\(|<[^<>]{1,60}>|%[({]|#\{|\[redacted|\[hidden/i;
/** Words that no generator of secrets writes. Their chance in 40 random characters is below one in ten thousand. */
const SPEAKING =
  /example|sample|placeholder|change[-_ ]?(?:me|this|it)|your|dummy|fake|mock|insert|replace|redacted|hidden|secret|passw|token|api[-_]?key|access[-_]?key|todo|fixme|undefined|foobar|foo[-_]?bar|test|demo|default|lorem|process\.env|getenv|environ|credential/i;
const SEQUENCES = [
  'abcdefgh',
  '12345678',
  '01234567',
  '23456789',
  '87654321',
  'qwertyui',
  'deadbeef',
  'cafebabe',
];
/** `xxxxxxxx`, `********`, `........`, `00000000`: eight of one kind in a row, or all of one kind. */
const REPEATED = /(.)\1{7}|^(.)\2*$/;

export function isPlaceholder(value: string): boolean {
  return REFERENCE.test(value) || SPEAKING.test(value) || isFilled(value);
}

/** Whether text with the shape of a token was typed to fill the shape: repeated, counted up, or an example by its word. */
export function isFilled(value: string): boolean {
  const lower = value.toLowerCase();
  return (
    REPEATED.test(lower) ||
    /example|placeholder|your|changeme|redacted|xxxxx|\*\*\*|\.\.\./.test(lower) ||
    SEQUENCES.some((sequence) => lower.includes(sequence))
  );
}
