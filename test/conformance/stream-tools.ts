/** Tools that say something before they answer, or leave and come back. */
import { setTimeout as wait } from 'node:timers/promises';
import { textResult, type FixtureTool } from './fixture-tool.ts';

/** The suite wants to see that messages arrive one by one. */
const STEP_MS = 50;

export const STREAM_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_tool_with_logging',
    description: 'Logs three lines on its way',
    async run(_args, { mcpReq }) {
      await mcpReq.log('info', 'Tool execution started');
      await wait(STEP_MS);
      await mcpReq.log('info', 'Tool processing data');
      await wait(STEP_MS);
      await mcpReq.log('info', 'Tool execution completed');
      return textResult('Logged three lines');
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Logs one line, which only a client that named a level gets',
    async run(_args, { mcpReq }) {
      await mcpReq.log('info', 'A line for the caller');
      return textResult('Logged one line');
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress in three steps to a client that gave a token',
    async run(_args, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await wait(STEP_MS);
        if (progressToken === undefined) continue;
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      return textResult('Reported progress');
    },
  },
  {
    name: 'test_reconnection',
    description: 'Closes its stream before it answers; the client has to come back for the answer',
    async run(_args, { http }) {
      http?.closeSSE?.();
      await wait(2 * STEP_MS);
      return textResult('Answered after the stream was closed');
    },
  },
];
