/** R036: state that a client carries expires, and outlives its key by no more than that. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createRequestState, type StateKeys } from './request-state.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
// Only the method and the request are looked at.
const CONTEXT = { mcpReq: { method: 'tools/call' } } as unknown as ServerContext;
const STATE = { asked: 'digest' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

const withKeys = (keys: StateKeys) => createRequestState(() => keys);

test('R036 expires after two minutes', async () => {
  const state = withKeys({ current: NEW, previous: undefined });
  const text = await state.mint(STATE, CONTEXT);

  vi.advanceTimersByTime(119_000);
  await expect(state.verify(text, CONTEXT)).resolves.toEqual(STATE);
  vi.advanceTimersByTime(3_000);
  await expect(state.verify(text, CONTEXT)).rejects.toThrow();
});

test('R036 signed with the previous key it still counts, until it expires; with an older one it does not', async () => {
  const text = await withKeys({ current: OLD, previous: undefined }).mint(STATE, CONTEXT);
  const rotated = withKeys({ current: NEW, previous: OLD });

  await expect(rotated.verify(text, CONTEXT)).resolves.toEqual(STATE);
  await expect(withKeys({ current: NEW, previous: undefined }).verify(text, CONTEXT)).rejects.toThrow();
  vi.advanceTimersByTime(122_000);
  await expect(rotated.verify(text, CONTEXT)).rejects.toThrow();
});
