/** Runs the exact parser over files and collects what comes of each. */
import {
  createExactParser,
  type ExactParserParts,
  type ParseOutcome,
  type ParseRequest,
} from '../../src/languages/index.ts';

export async function parseAll(
  parts: ExactParserParts,
  files: readonly ParseRequest[],
): Promise<ReadonlyMap<string, ParseOutcome>> {
  const parser = createExactParser(parts);
  const outcomes = new Map<string, ParseOutcome>();
  try {
    for await (const outcome of parser.parse(files, new AbortController().signal)) {
      if (outcomes.has(outcome.path)) throw new Error(`two outcomes for ${outcome.path}`);
      outcomes.set(outcome.path, outcome);
    }
  } finally {
    parser.close();
  }
  return outcomes;
}
