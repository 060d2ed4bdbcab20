/** The last events of a session, so that a client that lost its stream can have what it missed. Bounded. */

export interface EventLog {
  /** Keeps an event of a stream and returns its id. */
  append(stream: number, data: string): string;
  /** The stream an id belongs to and the events that came after it; undefined if the id is not one of ours. */
  after(id: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined;
}

export interface LoggedEvent {
  readonly id: string;
  readonly data: string;
}

export interface EventLogLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

const LIMITS: EventLogLimits = { maxEvents: 256, maxBytes: 256 * 1024 };

export function createEventLog(limits: EventLogLimits = LIMITS): EventLog {
  const kept: { readonly stream: number; readonly order: number; readonly data: string }[] = [];
  let bytes = 0;
  let last = 0;
  return {
    append(stream, data) {
      last += 1;
      kept.push({ stream, order: last, data });
      bytes += data.length;
      while (kept.length > limits.maxEvents || (bytes > limits.maxBytes && kept.length > 1)) {
        bytes -= kept.shift()?.data.length ?? 0;
      }
      return toId(stream, last);
    },
    after(id) {
      const match = /^(\d{1,9})-(\d{1,15})$/.exec(id);
      if (match === null) return undefined;
      const stream = Number(match[1]);
      const order = Number(match[2]);
      if (order > last) return undefined;
      const events = kept.filter((event) => event.stream === stream && event.order > order);
      return { stream, events: events.map((event) => ({ id: toId(stream, event.order), data: event.data })) };
    },
  };
}

function toId(stream: number, order: number): string {
  return `${stream}-${order}`;
}
