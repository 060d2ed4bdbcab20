import { expect, test } from 'vitest';
import { remoteIdentity } from './remote-identity.ts';

test.each([
  'git@github.com:acme/shop.git',
  'git@github.com:Acme/Shop',
  'github.com:acme/shop.git',
  'ssh://git@github.com/acme/shop.git',
  'ssh://git@github.com:22/acme/shop.git/',
  'https://github.com/acme/shop',
  'https://me:t0ken@GitHub.com/Acme/Shop.git',
  'https://github.com:443//acme/shop.git?ref=main',
  'git://github.com/acme/shop.git',
  'git+ssh://git@github.com/acme/shop.git',
])('R164 %s is the repository github.com/acme/shop', (remote) => {
  expect(remoteIdentity(remote)).toBe('github.com/acme/shop');
});

test.each([
  '/srv/git/shop.git',
  '../shop',
  'C:\\git\\shop',
  'C:/git/shop',
  'file:///srv/git/shop.git',
  '',
  'https://github.com/',
])('R164 %s names no repository that others know by the same name', (remote) => {
  expect(remoteIdentity(remote)).toBeUndefined();
});

test('R164 groups, ports of their own and addresses keep repositories apart', () => {
  const remotes = [
    'https://git.example/a/b/shop',
    'https://git.example/a/shop',
    'ssh://git@[::1]:2222/a/shop.git',
  ];

  expect(remotes.map(remoteIdentity)).toEqual(['git.example/a/b/shop', 'git.example/a/shop', '[::1]/a/shop']);
});
