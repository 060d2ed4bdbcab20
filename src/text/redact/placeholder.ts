/** Values that stand where a secret would stand, in examples, templates and code: not secrets, and useful to find. */
import { createPlainFinder } from '../../kernel/index.ts';
import { once } from '../../core/index.ts';

/** A reference that is filled in elsewhere: `${VAR}`, `{{ x }}`, `%(x)s`, `<TOKEN>`, `$VAR`, `[redacted:…]`, `#{x}`. */
const REFERENCE = /^[$%<{[(#@&*]|\$\{|\{\{|\$\(|<[^<>]{1,60}>|%[({]|#\{/;

/** Typed to fill a shape: an example by its word, a row of one character, counted up. */
const FILLERS = (
  'example placeholder your changeme redacted xxxxx **** .... 00000000 aaaaaaaa abcdefgh ' +
  '12345678 01234567 23456789 87654321 98765432 qwertyui deadbeef cafebabe '
)
  .trim()
  .split(' ');
/** Words that no generator of secrets writes. Their chance in 40 random characters is below one in ten thousand. */
const SPEAKING = (
  'sample change_ change- changet dummy fake mock insert replace hidden secret passw token ' +
  'api_key apikey api-key accesskey access_key access-key todo fixme undefined foobar foo_bar ' +
  'foo-bar test demo default lorem process.env getenv environ credential '
)
  .trim()
  .split(' ');
// Values are short: nothing is gained by WebAssembly, and each finder would have a memory of its own.
const fillers = once(() => createPlainFinder(FILLERS));
const speaking = once(() => createPlainFinder([...FILLERS, ...SPEAKING]));

/** Whether a value is filled in elsewhere. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** Whether a value beside a telling name is no secret. */
export function isPlaceholder(value: string): boolean {
  return isReference(value) || speaking().finds(value) || isOneCharacter(value);
}

/** Whether text with the shape of a token was typed to fill the shape. */
export function isFilled(value: string): boolean {
  return fillers().finds(value) || isOneCharacter(value);
}

function isOneCharacter(value: string): boolean {
  return value === (value[0] ?? '').repeat(value.length);
}
