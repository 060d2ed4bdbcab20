import { describe, expect, test } from 'vitest';
import { chooseDriver, isSafeSqlite, loadDriver } from '../../src/storage/sqlite/driver.ts';

function moduleReporting(version: string): unknown {
  class DatabaseSync {
    prepare(): { get(): { version: string } } {
      return { get: () => ({ version }) };
    }
    close(): void {}
  }
  return { DatabaseSync };
}

describe('which SQLite is safe', () => {
  test.each([
    ['3.51.3', true],
    ['3.51.4', true],
    ['3.53.0', true],
    ['3.100.0', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.50.9', false],
    ['3.9.9', false],
    ['2.99.99', false],
    ['nonsense', false],
    [undefined, false],
  ])('%s: %s', (version, safe) => {
    expect(isSafeSqlite(version)).toBe(safe);
  });

  test.each([
    [{ builtin: '3.53.0', bundled: '3.53.0' }, 'builtin'],
    [{ builtin: '3.50.0', bundled: '3.53.0' }, 'bundled'],
    [{ builtin: undefined, bundled: '3.53.0' }, 'bundled'],
    [{ builtin: '3.50.0', bundled: '3.50.0' }, 'none'],
    [{ builtin: undefined, bundled: undefined }, 'none'],
  ])('of %o takes %s', (versions, choice) => {
    expect(chooseDriver(versions)).toBe(choice);
  });
});

describe('loading a driver', () => {
  test('finds a safe one on this Node without a word on stderr', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', listen);

    const driver = await loadDriver();
    await new Promise(setImmediate);

    process.off('warning', listen);
    expect(isSafeSqlite(driver.sqliteVersion)).toBe(true);
    expect(warnings).toEqual([]);
  });

  test('leaves the bundled one alone when the builtin one will do', async () => {
    const driver = await loadDriver({
      builtin: () => moduleReporting('3.51.3'),
      bundled: () => Promise.reject(new Error('loaded although it was not needed')),
    });

    expect(driver.kind).toBe('builtin');
  });

  test('takes the bundled one when the builtin one is too old', async () => {
    const driver = await loadDriver({
      builtin: () => moduleReporting('3.50.4'),
      bundled: async () => moduleReporting('3.53.0'),
    });

    expect(driver).toMatchObject({ kind: 'bundled', sqliteVersion: '3.53.0' });
  });

  test('refuses to work when both are too old', async () => {
    const loading = loadDriver({ builtin: () => undefined, bundled: async () => moduleReporting('3.51.2') });

    await expect(loading).rejects.toMatchObject({ code: 'runtime_too_old' });
  });

  test('says the same when the bundled one has no binary for this platform', async () => {
    const cause = new Error('no native build');

    const loading = loadDriver({ builtin: () => undefined, bundled: () => Promise.reject(cause) });

    await expect(loading).rejects.toMatchObject({ code: 'runtime_too_old', cause });
  });
});
