/** Every failure a user can meet has a code; the table says whose fault it is and how each edge reports it. */

export type Fault = 'caller' | 'environment' | 'bug';

export interface ErrorFacts {
  readonly fault: Fault;
  readonly httpStatus: number;
  readonly exitCode: number;
}

export const ERROR_FACTS = {
  bad_argument: { fault: 'caller', httpStatus: 400, exitCode: 2 },
  bad_config: { fault: 'caller', httpStatus: 400, exitCode: 2 },
  unknown_command: { fault: 'caller', httpStatus: 404, exitCode: 2 },
  no_project: { fault: 'caller', httpStatus: 400, exitCode: 2 },
  not_found: { fault: 'caller', httpStatus: 404, exitCode: 2 },
  interrupted: { fault: 'caller', httpStatus: 499, exitCode: 130 },
  too_busy: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  port_in_use: { fault: 'environment', httpStatus: 500, exitCode: 1 },
  cannot_listen: { fault: 'environment', httpStatus: 500, exitCode: 1 },
  file_unavailable: { fault: 'environment', httpStatus: 500, exitCode: 1 },
  encoder_unavailable: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  server_unavailable: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  encoder_refused: { fault: 'environment', httpStatus: 502, exitCode: 1 },
  parser_unavailable: { fault: 'environment', httpStatus: 500, exitCode: 1 },
  runtime_too_old: { fault: 'environment', httpStatus: 500, exitCode: 1 },
  storage_unavailable: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  storage_busy: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  storage_newer: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  storage_damaged: { fault: 'environment', httpStatus: 503, exitCode: 1 },
  internal: { fault: 'bug', httpStatus: 500, exitCode: 1 },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERROR_FACTS;

/**
 * A failure in our own words. `message` says what happened, `hint` what to do next.
 * Neither ever holds file content, SQL or third-party text: both reach a model.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, more: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = more.hint;
  }

  get facts(): ErrorFacts {
    return ERROR_FACTS[this.code];
  }
}

/** Whatever was thrown, as an AppError; a foreign error becomes `internal` and keeps itself as the cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isOfOtherBundle(thrown)) return new AppError(thrown.code, thrown.message, thrown);
  return new AppError('internal', 'Something went wrong inside Waymark.', {
    hint: 'Run the same command with --debug and report what it prints.',
    cause: thrown,
  });
}

/** The front is a bundle of its own: its AppError is another class of the same build. */
function isOfOtherBundle(thrown: unknown): thrown is AppError {
  return (
    thrown instanceof Error &&
    thrown.name === 'AppError' &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    Object.hasOwn(ERROR_FACTS, thrown.code)
  );
}
