/** Every list of attacks, by area. A new list is one import and one line here. */
import type { Attack } from './attack.ts';
import { authAttacks } from './auth-attacks.ts';
import { bodyAttacks } from './body-attacks.ts';
import { cliAttacks } from './cli-attacks.ts';
import { framingAttacks } from './framing-attacks.ts';
import { hookAttacks } from './hook-attacks.ts';
import { httpAttacks } from './http-attacks.ts';
import { indexAttacks } from './index-attacks.ts';
import { jailAttacks } from './jail-attacks.ts';
import { memoryAttacks } from './memory-attacks.ts';
import { sessionAttacks } from './session-attacks.ts';
import { startAttacks } from './start-attacks.ts';
import { supplyAttacks } from './supply-attacks.ts';

export const ATTACKS: readonly Attack[] = [
  ...httpAttacks,
  ...framingAttacks,
  ...bodyAttacks,
  ...sessionAttacks,
  ...authAttacks,
  ...startAttacks,
  ...supplyAttacks,
  ...jailAttacks,
  ...cliAttacks,
  ...memoryAttacks,
  ...hookAttacks,
  ...indexAttacks,
];
