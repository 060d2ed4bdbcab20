/** Attacks on `--allow-project-root`: what lies outside is not read, not named, and cannot be asked about. */
import type { Attack } from './attack.ts';
import { linkAttacks } from './jail-links.ts';
import { namingAttacks } from './jail-naming.ts';
import { oracleAttacks } from './jail-oracles.ts';

export const jailAttacks: readonly Attack[] = [...namingAttacks, ...linkAttacks, ...oracleAttacks];
