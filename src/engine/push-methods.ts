/** What the port says of pushed indexes: only rows that this release can read are taken, and names lead to trees. */
import { createHash } from 'node:crypto';
import {
  AppError,
  isPushedRoot,
  parsePushedRoot,
  renderPushedRoot,
  type Project,
} from '../core/index.ts';
import { PARSER_ID } from '../languages/index.ts';
import { areWholeRows } from '../search/index.ts';
import { readableOutline, type PushedFile, type Pushes } from '../storage/index.ts';
import type { Engine, PushAnswer, PushRequest } from './port.ts';

export interface PushParts {
  readonly pushes: Pushes | undefined;
  /** Names how this release makes rows. */
  readonly analysis: () => string;
  readonly keepsSource: boolean;
  /** Told of a tree that was written. */
  readonly onPushed: (root: string) => void;
}

export function createPushMethods(parts: PushParts): Pick<Engine, 'push' | 'findPushed'> {
  const { pushes } = parts;
  return {
    push: async (request) =>
      answer({ ...request, target: { ...request.target, person: digestOf(request.target.person) } }, parts),
    findPushed: async ({ name, person }) =>
      ((await pushes?.find(name, digestOf(person))) ?? []).map(toProject),
  };
}

async function answer(request: PushRequest, parts: PushParts): Promise<PushAnswer> {
  const { pushes, analysis, keepsSource } = parts;
  if (pushes === undefined)
    throw new AppError('bad_argument', 'This server keeps indexes of its own checkouts alone.', {
      hint: 'Pushing needs a server with a database: waymark serve --storage postgres://…',
    });
  const { target } = request;
  switch (request.kind) {
    case 'state': {
      const { maker } = request;
      if (maker.analysis !== analysis() || maker.parser !== PARSER_ID)
        throw new AppError('bad_argument', 'This server reads indexes of another release of Waymark.', {
          hint: `Push with the server's own: npx waymark@${WAYMARK_VERSION} push. Settings of vectors have to be the same, too.`,
        });
      const state = await pushes.state(target, request);
      return { kind: 'state', ...state, keepsSource };
    }
    case 'stage':
      return { kind: 'stage', missing: await pushes.stage(target, request.entries) };
    case 'add':
      checkFiles(request.files, analysis());
      await pushes.add(target, request.files);
      return { kind: 'add' };
    case 'commit': {
      const done = await pushes.commit(target, request.end);
      const { identity, branch, isHead, person } = target;
      parts.onPushed(renderPushedRoot({ identity, branch, head: isHead ? person : undefined }));
      return { kind: 'commit', ...done };
    }
  }
}

/** Another program made these rows: what cannot be read would fail later, in the answers of all. */
function checkFiles(files: readonly PushedFile[], analysis: string): void {
  const isSound = ({ analysis: made, vectors, chunks, outline, parsed }: PushedFile): boolean =>
    made === analysis &&
    (parsed === undefined || parsed.note.parser === PARSER_ID) &&
    readableOutline(outline) &&
    // A row for the path, one for the file, and one for each chunk.
    (vectors === undefined || vectors.packed.byteLength === (chunks + 2) * (vectors.dimensions + 4));
  if (files.every(isSound) && areWholeRows(files.map(({ terms }) => terms))) return;
  throw new AppError('bad_argument', 'The rows of a pushed file cannot be read.', {
    hint: 'Make the index anew and push again: waymark clear, then waymark push.',
  });
}

/** Of a principal: names of trees hold it, and say nothing of who that is. */
function digestOf(person: string): string {
  return createHash('sha256').update(person).digest('hex').slice(0, 16);
}

function toProject(root: string): Project {
  const identity = parsePushedRoot(root)?.identity ?? root;
  return { root, name: identity.slice(identity.lastIndexOf('/') + 1) };
}

export function refusePushed(root: string): void {
  if (!isPushedRoot(root)) return;
  throw new AppError('bad_argument', 'The index of this project comes from those who push it.', {
    hint: 'Run `waymark push` where it is checked out.',
  });
}
