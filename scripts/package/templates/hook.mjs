/**
 * Says one line at a moment the agent should think of Waymark. Opens nothing, starts nothing, waits for nothing; whatever
 * happens it ends with 0, because a hook that fails would stop the user's prompt.
 */
const LINES = {
  'session-start':
    'Waymark is installed: if the tools of its MCP server are listed, call project_status to see which project this is, and use them to find code or recall what was learned. If they are not, the server did not start; /mcp says why.',
  'before-compaction':
    'The context is about to be compacted: save a Waymark checkpoint of what was done, what is left and what failed, if its tools offer that.',
};

process.on('uncaughtException', () => process.exit(0));
const line = LINES[process.argv[2]];
if (line !== undefined) process.stdout.write(`${line}\n`);
process.exitCode = 0;
