/** Values that stand where a secret would stand, in examples, templates and code: not secrets, and useful to find. */
import { createPlainFinder } from '../../kernel/index.ts';
import { once } from '../../core/index.ts';

/** A reference that is filled in elsewhere: `${VAR}`, `{{ x }}`, `%(x)s`, `<TOKEN>`, `$VAR`, `[redacted:…]`, `#{x}`. */
const REFERENCE = /^[$%<{[(#@&*]|\$\{|\{\{|\$\(|<[^<>]{1,60}>|%[({]|#\{/;

/** Typed to fill a shape: an example by its word, a row of one character, counted up. */
const FILLERS = (
  'example placeholder changeme redacted xxxxx **** .... 00000000 aaaaaaaa abcdefgh ' +
  '12345678 01234567 23456789 87654321 98765432 qwertyui deadbeef cafebabe '
)
  .trim()
  .split(' ');
/** Short enough to come about by chance, so it has to stand as a word does. */
const YOUR = /(?<![A-Za-z0-9])(?:[yY]our(?=[^A-Za-z0-9]|[A-Z]|[a-z]{3}|$)|YOUR(?=[^A-Za-z0-9]|[A-Z]{3}|$))/;
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

/** In a longer value short words come about by chance. */
const MOST_SPOKEN = 120;

/** Whether a value is filled in elsewhere. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** Whether a value beside a telling name is no secret. */
export function isPlaceholder(value: string): boolean {
  const words = value.length > MOST_SPOKEN ? fillers() : speaking();
  return isReference(value) || words.finds(value) || YOUR.test(value) || isOneCharacter(value);
}

/** Whether text with the shape of a token was typed to fill the shape. */
export function isFilled(value: string): boolean {
  return fillers().finds(value) || YOUR.test(value) || isOneCharacter(value);
}

function isOneCharacter(value: string): boolean {
  return value === (value[0] ?? '').repeat(value.length);
}
