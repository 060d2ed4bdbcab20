/** What all screens share: the address, the chosen project, the theme, one message. */
import { computed, signal } from '@preact/signals';
import type { OverviewAnswer, ProjectRow } from '../src/dashboard/api.ts';

export const SCREENS = ['projects', 'live', 'playground', 'coverage', 'memory', 'map', 'clients'] as const;
export type ScreenName = (typeof SCREENS)[number];

export const address = signal(location.hash);
addEventListener('hashchange', () => (address.value = location.hash));

export const screen = computed<ScreenName>(() => {
  const name = /^#\/([a-z]+)/.exec(address.value)?.[1];
  return SCREENS.find((known) => known === name) ?? 'projects';
});

/** What stands behind the screen in the address, as in `#/memory?root=/home/me/shop`. */
export const parameters = computed(() => new URLSearchParams(/\?(.*)$/.exec(address.value)?.[1] ?? ''));

export const overview = signal<OverviewAnswer | undefined>(undefined);
/** The most recently used projects, for the choice in the header. */
export const recent = signal<readonly ProjectRow[]>([]);
/** What was chosen last, for when the address says nothing. */
const chosen = signal<string | undefined>(undefined);
export const root = computed(
  () => parameters.value.get('root') ?? chosen.value ?? overview.value?.usual?.root ?? recent.value[0]?.root,
);

export function goTo(name: ScreenName, more: Readonly<Record<string, string>> = {}): void {
  const search = new URLSearchParams(more).toString();
  location.hash = `#/${name}${search === '' ? '' : `?${search}`}`;
}

export function chooseProject(path: string): void {
  chosen.value = path;
  goTo(screen.value, { root: path });
}

/** The address of a screen for the chosen project. */
export function linkTo(name: ScreenName): string {
  const path = root.value;
  return path === undefined ? `#/${name}` : `#/${name}?${new URLSearchParams({ root: path }).toString()}`;
}

const THEME = 'waymark-theme';
export type Theme = 'system' | 'light' | 'dark';
export const theme = signal<Theme>(readTheme());

export function setTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(THEME, next);
  showTheme();
}

export function showTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}

function readTheme(): Theme {
  const kept = localStorage.getItem(THEME);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Said to the user for a while, and read out. */
export const message = signal<string>('');
let clearing: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  message.value = text;
  clearTimeout(clearing);
  clearing = setTimeout(unsay, 6_000);
}

export function unsay(): void {
  clearTimeout(clearing);
  message.value = '';
}
