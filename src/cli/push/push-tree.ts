/**
 * Sends the index of a working tree: what is committed to its branch, if nothing there is newer, and the rest to what this person has over
 * it. Buckets of files that are the same on both sides cost eight bytes each; of the others the server asks for what it lacks.
 */
import { AppError } from '../../core/index.ts';
import { PUSH_LIMITS, type FileHead, type StateReply } from '../../push/index.ts';
import { bucketOf, contentKey, digestBuckets, type IndexStore, type RowStamp, type WholeFile } from '../../storage/index.ts';
import type { PushServer } from './server.ts';

export interface PushedTree {
  /** The normalised remote. */
  readonly project: string;
  readonly branch: string;
  readonly commit: string | undefined;
  /** Files that are not as in that commit, gone ones too. */
  readonly uncommitted: ReadonlySet<string>;
  readonly store: Pick<IndexStore, 'rowStamps' | 'wholeFiles'>;
  /** Its text without secrets; undefined if it is no longer what was indexed. */
  readonly textOf: (path: string, hash: string) => string | undefined;
  /** Whether this tree's commit holds all that is in that one. */
  readonly isAhead: (commit: string) => boolean;
}

export interface PushOptions {
  readonly analysis: string;
  readonly parser: string;
  /** The branch becomes this tree, whatever is there. */
  readonly force: boolean;
  /** Nothing is sent but digests. */
  readonly dryRun: boolean;
  readonly random: () => number;
  readonly onProgress: (done: number, total: number) => void;
}

export interface PushReport {
  readonly files: number;
  /** Files whose rows were sent, and to be sent in a dry run. */
  readonly sent: readonly string[];
  /** Whether the branch is this tree now. */
  readonly branch: 'same' | 'written' | 'newer';
  /** Files of this person alone, over the branch. */
  readonly own: number;
  readonly keepsSource: boolean;
}

interface Keyed extends RowStamp {
  readonly key: Uint8Array;
}

const MOST_ATTEMPTS = 5;

/** Begins anew where another push was faster: what was sent is kept. */
export async function pushTree(tree: PushedTree, server: PushServer, options: PushOptions): Promise<PushReport> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pushOnce(tree, server, options);
    } catch (thrown) {
      const isOvertaken = thrown instanceof AppError && thrown.code === 'storage_busy';
      if (!isOvertaken || attempt >= MOST_ATTEMPTS) throw thrown;
    }
  }
}

async function pushOnce(tree: PushedTree, server: PushServer, options: PushOptions): Promise<PushReport> {
  const files = (await tree.store.rowStamps()).map((stamp) => ({ ...stamp, key: contentKey(stamp) }));
  const committed = files.filter(({ path }) => !tree.uncommitted.has(path));
  if (tree.uncommitted.size > PUSH_LIMITS.keptPaths)
    throw new AppError('bad_argument', `More than ${PUSH_LIMITS.keptPaths} files are not committed.`, {
      hint: 'Commit them, or have git ignore them.',
    });
  const kept = [...tree.uncommitted];
  const sent = new Set<string>();
  const run = { tree, server, options, sent };
  const branch = await askState(run, { isHead: false, files: committed, kept });
  const isFirst = branch.reply.generation === 0;
  const mayWrite =
    isFirst || options.force || branch.reply.commit === null || tree.isAhead(branch.reply.commit);
  const isSame = branch.reply.differing.length === 0 && branch.reply.commit === (tree.commit ?? null);
  if (mayWrite && !isSame) await sendFiles(run, branch);
  const state: PushReport['branch'] = !mayWrite ? 'newer' : isSame ? 'same' : 'written';
  // Where the branch is this tree, what lay over it goes; a dry run has not written it.
  const isWhole = tree.uncommitted.size === 0 && state !== 'newer';
  if (isWhole && options.dryRun) return report(run, { files, branch, state, own: 0 });
  const head = await askState(run, { isHead: true, files, kept: [] });
  const differing = new Set(head.reply.differing);
  const own = isWhole ? 0 : files.filter(({ path }) => differing.has(bucketOf(path)) && isOwn(run, path)).length;
  await sendFiles(run, head);
  return report(run, { files, branch, state, own });
}

interface Run {
  readonly tree: PushedTree;
  readonly server: PushServer;
  readonly options: PushOptions;
  readonly sent: Set<string>;
}

interface Asked {
  readonly isHead: boolean;
  readonly files: readonly Keyed[];
  readonly kept: readonly string[];
}

interface State extends Asked {
  readonly target: { readonly project: string; readonly branch: string; readonly head: boolean; readonly attempt: number };
  readonly reply: StateReply;
}

async function askState({ tree, server, options }: Run, asked: Asked): Promise<State> {
  const { project, branch } = tree;
  const { analysis, parser } = options;
  const target = { project, branch, head: asked.isHead, attempt: 1 + Math.floor(options.random() * 2 ** 31 - 1) };
  const reply = await server.send('state', { ...target, kept: [...asked.kept], analysis, parser }, [
    digestBuckets(asked.files),
  ]);
  return { ...asked, target, reply };
}

/** What is not committed is known to no other person by its key. */
function isOwn({ tree }: Pick<Run, 'tree'>, path: string): boolean {
  return tree.uncommitted.has(path);
}

async function sendFiles(run: Run, state: State): Promise<void> {
  const { tree, server, options, sent } = run;
  const { target, reply, isHead } = state;
  const buckets = new Set(reply.differing);
  const files = state.files.filter(({ path }) => buckets.has(bucketOf(path)));
  if (options.dryRun) {
    for (const { path } of files) sent.add(path);
    return;
  }
  const missing: Keyed[] = [];
  for (const some of batches(files, PUSH_LIMITS.batchEntries)) {
    const entries = some.map(
      ({ path, sizeBytes, mtimeMs }): [string, number, number, number] => [
        path,
        sizeBytes,
        mtimeMs,
        isHead && isOwn(run, path) ? 1 : 0,
      ],
    );
    const told = await server.send('stage', { ...target, entries }, some.map(({ key }) => key));
    for (const at of told.missing) {
      const file = some[at];
      if (file !== undefined) missing.push(file);
    }
  }
  let done = 0;
  for (const some of batches(missing, PUSH_LIMITS.batchFiles / 8)) {
    const whole = await tree.store.wholeFiles(some.map(({ path }) => path));
    if (whole.length < some.length || whole.some((file) => !isAsKeyed(file, some))) throw changedMeanwhile();
    for (const batch of bySize(whole)) await server.send('add', ...toAdd(batch, { run, state }));
    for (const { path } of some) sent.add(path);
    done += some.length;
    options.onProgress(done, missing.length);
  }
  const end = { base: reply.generation, differing: [...reply.differing], kept: [...state.kept] };
  const { commit } = tree;
  await server.send('commit', { ...target, ...end, files: files.length, ...(commit && { commit }) });
}

function toAdd(
  files: readonly WholeFile[],
  { run, state }: { readonly run: Run; readonly state: State },
): [head: State['target'] & { files: FileHead[] }, parts: readonly Uint8Array[]] {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const heads = files.map((file): FileHead => {
    const { vectors, outline, parsed, terms, trigrams, ...rest } = file;
    const text = state.reply.keeps_source ? run.tree.textOf(file.path, file.hash) : undefined;
    const own = [
      terms,
      trigrams,
      vectors?.packed,
      outline === undefined ? undefined : encoder.encode(outline),
      parsed?.facts,
      text === undefined ? undefined : encoder.encode(text),
    ];
    for (const part of own) if (part !== undefined) parts.push(part);
    const note = parsed?.note;
    return {
      ...rest,
      own: state.isHead && isOwn(run, file.path),
      ...(note && {
        parsed: {
          parser: note.parser,
          errorShare: note.errorShare,
          ...(note.failure === undefined ? {} : { failure: note.failure }),
        },
      }),
      ...(vectors && { vectors: { model: vectors.model, dimensions: vectors.dimensions } }),
      lengths: own.map((part) => part?.byteLength ?? -1),
    };
  });
  return [{ ...state.target, files: heads }, parts];
}

function isAsKeyed(file: WholeFile, keyed: readonly Keyed[]): boolean {
  const { parser, failure } = file.parsed?.note ?? { parser: undefined, failure: undefined };
  const known = keyed.find(({ path }) => path === file.path);
  return known !== undefined && contentKey({ ...file, parser, failure }).equals(known.key);
}

function batches<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

/** Each as large as a request should be; one that is larger goes alone. */
function bySize(files: readonly WholeFile[]): readonly (readonly WholeFile[])[] {
  const made: WholeFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const size =
      file.terms.byteLength +
      file.trigrams.byteLength +
      (file.vectors?.packed.byteLength ?? 0) +
      (file.outline?.length ?? 0) +
      (file.parsed?.facts?.byteLength ?? 0) +
      file.sizeBytes;
    bytes += size;
    if (bytes > PUSH_LIMITS.batchBytes) {
      made.push([]);
      bytes = size;
    }
    made.at(-1)?.push(file);
  }
  return made;
}

function report(
  { sent }: Run,
  {
    files,
    branch,
    state,
    own,
  }: {
    readonly files: readonly Keyed[];
    readonly branch: State;
    readonly state: PushReport['branch'];
    readonly own: number;
  },
): PushReport {
  return {
    files: files.length,
    sent: [...sent].toSorted(),
    branch: state,
    own,
    keepsSource: branch.reply.keeps_source,
  };
}

/** Begins anew: the index is another one by now. */
function changedMeanwhile(): AppError {
  return new AppError('storage_busy', 'Files were changed while they were pushed.', { hint: 'Push again.' });
}
