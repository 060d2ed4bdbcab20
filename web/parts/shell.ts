/** The frame around every screen: where you can go, which project is meant, how it looks. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { OverviewAnswer, ProjectsAnswer } from '../../src/dashboard/api.ts';
import { get, type PageError } from '../api-client.ts';
import { baseName } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { Clients } from '../screens/clients.ts';
import { CodeMap } from '../screens/code-map.ts';
import { Coverage } from '../screens/coverage.ts';
import { Live } from '../screens/live.ts';
import { Memory } from '../screens/memory.ts';
import { Playground } from '../screens/playground.ts';
import { Projects } from '../screens/projects.ts';
import {
  chooseProject,
  linkTo,
  overview,
  recent,
  root,
  screen,
  setTheme,
  theme,
  type ScreenName,
  type Theme,
} from '../state.ts';
import { Command } from './controls.ts';
import { useLoad } from './load.ts';
import { Message } from './message.ts';

interface Place {
  readonly name: ScreenName;
  readonly title: string;
  readonly view: ComponentType;
}

const PLACES: readonly Place[] = [
  { name: 'projects', title: 'Projects', view: Projects },
  { name: 'live', title: 'Live', view: Live },
  { name: 'playground', title: 'Playground', view: Playground },
  { name: 'coverage', title: 'Coverage', view: Coverage },
  { name: 'memory', title: 'Memory', view: Memory },
  { name: 'map', title: 'Code map', view: CodeMap },
  { name: 'clients', title: 'Clients', view: Clients },
];

const OF_A_PROJECT: readonly ScreenName[] = ['playground', 'coverage', 'memory', 'map'];
const MOST_CHOICES = 100;

export function Shell(): ComponentChildren {
  const seen = useLoad(async () => {
    const [about, projects] = await Promise.all([
      get<OverviewAnswer>('overview'),
      get<ProjectsAnswer>('projects', { limit: MOST_CHOICES }),
    ]);
    overview.value = about;
    recent.value = projects.rows.filter(({ isGone }) => !isGone);
    return about;
  }, []);
  const place = PLACES.find(({ name }) => name === screen.value) ?? PLACES[0];
  const title = place?.title ?? '';
  useEffect(() => {
    document.title = `${title} · Waymark`;
    // A reader that cannot see hears where it is now; the first screen is where it is anyway.
    if (document.activeElement?.closest('nav') !== null) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [title]);
  if (seen.error !== undefined) return html`<${Locked} error=${seen.error} />`;
  return html`<a class="skip" href="#main" onClick=${toMain}>Skip to the content</a>
    <div class="shell">
      <aside>
        <a class="brand" href=${linkTo('projects')}>Waymark</a>
        <nav aria-label="Screens">
          <ul>
            ${PLACES.map(
              ({ name, title: label }) =>
                html`<li key=${name}>
                  <a href=${linkTo(name)} aria-current=${name === place?.name ? 'page' : undefined}>${label}</a>
                </li>`,
            )}
          </ul>
        </nav>
        <footer>
          <label>
            <span>Look</span>
            <select
              value=${theme.value}
              onChange=${(event: Event) => setTheme(valueOf(event) as Theme /* one of the options below */)}
            >
              <option value="system">as the system</option>
              <option value="light">light</option>
              <option value="dark">dark</option>
            </select>
          </label>
          <small>${seen.value === undefined ? '\u00a0' : `version ${seen.value.version}`}</small>
        </footer>
      </aside>
      <main id="main" tabindex="-1">
        ${OF_A_PROJECT.includes(screen.value) ? html`<${ProjectChoice} />` : ''}
        ${seen.value === undefined || place === undefined ? '' : html`<${place.view} key=${place.name} />`}
      </main>
    </div>
    <${Message} />`;
}

function ProjectChoice(): ComponentChildren {
  const here = root.value;
  const known = recent.value.some((row) => row.root === here);
  return html`<label class="choice">
    <span>Project</span>
    <select value=${here} onChange=${(event: Event) => chooseProject(valueOf(event))}>
      ${here === undefined ? html`<option value="">none yet</option>` : ''}
      ${here === undefined || known ? '' : html`<option value=${here}>${baseName(here)} (${here})</option>`}
      ${recent.value.map(
        ({ root: path, name }) => html`<option key=${path} value=${path}>${name} (${path})</option>`,
      )}
    </select>
  </label>`;
}

export function Locked({ error }: { readonly error: PageError }): ComponentChildren {
  return html`<main class="locked">
    <h1>Waymark</h1>
    <p role="alert">${error.message}</p>
    <p>${error.hint ?? 'Run this in a terminal; it prints a fresh link.'}</p>
    <${Command} text="waymark ui" />
  </main>`;
}

function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
