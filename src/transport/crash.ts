/** How a bug reaches a client: as a reference. The log has the rest under that reference. */
import type { LogFields, Logger } from '../core/index.ts';

export interface CrashReporter {
  /** Logs what was thrown; returns what the client reads. */
  (what: string, thrown: unknown, fields?: LogFields): string;
}

const INTERNAL_ERROR = 'Internal error (reference ';

export function createCrashReporter(logger: Logger, newReference: () => string): CrashReporter {
  return (what, thrown, fields) => {
    const reference = newReference();
    const cause = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    logger.error(what, { ...fields, reference, cause });
    return `${INTERNAL_ERROR}${reference})`;
  };
}

/** Whether a message is one that a reporter has made. */
export function isCrashReport(message: string): boolean {
  return message.startsWith(INTERNAL_ERROR);
}
