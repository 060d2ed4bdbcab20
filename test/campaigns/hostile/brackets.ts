/** Text that opens and never closes, or opens again and again: what a parser with a stack, or one that looks back, dies of. */
import { oneFile, type Family, type Fixture } from './fixture.ts';

const DEEP = 100_000;
const MOST_BYTES = 1_000_000;

/** The opening 100,000 deep (or as deep as fits into what is read), on lines short enough to be looked at. */
function nested(path: string, open: string, close = ''): Fixture {
  const depth = Math.min(DEEP, Math.floor(MOST_BYTES / (open.length + close.length + 1)));
  const perLine = Math.max(1, Math.floor(80 / open.length));
  return oneFile(
    `${path.slice(1)}: ${JSON.stringify(open.trim() || open)} ${depth} deep${close === '' ? ', never closed' : ''}`,
    `nested${path}`,
    () => lines(open, depth, perLine) + lines(close, close === '' ? 0 : depth, perLine),
    'indexed',
  );
}

function lines(piece: string, count: number, perLine: number): string {
  const line = piece.repeat(perLine);
  return Array.from({ length: Math.floor(count / perLine) }, () => line).join('\n');
}

export const BRACKETS: Family = {
  name: 'brackets',
  fixtures: [
    nested('.ts', '(', ')'),
    nested('.ts', '{', '}'),
    nested('.ts', '`${'),
    nested('.ts', 'x => '),
    nested('.ts', '/*'),
    nested('.tsx', '<a>', '</a>'),
    nested('.js', '['),
    nested('.js', '/(('),
    nested('.json', '[', ']'),
    nested('.json', '{"a":', '}'),
    nested('.py', '(', ')'),
    nested('.py', '"""'),
    nested('.py', 'lambda: '),
    nested('.rs', '/*', '*/'),
    nested('.rs', 'r#"'),
    nested('.rs', 'Vec<', '>'),
    nested('.go', 'func() { '),
    nested('.java', 'class A { '),
    nested('.kt', '"${'),
    nested('.scala', '/* '),
    nested('.c', '#if X\n', '#endif\n'),
    nested('.cpp', 'template<'),
    nested('.cpp', 'R"x('),
    nested('.cs', '$"{'),
    nested('.swift', '"\\('),
    nested('.rb', '"#{'),
    nested('.rb', 'begin\n', 'end\n'),
    nested('.rb', '<<~A + '),
    nested('.php', '<?php '),
    nested('.ex', 'do\n', 'end\n'),
    nested('.hs', '{- ', '-} '),
    nested('.lua', '[==['),
    nested('.lua', 'function() '),
    nested('.sh', '$('),
    nested('.sh', "cat <<'A'\n"),
    nested('.sql', "('"),
    nested('.html', '<div>', '</div>'),
    nested('.vue', '<script>'),
    nested('.css', 'a{', '}'),
    nested('.md', '> '),
    nested('.md', '[![x]('),
    nested('.md', '```\n'),
    nested('.yml', '- - '),
    nested('.toml', '[[a.'),
    oneFile(
      'Python, each line deeper',
      'deeper.py',
      () => Array.from({ length: 1300 }, (_, at) => `${' '.repeat(at)}def f${at}():`).join('\n'),
      'indexed',
    ),
    oneFile(
      'YAML, each line deeper',
      'deeper.yml',
      () => Array.from({ length: 1300 }, (_, at) => `${' '.repeat(at)}k${at}:`).join('\n'),
      'indexed',
    ),
  ],
};
