/** The sets that tools come in. A client pays for every tool it lists, so that it may choose. */
import { AppError } from './app-error.ts';

export const TOOLSETS = ['search', 'structure', 'memory', 'project', 'guide', 'diagnose'] as const;
export type Toolset = (typeof TOOLSETS)[number];

const ALL = 'all';

/** From names, each maybe several with commas, to sets in their fixed order. Throws `bad_argument` if there is none, or an unknown one. */
export function parseToolsets(names: readonly string[]): readonly Toolset[] {
  const wanted = names
    .flatMap((name) => name.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = wanted.filter((name) => name !== ALL && !TOOLSETS.some((set) => set === name));
  if (unknown.length > 0) {
    throw new AppError('bad_argument', `There is no toolset ${unknown.map(quoted).join(', ')}.`, {
      hint: `Choose from ${TOOLSETS.join(', ')}, or ${ALL}.`,
    });
  }
  if (wanted.length === 0) {
    throw new AppError('bad_argument', 'No toolset is named, so that there would be no tool.', {
      hint: `Choose from ${TOOLSETS.join(', ')}, or ${ALL}.`,
    });
  }
  return wanted.includes(ALL) ? TOOLSETS : TOOLSETS.filter((set) => wanted.includes(set));
}

/** Foreign text on its way into a message: short, and without anything but the letters of a name. */
function quoted(name: string): string {
  return `\`${name.replaceAll(/[^\w.-]/g, '?').slice(0, 40)}\``;
}
