/** The colours of the command line by what they mean. Two palettes: what is bright on black cannot be read on white. Pure. */
import type { Environment } from '../../config/index.ts';

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  /** What should be noticed. */
  warn(text: string): string;
  /** Names that a person may type or open: paths, commands, projects. */
  accent(text: string): string;
  /** What was looked for. */
  mark(text: string): string;
  /** In code. */
  keyword(text: string): string;
  string(text: string): string;
  comment(text: string): string;
}

type Style = keyof Paint;
export type Theme = 'dark' | 'light';

const PALETTES: Readonly<Record<Theme, Readonly<Record<Style, string>>>> = {
  dark: {
    bold: '1',
    dim: '2',
    red: '31',
    green: '32',
    warn: '33',
    accent: '36',
    mark: '1;33',
    keyword: '35',
    string: '32',
    comment: '2',
  },
  light: {
    bold: '1',
    dim: '2',
    red: '31',
    green: '32',
    warn: '35',
    accent: '34',
    mark: '1;31',
    keyword: '35',
    string: '32',
    comment: '2',
  },
};

/** Without a theme nothing is coloured. */
export function createPaint(theme: Theme | undefined): Paint {
  const style = (name: Style) => (text: string) =>
    theme === undefined || text === '' ? text : `\u001b[${PALETTES[theme][name]}m${text}\u001b[0m`;
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    warn: style('warn'),
    accent: style('accent'),
    mark: style('mark'),
    keyword: style('keyword'),
    string: style('string'),
    comment: style('comment'),
  };
}

/** Backgrounds of the sixteen colours that are light: grey, and the bright ones but for dark grey. */
const LIGHT = new Set([7, 9, 10, 11, 12, 13, 14, 15]);

/** Terminals that tell their colours do it in COLORFGBG, `15;0`: the background stands last. The others are mostly dark. */
export function themeOf(wanted: 'auto' | Theme, env: Environment): Theme {
  if (wanted !== 'auto') return wanted;
  const background = env['COLORFGBG']?.split(';').at(-1) ?? '';
  return /^\d+$/.test(background) && LIGHT.has(Number(background)) ? 'light' : 'dark';
}
