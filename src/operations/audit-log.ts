/**
 * Who wrote what: a line of JSON for each call of a tool that may change something, and for each that was refused. It holds names and
 * outcomes, and nothing of what was said: neither arguments nor answers.
 */
import type { Clock, Principal } from '../core/index.ts';
import { escapeControl, hideSecrets } from '../text/index.ts';
import type { CallObserver } from '../tools/index.ts';
import { outcomeOf, type Outcome } from './observed-calls.ts';

export interface AuditParts {
  readonly clock: Clock;
  /** Takes one finished line without its line break. */
  readonly write: (line: string) => void;
}

export interface AuditLog {
  readonly observe: CallObserver['call'];
  /** A call that its token does not allow: of a tool, or of a method that has none. */
  refused(call: { readonly principal: Principal; readonly tool: string }): void;
  /** A write that is no call of a tool: one of the page, or a command about tokens. */
  wrote(write: Written): void;
}

export interface Written {
  readonly principal: Principal;
  /** What was done, in our own words: `page memory/edit`. */
  readonly tool: string;
  readonly client: string;
  readonly project?: string | undefined;
  /** Our own word for what was wrong, if it failed. */
  readonly error?: string | undefined;
  readonly ms?: number;
}

interface AuditEntry {
  readonly principal: Principal;
  readonly tool: string;
  readonly outcome: Outcome | 'refused';
  readonly client?: string;
  readonly project?: string | undefined;
  /** Our own word for what was wrong. */
  readonly error?: string | undefined;
  readonly ms?: number;
}

export function createAuditLog({ clock, write }: AuditParts): AuditLog {
  const add = ({ principal, client, project, ...entry }: AuditEntry): void => {
    const { kind, id, issuer, subject, tenant } = principal;
    write(
      JSON.stringify({
        time: new Date(clock.now()).toISOString(),
        principal: id,
        kind,
        // Not cleaned of what looks like a secret: subjects of issuers often do, and are none.
        issuer,
        subject: subject && escapeControl(subject),
        tenant: tenant && escapeControl(tenant),
        ...entry,
        client: client && clean(client),
        project: project && clean(project),
      }),
    );
  };
  return {
    observe({ principal, tool, client, writes }) {
      if (!writes) return () => {};
      const started = clock.elapsed();
      return (end) => {
        const error = end.answer?.structured['error_type'];
        add({
          principal,
          tool,
          client,
          project: end.detection?.kind === 'found' ? end.detection.project.root : undefined,
          outcome: outcomeOf(end),
          error: typeof error === 'string' ? error : undefined,
          ms: Math.round(clock.elapsed() - started),
        });
      };
    },
    wrote: (write) => add({ ...write, outcome: write.error === undefined ? 'ok' : 'failed' }),
    refused: ({ principal, tool }) => add({ principal, tool: clean(tool), outcome: 'refused' }),
  };
}

function clean(text: string): string {
  return escapeControl(hideSecrets(text));
}
