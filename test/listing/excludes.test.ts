import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { listAll } from './list-all.ts';

function plant(...paths: readonly string[]) {
  return tempFolder(Object.fromEntries(paths.map((path) => [path, ''])));
}

describe('what is left out by default', () => {
  it('has its reason, and a folder is one line', async () => {
    const folder = plant(
      '.git/HEAD',
      'sub/.git',
      'node_modules/x/index.js',
      'src/__pycache__/a.pyc',
      'third_party/z/z.c',
      'package-lock.json',
      'Cargo.lock',
      'logo.PNG',
      'app.min.js',
      'api.pb.go',
      'Form.Designer.cs',
      '.env',
      '.env.local',
      '.env.example',
      'deploy.pem',
      'id_rsa',
      'id_rsa.pub',
      '.npmrc',
      'src/main.ts',
    );
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual(['.env.example', 'id_rsa.pub', 'src/main.ts']);
    expect(skips).toEqual({
      '.env': 'secret_file credentials',
      '.env.local': 'secret_file credentials',
      '.git/': 'excluded_by_default version control',
      '.npmrc': 'secret_file credentials',
      'Cargo.lock': 'lock_file cargo.lock',
      'Form.Designer.cs': 'generated name ends with .designer.cs',
      'api.pb.go': 'generated name ends with .pb.go',
      'app.min.js': 'minified name ends with .min.js',
      'deploy.pem': 'secret_file .pem file',
      id_rsa: 'secret_file private key',
      'logo.PNG': 'binary .png file',
      'node_modules/': 'excluded_by_default installed packages',
      'package-lock.json': 'lock_file package-lock.json',
      'src/__pycache__/': 'excluded_by_default tool cache',
      'sub/.git': 'excluded_by_default version control',
      'third_party/': 'excluded_by_default vendored code',
    });
  });

  it.each([
    ['target', 'Cargo.toml'],
    ['vendor', 'go.mod'],
    ['build', 'build.gradle.kts'],
    ['dist', 'package.json'],
    ['obj', 'App.csproj'],
  ])('counts %s as output only where %s is beside it', async (name, witness) => {
    const source = plant(`${name}/a.ts`, 'README.md');
    expect((await listAll(source.path)).files).toContain(`${name}/a.ts`);
    const output = plant(`${name}/a.ts`, witness);
    expect((await listAll(output.path)).skips[`${name}/`]).toMatch(/^excluded_by_default .*: beside /);
  });

  it.each([
    ['build', 'CMakeCache.txt'],
    ['coverage', 'lcov.info'],
    ['my-python', 'pyvenv.cfg'],
    ['anything', 'CACHEDIR.TAG'],
  ])('knows %s by %s inside it', async (name, witness) => {
    const folder = plant(`${name}/${witness}`, `${name}/a.ts`);
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual([]);
    expect(skips[`${name}/`]).toContain(`: holds ${witness}`);
  });

  it('comes back by a negated line in .waymarkignore, but secrets and version control do not', async () => {
    const folder = plant('node_modules/own/a.js', 'yarn.lock', '.env', '.git/HEAD', 'x.min.js');
    folder.write({ '.waymarkignore': '!node_modules/\n!yarn.lock\n!.env\n!.git/\n!*.min.js\n' });
    const { files, skips } = await listAll(folder.path);
    expect(files).toEqual(['.waymarkignore', 'node_modules/own/a.js', 'x.min.js', 'yarn.lock']);
    expect(Object.keys(skips)).toEqual(['.env', '.git/']);
  });

  it('is not lifted by a .gitignore, which speaks about commits', async () => {
    const folder = plant('node_modules/own/a.js');
    folder.write({ '.gitignore': '!node_modules/\n' });
    expect((await listAll(folder.path)).files).toEqual(['.gitignore']);
  });
});

describe('include and exclude globs', () => {
  const TREE = [
    'src/a.ts',
    'src/b.tsx',
    'src/c.css',
    'docs/x.md',
    'lib/build/d.ts',
    'vendor/e.ts',
    'go.mod',
  ] as const;

  it('list only what is included, and do not enter folders that no glob leads to', async () => {
    const { files, skips } = await listAll(plant(...TREE).path, { include: ['src/**/*.{ts,tsx}'] });
    expect(files).toEqual(['src/a.ts', 'src/b.tsx']);
    expect(skips).toMatchObject({
      'docs/': 'not_included no include glob leads here',
      'src/c.css': 'not_included matches no include glob',
    });
  });

  it('take a folder with all it holds', async () => {
    for (const include of [['src'], ['./src/'], ['/src/**'], ['src/']]) {
      const { files } = await listAll(plant(...TREE).path, { include });
      expect(files).toEqual(['src/a.ts', 'src/b.tsx', 'src/c.css']);
    }
  });

  it('bring back a folder that they name, but not one they only reach', async () => {
    const named = await listAll(plant(...TREE).path, { include: ['vendor/**', 'src/*.ts'] });
    expect(named.files).toEqual(['src/a.ts', 'vendor/e.ts']);
    const reached = await listAll(plant(...TREE).path, { include: ['**/*.ts'] });
    expect(reached.files).toEqual(['lib/build/d.ts', 'src/a.ts']);
  });

  it('let exclude win, with its glob in the reason, and take back with an exclamation mark', async () => {
    const options = { include: ['src'], exclude: ['*.ts', '*.css', '!a.ts'] };
    const { files, skips } = await listAll(plant(...TREE).path, options);
    expect(files).toEqual(['src/a.ts', 'src/b.tsx']);
    expect(skips['src/c.css']).toBe('excluded_by_config exclude *.css');
  });

  it('do not bring back what the rule files leave out', async () => {
    const folder = plant('gen/a.ts');
    folder.write({ '.gitignore': 'gen/\n' });
    expect((await listAll(folder.path, { include: ['gen/**'] })).files).toEqual([]);
  });
});

describe('limits', () => {
  it('leave out a file that is too large, with its size', async () => {
    const folder = tempFolder({ 'big.ts': 'x'.repeat(101), 'fits.ts': 'x'.repeat(100) });
    const { files, skips } = await listAll(folder.path, { maxFileBytes: 100 });
    expect(files).toEqual(['fits.ts']);
    expect(skips).toEqual({ 'big.ts': 'too_large 101 bytes' });
  });

  it('end the listing at the greatest number of files, and say where', async () => {
    const folder = plant('a.ts', 'b.ts', 'c.ts', 'd.ts');
    const { files, skips } = await listAll(folder.path, { maxFiles: 2 });
    expect(files).toEqual(['a.ts', 'b.ts']);
    expect(skips).toEqual({ 'c.ts': 'too_many_files more than 2 files' });
  });

  it('do not enter folders that are too deep', async () => {
    const folder = plant('a/b/c/d.ts', 'a/x.ts');
    const { files, skips } = await listAll(folder.path, { maxDepth: 2 });
    expect(files).toEqual(['a/x.ts']);
    expect(skips).toEqual({ 'a/b/c/': 'excluded_by_default more than 2 folders deep' });
  });
});
