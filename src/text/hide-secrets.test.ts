import { expect, test } from 'vitest';
import { secretVectors } from '../../test/support/secret-vectors.ts';
import { hideSecrets, isSecretName } from './hide-secrets.ts';

test.each([
  '{"password": "hunter2"}',
  '{"apiKey":"hunter2"}',
  'password="two hunter2"',
  "password='two hunter2'",
  'https://user:hunt/er2hunter2@host/',
  'Invalid Host header: user:hunter2@localhost',
  'GET /mcp?token=hunter2&x=1',
  'Cookie: session=hunter2',
])('hides the secret in %s', (text) => {
  const safe = hideSecrets(text);

  expect(safe).toContain('[hidden]');
  expect(safe).not.toContain('hunter2');
});

test('hides what is taken out of the index, of every kind', () => {
  const shown = secretVectors(1, 5).filter(({ text, secret }) => hideSecrets(text).includes(secret));

  expect(shown).toEqual([]);
});

test('hides a private key to its end, or to the end of the text', () => {
  const key = ['-----BEGIN RSA', 'PRIVATE KEY-----\nabcdef\n'].join(' ');

  expect(hideSecrets(`a ${key}`)).toBe('a [hidden]');
});

test.each(['a password is needed', 'the token bucket', 'max tokens 200'])('leaves %s alone', (text) => {
  expect(hideSecrets(text)).toBe(text);
});

test.each(['a.', 'a-', '://a:', ' a:', 'token=', 'bearer ', '-----BEGIN PRIVATE KEY-----'])(
  'takes time in proportion to the text, even for 100,000 characters of %j',
  (piece) => {
    const text = piece.repeat(100_000 / piece.length);

    expect(hideSecrets(text).length).toBeLessThan(20_000);
  },
);

test('knows names that tell, and does not take counts for secrets', () => {
  expect(['token', 'apiKey', 'Authorization', 'db_password'].every(isSecretName)).toBe(true);
  expect(['tokens', 'maxTokens', 'path'].some(isSecretName)).toBe(false);
});
