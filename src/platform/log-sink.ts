/** Where log lines go: standard error, or a file only its owner may read. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../core/index.ts';
import { makeFolders, makePrivateIfPresent } from './private-files.ts';

export interface LogSink {
  write(line: string): void;
  close(): void;
}

/** By number: in a worker thread `process.stderr` is a stream without one. */
const STANDARD_ERROR = 2;

export function openLogSink(file: string | undefined): LogSink {
  const fd = file === undefined ? STANDARD_ERROR : openLogFile(file);
  let open = true;
  return {
    write(line) {
      if (!open) return;
      try {
        writeSync(fd, `${line}\n`);
      } catch {
        // A log that cannot be written (closed terminal, full disk) must not take the work down with it.
      }
    },
    close() {
      if (!open) return;
      open = false;
      if (file !== undefined) closeSync(fd);
    },
  };
}

function openLogFile(file: string): number {
  try {
    makeFolders(dirname(file), 0o700);
    makePrivateIfPresent(file);
    return openSync(file, 'a', 0o600);
  } catch (cause) {
    throw new AppError('file_unavailable', `The log file cannot be opened: ${file}`, {
      hint: 'Choose another with --log-file, or leave it out to log to standard error.',
      cause,
    });
  }
}
