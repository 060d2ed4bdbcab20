/** The clients that have hooks, for help and completions: their table is loaded when it is needed. A test compares. */
export const CAPTURE_CLIENTS = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'opencode'] as const;
