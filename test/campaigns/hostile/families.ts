/** Every kind of hostile repository; a new kind is a file of makers and a line here. */
import { BRACKETS } from './brackets.ts';
import { CONTENTS } from './contents.ts';
import type { Family } from './fixture.ts';
import { GENERATED } from './generated.ts';
import { GIT_PLANTS } from './git-plants.ts';
import { LINKS } from './links.ts';
import { NAMES } from './names.ts';
import { NESTING } from './nesting.ts';
import { PERMISSIONS } from './permissions.ts';
import { PROJECT_FILES } from './project-files.ts';
import { RACES } from './races.ts';
import { RULE_FILES } from './rule-files.ts';
import { SPECIAL_FILES } from './special-files.ts';

export const FAMILIES: readonly Family[] = [
  LINKS,
  SPECIAL_FILES,
  NAMES,
  NESTING,
  CONTENTS,
  BRACKETS,
  GIT_PLANTS,
  RULE_FILES,
  PROJECT_FILES,
  PERMISSIONS,
  RACES,
  GENERATED,
];
