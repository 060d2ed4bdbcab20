#!/usr/bin/env node
/** The bin. Sessions of clients wait for their hooks, so these load as little as they can. */
const [group = '', what = ''] = process.argv.slice(2);
const isHook = group === 'hooks' && (what === 'start' || what === 'capture');
const hook = isHook ? await (await import('./hook.ts')).runHook(process.argv.slice(3)) : undefined;

process.exit(hook?.kind === 'done' ? 0 : await (await import('./program.ts')).run(hook?.input));
