import { expect, test } from 'vitest';
import { secretVectors, type SecretVector } from '../../../test/support/secret-vectors.ts';
import { ORDINARY_LINES } from '../../../test/support/ordinary-lines.ts';
import { redactSecrets } from './redact-secrets.ts';

const VECTORS = secretVectors(12, 1);

/** Every line of the secret is gone. */
function isGone(vector: SecretVector, text: string): boolean {
  return vector.secret.split('\n').every((line) => !text.includes(line));
}

function recallByKind(vectors: readonly SecretVector[]): Readonly<Record<string, number>> {
  const kinds = [...new Set(vectors.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const ofKind = vectors.filter((vector) => vector.kind === kind);
      return [kind, ofKind.filter((one) => isGone(one, redactSecrets(one.text).text)).length / ofKind.length];
    }),
  );
}

test('takes at least 95 % of the secrets of more than 60 kinds out, and most of every kind', () => {
  const recall = recallByKind(VECTORS);
  const missed = Object.entries(recall).filter(([, share]) => share < 0.8);
  const gone = VECTORS.filter((vector) => isGone(vector, redactSecrets(vector.text).text));

  expect(Object.keys(recall).length).toBeGreaterThanOrEqual(100);
  expect(missed).toEqual([]);
  expect(gone.length / VECTORS.length).toBeGreaterThanOrEqual(0.99);
});

test.each([
  ['postgres://shop:hunter2secret@db.prod.internal/x', 'hunter2secret'],
  ['mysql://web:demoGraph41x@db:3306/shop', 'demoGraph41x'],
  ['amqp://svc:tokenizer-9fKq2w@mq', 'tokenizer-9fKq2w'],
])('a password in an address is one although it holds a word of examples: %s', (text, password) => {
  expect(redactSecrets(text).text).not.toContain(password);
});

test.each([
  'postgres://user:mysecretpassword@localhost/db',
  'postgres://app:test-db-password-2024@localhost/db',
  'redis://default:your-password-here@localhost:6379',
  'mysql://root:${DB_SECRET_PASSWORD}@db/shop',
  'mongodb://admin:changeme123@localhost',
])('an example in an address stays: %s', (text) => {
  expect(redactSecrets(text).text).toBe(text);
});

test('leaves ordinary code and configuration alone', () => {
  const touched = ORDINARY_LINES.filter((line) => redactSecrets(line).text !== line);

  expect(ORDINARY_LINES.length).toBeGreaterThanOrEqual(100);
  expect(touched).toEqual([]);
});

test('leaves the same lines alone when they stand together', () => {
  const text = ORDINARY_LINES.join('\n');

  expect(redactSecrets(text).text).toBe(text);
});

test('keeps the number of lines, whatever the line breaks', () => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const text = VECTORS.map((vector) => vector.text)
      .join('\n')
      .replaceAll('\n', lineBreak);

    expect(redactSecrets(text).text.split(lineBreak).length).toBe(text.split(lineBreak).length);
  }
});

test('finds nothing more in what it has redacted', () => {
  const once = VECTORS.map((vector) => redactSecrets(vector.text).text).join('\n');

  expect(redactSecrets(once)).toEqual({ text: once, found: [] });
});

test('says where each secret was and of what kind, and nothing of the secret', () => {
  const [vector] = secretVectors(1, 2).filter(({ kind }) => kind === 'stripe-key');
  const secret = vector?.secret ?? '';

  expect(redactSecrets(`one\r\ntwo\r\n  x("${secret}")\r\n`)).toEqual({
    text: 'one\r\ntwo\r\n  x("[redacted:stripe-key]")\r\n',
    found: [{ kind: 'stripe-key', line: 3, column: 6 }],
  });
});

test('puts one mark in place of a key of many lines and leaves the lines around it', () => {
  const [vector] = secretVectors(1, 3).filter(({ kind }) => kind === 'private-key');
  const lines = redactSecrets(vector?.text ?? '').text.split('\n');

  expect(lines.length).toBe((vector?.text ?? '').split('\n').length);
  expect(lines.filter((line) => line !== '')).toEqual(['before', '[redacted:private-key]', 'after']);
});

test('takes a key that was cut off for what it is, to its last line', () => {
  const [vector] = secretVectors(1, 4).filter(({ kind }) => kind === 'private-key');
  const text = (vector?.text ?? '').split('\n').slice(0, 6).join('\n');

  expect(redactSecrets(`${text}\nand then words follow`).text).toMatch(
    /^before\n\[redacted:private-key\]\n+and then words follow$/,
  );
});

test('finds every secret of a text that holds many', () => {
  const text = VECTORS.map((vector) => vector.text).join('\n\n');
  const safe = redactSecrets(text).text;
  const gone = VECTORS.filter((vector) => isGone(vector, safe));

  expect(gone.length / VECTORS.length).toBeGreaterThanOrEqual(0.98);
});

test('gives back the very text when there is nothing to hide', () => {
  const text = 'function add(a, b) {\n  return a + b;\n}\n';

  expect(redactSecrets(text).text).toBe(text);
  expect(redactSecrets('').found).toEqual([]);
});

/** How a text stands inside of another: numbered as tools and agents show files, and escaped as JSON holds it. */
const INSIDE: Readonly<Record<string, (text: string) => string>> = {
  'behind 12→': (text) => numbered(text, '→'),
  'behind 12:': (text) => numbered(text, ':'),
  'behind 12 and a tab': (text) => numbered(text, '\t'),
  'behind   12 |': (text) => numbered(text, ' | '),
  'in JSON': (text) => JSON.stringify({ note: text }),
  'in JSON in JSON': (text) => JSON.stringify({ note: JSON.stringify({ note: text }) }),
  'numbered in JSON': (text) => JSON.stringify({ note: numbered(text, '→') }),
};

function numbered(text: string, separator: string): string {
  return text
    .split('\n')
    .map((line, at) => `${String(at + 98).padStart(5)}${separator}${line}`)
    .join('\n');
}

test.each(Object.entries(INSIDE))('a secret is one also %s (R182)', (_name, inside) => {
  const leaked = secretVectors(1, 7).filter(({ text, secret }) => {
    const kept = redactSecrets(inside(text)).text;
    return secret.split(/\n|\\n/).some((line) => line.length >= 6 && kept.includes(line));
  });

  expect(leaked.map(({ kind }) => kind)).toEqual([]);
});

test('a token is one behind a name that was put before it (R182)', () => {
  const token = ['gh', 'p_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'].join('');

  for (const joined of ['c-', 'feature/c-', 'c_', 'c.'])
    expect(redactSecrets(`${joined}${token}`).text).toBe(`${joined}[redacted:github-token]`);
});

test('a long secret of letters alone is one, though their case changes rarely; a name of as many is none', () => {
  const said = (value: string): string => redactSecrets(`client_secret = "${value}"`).text;

  expect(said('qpSPGGnlsvTmkggmnSFOzccdKZbDVtcw')).toBe('client_secret = "[redacted:secret]"');
  for (const name of ['clientSecretOfTheStorefrontCheckout', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij'])
    expect(said(name)).toContain(name);
});

test('a secret is one though some of its letters happen to make words, or it holds no digit (R182)', () => {
  const lines = [
    `value = "h${''}f_EjOrUBGrocridoODkfgObvKKhPRDnSRUYX"`,
    `value = "h${''}f_ratyPtiTCCumEDoxveczURBxrZuAcgFlUP"`,
    'api_key = "niwzZHaBwbKERILYxsXtfLADqeYD08ON"',
    'const secret = env.SECRET || "ABObreSfeYxIKALAhmlp3hnu";',
    'ENCRYPTION_KEY="jT1/kocP/0AMfbOpHX8N59fLrK8rtp3xPN8VQuq12ex="',
    '<password>I3TTPY2U7SZGRX5</password>',
    'dropbox_app_secret: "fmfiqgpkhxufnmq"',
    // Four letters of a placeholder come about by chance.
    'VERCEL_TOKEN=m675e5QCS4j0vYour3CbvpW0',
    `"CF${''}PAT-g_ErvI9I_02hgZoaubngDpK1q4st3zq8X-YourkSyT5"`,
  ];

  expect(lines.filter((line) => redactSecrets(line).found.length === 0)).toEqual([]);
});

test('of every kind and with every seed hardly any secret is left', () => {
  const vectors = Array.from({ length: 20 }, (_, seed) => secretVectors(1, 1_000 + seed)).flat();
  const left = vectors.filter((vector) => !isGone(vector, redactSecrets(vector.text).text));

  expect(left.length / vectors.length).toBeLessThan(0.001);
});
