import { expect, test } from 'vitest';
import { renderClient } from './redact/redact-secrets.ts';

const TOKEN = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'].join('');

test('a name and a version are one short line', () => {
  expect(renderClient(['my\nclient', '1.2'])).toBe('my\\nclient 1.2');
  expect(renderClient(['x'.repeat(200)])).toHaveLength(80);
  expect(renderClient([undefined, undefined])).toBe('unknown client');
  expect(renderClient([''])).toBe('unknown client');
});

test('R182 a secret in a name is taken out, also where it would be cut or a version follows', () => {
  expect(renderClient([`${'a'.repeat(70)} ${TOKEN}`])).not.toContain('gh');
  expect(renderClient(['spring.datasource.password=uAcx5Yrpw7mQCT7', '1'])).toBe(
    'spring.datasource.password=[redacted:password] 1',
  );
});
