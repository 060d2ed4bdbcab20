/** The module of a thread that reads and analyses files: built as `dist/file-reader.js`. */
import { loadStaticEncoder } from '../embedding/index.ts';
import { openThreadPort, systemClock } from '../platform/index.ts';
import { createAnalyzer } from './analyze-file.ts';
import { type ReaderData, readFile, type ReadReply, type ReadRequest } from './read-files.ts';

const port = openThreadPort();
// Both sides are of one build; what is not is found out by the analyzer's id.
const data = port.data as ReaderData;
const analyzer = [loadStaticEncoder, () => undefined]
  .map((encoder) => createAnalyzer(encoder()))
  .find(({ id }) => id === data.analysis);
if (analyzer === undefined) throw new Error('This thread would make other rows.');

port.onMessage((message) => {
  // As above.
  const { files } = message as ReadRequest;
  const reply: ReadReply = {
    reads: files.map((file) => readFile(file, data, { analyzer, clock: systemClock })),
  };
  port.send(reply);
});
