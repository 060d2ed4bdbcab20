/** The page: opens its session, then shows the screen that the address names. */
import './usable-language.ts';
import { render } from 'preact';
import { openSession } from './api-client.ts';
import { html } from './html.ts';
import { toPageError } from './parts/load.ts';
import { Locked, Shell } from './parts/shell.ts';
import { showTheme } from './state.ts';

async function start(): Promise<void> {
  showTheme();
  const place = document.getElementById('page');
  if (place === null) return;
  try {
    await openSession();
    render(html`<${Shell} />`, place);
  } catch (thrown) {
    render(html`<${Locked} error=${toPageError(thrown)} />`, place);
  }
}

void start();
