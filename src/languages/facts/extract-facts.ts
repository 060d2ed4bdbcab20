/** The facts of a file, as the reader of its language finds them, packed. */
import type { Definition } from '../../core/index.ts';
import { readC, readCpp } from './c/c-facts.ts';
import { type Collector, createCollector } from './collector.ts';
import { readCsharp } from './csharp/csharp-facts.ts';
import type { FileFacts } from './facts.ts';
import { readGo } from './go/go-facts.ts';
import { readJava } from './java/java-facts.ts';
import { readKotlin } from './kotlin/kotlin-facts.ts';
import { addMissing, readNames } from './name-facts.ts';
import { packFacts } from './pack-facts.ts';
import { readPhp } from './php/php-facts.ts';
import { readPython } from './python/python-facts.ts';
import { readRuby } from './ruby/ruby-facts.ts';
import { readRust } from './rust/rust-facts.ts';
import { readScala } from './scala/scala-facts.ts';
import { readScript } from './script/script-facts.ts';
import { readSwift } from './swift/swift-facts.ts';
import type { SyntaxNode } from './syntax-node.ts';

/** A name stands so far below the first line of its definition: decorators and comments may come first. */
const MOST_HEAD_LINES = 20;

type Read = (root: SyntaxNode, facts: Collector) => void;

const READERS: Readonly<Record<string, Read>> = {
  typescript: readScript,
  tsx: readScript,
  javascript: readScript,
  python: readPython,
  go: readGo,
  rust: readRust,
  c: readC,
  cpp: readCpp,
  java: readJava,
  csharp: readCsharp,
  kotlin: readKotlin,
  scala: readScala,
  swift: readSwift,
  php: readPhp,
  ruby: readRuby,
};
/** Nothing in them refers to code by name. */
const WITHOUT = new Set(['json', 'yaml', 'toml', 'css', 'hcl', 'sql']);

export interface FactSource {
  readonly language: string;
  readonly text: string;
  readonly definitions: readonly Definition[];
  /** The fast outline, for a text that the grammar could not read as a whole. */
  readonly outlined: readonly Definition[];
}

export function extractFacts(root: SyntaxNode, source: FactSource): FileFacts {
  const { language, text, definitions, outlined } = source;
  const facts = createCollector(text);
  const read = READERS[language];
  if (read === undefined) readNames(root, facts, definitions);
  else {
    read(root, facts);
    if (outlined.length > 0) {
      const known = new Set(facts.finish('scopes').definitions.map(({ name, line }) => `${line} ${name}`));
      addMissing(root, facts, outlined, ({ name, startLine, endLine }) => {
        for (let line = startLine; line <= Math.min(endLine, startLine + MOST_HEAD_LINES); line++)
          if (known.has(`${line} ${name}`)) return true;
        return false;
      });
    }
  }
  return facts.finish(read === undefined ? 'names' : 'scopes');
}

/** Undefined where there are none to tell: the file is indexed without. */
export function factsOf(copy: () => SyntaxNode | undefined, source: FactSource): Uint8Array | undefined {
  if (WITHOUT.has(source.language)) return undefined;
  try {
    const root = copy();
    return root === undefined ? undefined : packFacts(extractFacts(root, source));
  } catch (thrown) {
    // Code that nests deeper than the stack: definitions are found without recursion, facts are not.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
