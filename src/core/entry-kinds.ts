/** The kinds of what is remembered. */
export const ENTRY_KINDS = ['checkpoint', 'remediation', 'skill', 'guide', 'collection'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
