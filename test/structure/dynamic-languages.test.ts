/** PHP and Ruby: who uses what, by namespaces and constants, by types as far as syntax tells. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectEnds, type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { emptyHome, type Home, run } from '../support/waymark.ts';

const FILES = {
  // The loader reads what git ignores.
  '.gitignore': 'composer.json\n',
  'composer.json': '{ "autoload": { "psr-4": { "Shop\\\\": "src/" } } }',
  'src/Mail/Sender.php': [
    '<?php',
    'namespace Shop\\Mail;',
    'abstract class Sender {',
    '  const LIMIT = 5;',
    '  public int $sent = 0;',
    '  abstract function deliver(string $to): bool;',
    '  public function with(int $limit): static { return $this; }',
    '  public static function usual(): self { return new Post(); }',
    '}',
  ].join('\n'),
  'src/Mail/Post.php': [
    '<?php',
    'namespace Shop\\Mail;',
    'use function Shop\\Text\\short;',
    'class Post extends Sender {',
    '  use Counts;',
    '  private array $deliver = [];',
    '  function deliver(string $to): bool { $this->count(); return short($to) !== ""; }',
    '  function stamp(): string { return self::LIMIT . count($this->deliver); }',
    '}',
  ].join('\n'),
  'src/Mail/Counts.php':
    '<?php\nnamespace Shop\\Mail;\ntrait Counts {\n  private function count(): void {}\n}\n',
  'src/Text/functions.php':
    '<?php\nnamespace Shop\\Text;\nfunction short(string $text): string {\n  return $text;\n}\n',
  'src/Till.php': [
    '<?php',
    'namespace Shop;',
    'use Shop\\Mail\\{Post as Letter, Sender};',
    'class Till {',
    '  /** @var Letter[] */',
    '  private array $letters = [];',
    '  public function __construct(private readonly Sender $sender) {}',
    '  function pay(object $thing, $other): void {',
    "    $this->sender->deliver('you');",
    '    (new Letter())->with(2)->stamp();',
    '    foreach ($this->letters as $letter) { $letter->stamp(); }',
    '    if ($other instanceof Letter) { $other->stamp(); }',
    '    Sender::usual()->deliver(\\Shop\\Text\\short("me"));',
    '    $thing->stamp();',
    '    $made = new \\DateTime();',
    '    $made->stamp();',
    '  }',
    '}',
  ].join('\n'),
  'lib/shop/queue.rb': [
    "require_relative 'counts'",
    'module Shop',
    '  class Queue',
    '    include Counts',
    '    LIMIT = 5',
    '    attr_reader :jobs',
    '    def self.usual = new([])',
    '    def initialize(jobs)',
    '      @jobs = jobs',
    '      @worker = Worker.new',
    '    end',
    '    def enqueue(job)',
    '      count',
    '      jobs << job',
    '      @worker.work(job)',
    '    end',
    '  end',
    '  class Worker',
    '    def work(job) = job',
    '    class << self',
    '      def work(all) = all',
    '    end',
    '  end',
    'end',
  ].join('\n'),
  'lib/shop/counts.rb': 'module Shop\n  module Counts\n    def count\n      1\n    end\n  end\nend\n',
  // Opened again elsewhere.
  'lib/shop/late.rb': 'class Shop::Queue\n  def late\n    enqueue(LIMIT)\n  end\nend\n',
  'lib/run.rb': [
    "require 'shop/queue'",
    'queue = Shop::Queue.usual',
    'queue.enqueue(1)',
    'queue.late',
    'Shop::Worker.work([1])',
    'def helper(thing)',
    '  thing.late',
    'end',
    'Other::Queue.new.enqueue(2)',
    'count = 2',
    'puts count',
  ].join('\n'),
};

describe('a project in PHP and Ruby', () => {
  const ends = collectEnds();
  let project: TempFolder;
  let home: Home;

  beforeAll(async () => {
    project = tempFolder(FILES, ends.onEnd);
    home = emptyHome(ends.onEnd);
    await run(['index', '--exact', project.path], { home, onEnd: ends.onEnd });
  }, 120_000);
  afterAll(ends.end);

  /** `path:line grade` of each use. */
  const usesOf = async (symbol: string): Promise<readonly string[]> => {
    const { stdout } = await run(['references', symbol, '--json'], { home, cwd: project.path });
    // What the command prints with --json; another form fails in the line below.
    const { symbols } = JSON.parse(stdout) as {
      symbols: { references: { path: string; line: number; grade: string; text: string }[] }[];
    };
    expect(symbols.flatMap(({ references }) => references).every(({ text }) => text !== '')).toBe(true);
    return symbols.flatMap(({ references }) =>
      references.map(({ path, line, grade }) => `${path}:${line} ${grade}`),
    );
  };

  test('R130 PHP: classes by namespace and alias, functions and constants by full name', async () => {
    expect(await usesOf('src/Mail/Post.php:4')).toEqual([
      'src/Mail/Sender.php:8 sure',
      'src/Till.php:10 sure',
      'src/Till.php:12 sure',
    ]);
    expect(await usesOf('short')).toEqual(['src/Mail/Post.php:7 sure', 'src/Till.php:13 sure']);
    expect(await usesOf('LIMIT')).toContain('src/Mail/Post.php:8 sure');
  }, 60_000);

  test('R130 PHP: members by the type of the receiver; a field of the name is another symbol', async () => {
    expect(await usesOf('src/Mail/Sender.php:6')).toEqual(['src/Till.php:9 sure', 'src/Till.php:13 sure']);
    expect(await usesOf('src/Mail/Post.php:6')).toEqual(['src/Mail/Post.php:8 sure']);
    expect(await usesOf('Post.stamp')).toEqual([
      'src/Till.php:10 sure',
      'src/Till.php:11 sure',
      'src/Till.php:12 sure',
      'src/Till.php:14 likely',
    ]);
    expect(await usesOf('Counts.php:4')).toEqual(['src/Mail/Post.php:7 sure']);
  }, 60_000);

  test('R130 Ruby: constants and methods of classes that are opened twice, of modules and of the class itself', async () => {
    expect(await usesOf('Queue.enqueue')).toEqual(['lib/run.rb:3 sure', 'lib/shop/late.rb:3 sure']);
    expect(await usesOf('late')).toEqual(['lib/run.rb:4 sure', 'lib/run.rb:7 likely']);
    expect(await usesOf('lib/shop/queue.rb:5')).toEqual(['lib/shop/late.rb:3 sure']);
    expect(await usesOf('lib/shop/counts.rb:3')).toEqual(['lib/shop/queue.rb:13 sure']);
    expect(await usesOf('lib/shop/queue.rb:19')).toEqual(['lib/shop/queue.rb:15 sure']);
    expect(await usesOf('lib/shop/queue.rb:21')).toEqual(['lib/run.rb:5 sure']);
  }, 60_000);

  test('R132 what a file loads: use lines, names of its own namespace, require', async () => {
    const php = await run(['deps', 'src/Mail/Post.php', '--json'], { home, cwd: project.path });
    const ruby = await run(['deps', 'lib/shop/queue.rb', '--in', '--json'], { home, cwd: project.path });

    expect(JSON.parse(php.stdout).files.map(({ path }: { path: string }) => path)).toEqual([
      'src/Mail/Counts.php',
      'src/Mail/Sender.php',
    ]);
    expect(JSON.parse(ruby.stdout).files).toMatchObject([{ path: 'lib/run.rb' }]);
  }, 60_000);
});
