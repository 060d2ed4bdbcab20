/** The kinds of what is remembered. */
export const ENTRY_KINDS = ['checkpoint', 'remediation', 'skill', 'fact', 'guide', 'collection'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
