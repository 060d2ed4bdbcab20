/** Attacks on the command line: prepared files, text, arguments, environments, settings and servers. */
import type { Attack } from './attack.ts';
import { fileAttacks } from './cli-files.ts';
import { settingsAttacks } from './cli-settings.ts';
import { wordAttacks } from './cli-words.ts';

export const cliAttacks: readonly Attack[] = [...fileAttacks, ...wordAttacks, ...settingsAttacks];
