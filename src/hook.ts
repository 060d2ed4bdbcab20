/** What the hooks of clients load: a bundle of its own. */
export { runHook, type HookRun } from './cli/index.ts';
