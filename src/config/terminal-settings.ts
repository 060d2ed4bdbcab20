/** Settings of what commands print on a terminal. */
import type { Setting } from './setting.ts';

const TERMINAL = { scope: 'user', group: 'Terminal', places: ['global'] } as const;

export const TERMINAL_SETTINGS = [
  {
    key: 'color',
    kind: 'choice',
    values: ['auto', 'always', 'never'],
    default: 'auto',
    flag: '--color',
    valueName: 'when',
    env: 'WAYMARK_COLOR',
    description:
      'When output is coloured; `auto` asks NO_COLOR and FORCE_COLOR, then whether it goes to a terminal.',
    ...TERMINAL,
  },
  {
    key: 'theme',
    kind: 'choice',
    values: ['auto', 'dark', 'light'],
    default: 'auto',
    flag: '--theme',
    valueName: 'which',
    env: 'WAYMARK_THEME',
    description:
      "Colours for a dark or a light background; `auto` asks the terminal's COLORFGBG, and is dark without it.",
    ...TERMINAL,
  },
  {
    key: 'pager',
    kind: 'boolean',
    default: true,
    flag: '--pager',
    env: 'WAYMARK_PAGER',
    description: 'Long answers go through $PAGER, or less, if they are printed on a terminal.',
    ...TERMINAL,
  },
] as const satisfies readonly Setting[];
