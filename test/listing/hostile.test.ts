import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listFiles } from '../../src/workspace/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { listAll } from './list-all.ts';

describe('a hostile repository', () => {
  it('leads nowhere by links: loops, escapes, devices', async () => {
    const outside = tempFolder({ 'stolen.ts': 'secret', 'folder/also.ts': '' });
    const folder = tempFolder({ 'real/a.ts': '' });
    const links = {
      loop: '.',
      'real/up': '..',
      'escape.ts': outside.join('stolen.ts'),
      'escape-folder': outside.join('folder'),
      zero: '/dev/zero',
      environ: '/proc/self/environ',
      self: 'self',
      broken: 'nowhere',
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, folder.join(path));
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual(['real/a.ts']);
    expect(skips).toEqual(Object.fromEntries(Object.keys(links).map((path) => [path, 'symlink'])));
  });

  it('never makes us wait: pipes and sockets are not opened', async () => {
    const folder = tempFolder({ 'a.ts': '' });
    execFileSync('mkfifo', [folder.join('pipe.ts')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(folder.join('socket.ts'), resolve));
    onTestFinished(() => void server.close());
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual(['a.ts']);
    expect(skips).toEqual({ 'pipe.ts': 'not_regular', 'socket.ts': 'not_regular' });
  });

  it('has names that are no text, or odd text, and each is told apart', async () => {
    const folder = tempFolder({
      'new\nline.ts': '',
      'es\u001b[31mc.ts': '',
      '\uFFFD.ts': '',
      '-rf': '',
      'é.ts': '',
    });
    writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/bad`), Buffer.from([0xff, 0xfe])]), '');
    mkdirSync(Buffer.concat([Buffer.from(`${folder.path}/dir`), Buffer.from([0xc3])]));
    folder.write({ 'Case.ts': '', 'case.ts': '', 'CASE.ts': '', 'end ': '', ':(glob)': '' });
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual([
      '-rf',
      ':(glob)',
      'CASE.ts',
      'Case.ts',
      'case.ts',
      'end ',
      'es\u001b[31mc.ts',
      'new\nline.ts',
      'é.ts',
      '\uFFFD.ts',
    ]);
    expect(skips).toEqual({
      'bad\\xff\\xfe': 'undecodable_name not UTF-8',
      'dir\\xc3/': 'undecodable_name not UTF-8',
    });
  });

  it('has folders we may not read', async () => {
    const folder = tempFolder({ 'a.ts': '', 'locked/b.ts': '', 'names-only/c.ts': '' });
    chmodSync(folder.path, 0o755);
    chmodSync(folder.join('locked'), 0o000);
    // Names may be read, what they stand for may not be looked at.
    chmodSync(folder.join('names-only'), 0o744);
    onTestFinished(() => chmodSync(folder.join('locked'), 0o755));
    const isRoot = process.getuid?.() === 0;
    // Root may read everything: list as another user.
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { files, skips } = await listAll(folder.path);
      expect(files).toEqual(['a.ts']);
      expect(skips).toEqual({ 'locked/': 'unreadable EACCES', 'names-only/c.ts': 'unreadable EACCES' });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('is 2,000 folders deep, deeper than a path may be long', async () => {
    const folder = tempFolder({ 'a.ts': '' });
    const chain = (name: string): string => Array.from({ length: 700 }, () => name).join('/');
    // Each part is made where its path is short, then moved to the end of the others.
    for (const name of ['x', 'y', 'z']) mkdirSync(folder.join(chain(name)), { recursive: true });
    renameSync(folder.join('y'), folder.join(chain('x'), 'y'));
    renameSync(folder.join('z'), folder.join(chain('x'), chain('y'), 'z'));
    // What is longer than the system's limit cannot be removed by its path either.
    onTestFinished(() => void execFileSync('rm', ['-rf', folder.join('x')]));
    const shallow = await listAll(folder.path);
    expect(shallow.files).toEqual(['a.ts']);
    expect(Object.values(shallow.skips)).toEqual(['excluded_by_default more than 256 folders deep']);
    const deep = await listAll(folder.path, { maxDepth: 10_000 });
    expect(deep.files).toEqual(['a.ts']);
    expect(Object.values(deep.skips)).toEqual(['unreadable ENAMETOOLONG']);
  }, 120_000);

  it('has 20,000 files, and a listing of them can be stopped', async () => {
    const folder = tempFolder();
    for (let file = 0; file < 20_000; file++) {
      if (file % 1000 === 0) mkdirSync(folder.join(`d${file / 1000}`));
      writeFileSync(folder.join(`d${Math.floor(file / 1000)}`, `f${file}.ts`), '');
    }
    const { files } = await listAll(folder.path);
    expect(files).toHaveLength(20_000);
    expect(files).toEqual(files.toSorted());
    const controller = new AbortController();
    const batches = listFiles(folder.path, {}, controller.signal);
    expect((await batches.next()).done).toBe(false);
    controller.abort(new Error('enough'));
    await expect(batches.next()).rejects.toThrow('enough');
  }, 120_000);

  it('has rule files that are links, pipes, folders or far too large', async () => {
    const outside = tempFolder({ rules: '*\n' });
    const folder = tempFolder({
      'link/a.ts': '',
      'pipe/a.ts': '',
      'folder/.gitignore/a.ts': '',
      'huge/a.ts': '',
      'many/a.ts': '',
    });
    symlinkSync(outside.join('rules'), folder.join('link/.gitignore'));
    execFileSync('mkfifo', [folder.join('pipe/.gitignore')]);
    const rules = (count: number, tail: string): string =>
      Array.from({ length: count }, (_, at) => `${at}${tail}\n`).join('');
    writeFileSync(folder.join('huge/.gitignore'), `${rules(20_000, 'x'.repeat(92))}a.ts\n`);
    writeFileSync(folder.join('many/.waymarkignore'), rules(1_000_000, 'q'));
    const { files, notices } = await listAll(folder.path);
    expect(files).toEqual(['folder/.gitignore/a.ts', 'huge/a.ts', 'link/a.ts', 'many/a.ts', 'pipe/a.ts']);
    expect(notices).toEqual([
      'huge/.gitignore is too large: only its first 10000 rules count',
      'many/.waymarkignore is too large: only its first 10000 rules count',
    ]);
  });

  it('has large rule files in many folders: compiling them counts as work, and the listing ends', async () => {
    const folder = tempFolder({ 'a.ts': '' });
    const rules = `${'*x?[a-z]'.repeat(12)}\n`.repeat(100);
    for (let at = 0; at < 20; at++) folder.write({ [`d${at}/.gitignore`]: rules, [`d${at}/a.ts`]: '' });
    expect((await listAll(folder.path, { maxRuleSteps: 100_000_000 })).files).toHaveLength(41);
    const { skips } = await listAll(folder.path, { maxRuleSteps: 2_000_000 });
    expect(Object.values(skips)).toEqual(['too_many_files ignore rules that take too long to match']);
  });

  it('has thousands of rules that fail at once: trying them counts as work too', async () => {
    const folder = tempFolder();
    for (let at = 0; at < 40; at++) folder.write({ [`${at}.ts`]: '' });
    folder.write({ '.gitignore': Array.from({ length: 5_000 }, (_, at) => `x${at}?`).join('\n') });
    expect((await listAll(folder.path)).files).toHaveLength(41);
    const { skips } = await listAll(folder.path, { maxRuleSteps: 1_300_000 });
    expect(Object.values(skips)).toEqual(['too_many_files ignore rules that take too long to match']);
  });

  it('plants a git directory that points elsewhere, and it is not followed', async () => {
    const outside = tempFolder({ 'git/info/exclude': '*\n', 'git/config': '[core]\n\tignorecase = true\n' });
    const folder = tempFolder({ 'a.ts': '' });
    symlinkSync(outside.join('git'), folder.join('.git'));
    expect((await listAll(folder.path)).files).toEqual(['a.ts']);
    rmSync(folder.join('.git'));
    folder.write({ '.git': `gitdir: ${outside.join('git')}\n` });
    expect((await listAll(folder.path)).files).toEqual(['a.ts']);
    rmSync(folder.join('.git'));
    mkdirSync(folder.join('.git/info'), { recursive: true });
    symlinkSync(outside.join('git/info/exclude'), folder.join('.git/info/exclude'));
    const config = `[core]\n\texcludesFile = ${outside.join('git/info/exclude')}\n\tfsmonitor = touch ${folder.join('ran')}\n`;
    writeFileSync(folder.join('.git/config'), config);
    expect((await listAll(folder.path)).files).toEqual(['a.ts']);
  });

  it('is gone: that is an error in our own words', async () => {
    const folder = tempFolder();
    await expect(listAll(join(folder.path, 'nothing'))).rejects.toMatchObject({ code: 'file_unavailable' });
  });
});
