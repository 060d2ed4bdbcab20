/** Screen 7: who is connected, how each one's project was found, what the tools cost, what the doctor finds. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  ClientRow,
  ClientsAnswer,
  DoctorAnswer,
  FindingValue,
  SourceValue,
} from '../../src/dashboard/api.ts';
import { get, post, type PageError } from '../api-client.ts';
import { ago, count, moment, whole, words } from '../format.ts';
import { html } from '../html.ts';
import { Chip, Figures, Heading } from '../parts/controls.ts';
import { Empty, Failure, Skeleton, toPageError, useLoad } from '../parts/load.ts';
import { overview } from '../state.ts';

const SOURCE_WORDS: Readonly<Record<string, string>> = {
  argument: 'the call itself',
  switched: 'switch_project, earlier',
  roots: "the client's roots",
  client_meta: 'what the client sends along',
  query_param: 'the address',
  env: 'the environment',
  cwd: 'the working directory',
  pwd: 'PWD',
};

const OUTCOMES: Readonly<Record<string, { readonly look: string; readonly text: string }>> = {
  won: { look: 'good', text: 'won' },
  lost: { look: 'warn', text: 'lost' },
  refused: { look: 'bad', text: 'refused' },
  nothing: { look: '', text: 'said nothing' },
};

export function Clients(): ComponentChildren {
  const { value, error } = useLoad((signal) => get<ClientsAnswer>('clients', {}, signal), []);
  return html`<${Heading}
      title="Clients"
      lead="Who asked since this server started, over HTTP and stdio, how their project was found, and what the tools cost."
    />
    ${error === undefined ? '' : html`<${Failure} error=${error} />`}
    ${
      value === undefined
        ? html`<${Skeleton} lines=${8} />`
        : html`<section aria-label="Connected clients" class="stack">
            ${
              value.clients.length === 0
                ? html`<${Empty}
                  title="No client yet"
                  text="Connect one by pasting this into a terminal. waymark setup connects the agents it finds on this machine."
                  command=${overview.value?.connect}
                />`
                : value.clients.map(
                    (client) =>
                      html`<${Client} key=${`${client.client} ${client.transport}`} client=${client} />`,
                  )
            }
          </section>
          <${Cost} answer=${value} />
          <${Doctor} />`
    }`;
}

function Client({ client }: { readonly client: ClientRow }): ComponentChildren {
  const { client: name, transport, calls, listings, firstAt, lastAt, project, sources } = client;
  return html`<article class="card stack">
    <div class="hit-head">
      <h2>${name}</h2>
      <${Chip}>${transport}<//>
      <small
        >${count(calls, 'call')}, the last ${ago(lastAt)}; ${count(listings, 'listing')} of the tools; first seen
        ${` ${moment(firstAt)}`}</small>
    </div>
    <p>${calls === 0 ? html`<span class="muted">connected, and has called nothing yet</span>` : project === null ? html`<${Chip} look="warn">no project<//>` : html`<span class="path">${project}</span>`}</p>
    ${
      sources.length === 0
        ? ''
        : html`<details>
      <summary>How its project was found</summary>
      <${Ladder} sources=${sources} />
    </details>`
    }
  </article>`;
}

function Ladder({ sources }: { readonly sources: readonly SourceValue[] }): ComponentChildren {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Sources, the most trusted first">
    <table class="stacking">
      <thead>
        <tr><th scope="col">Source, the most trusted first</th><th scope="col">Outcome</th><th scope="col">Said</th></tr>
      </thead>
      <tbody>
        ${sources.map(
          ({ source, outcome, path, why }) => html`<tr key=${source}>
            <td>${SOURCE_WORDS[source] ?? words(source)}</td>
            <td><${Chip} look=${OUTCOMES[outcome]?.look ?? ''}>${OUTCOMES[outcome]?.text ?? outcome}<//></td>
            <td>${path === null ? '' : html`<span class="path">${path} </span>`}<small>${why}</small></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function Cost({ answer }: { readonly answer: ClientsAnswer }): ComponentChildren {
  const { toolsets, listingTokens } = answer;
  const served = toolsets.filter(({ isServed }) => isServed);
  const most = Math.max(1, ...toolsets.flatMap(({ tools }) => tools.map(({ tokens }) => tokens)));
  return html`<section class="stack" aria-label="Cost of the listing">
    <h2>What the tools cost</h2>
    <${Figures}
      figures=${[
        { label: 'Listing', value: `${whole(listingTokens)} tokens`, note: 'in every conversation, about' },
        {
          label: 'Tools',
          value: whole(served.reduce((sum, { tools }) => sum + tools.length, 0)),
          note: `in ${count(served.length, 'set')}`,
        },
      ]}
    />
    <div class="sets">
      ${toolsets.map(
        ({ name, isServed, tools }) => html`<div class="card" key=${name}>
          <h3>
            ${name}
            <${Chip} look=${isServed ? 'good' : ''}>${isServed ? 'served' : 'not served'}<//>
          </h3>
          <ul class="costs">
            ${tools.map(
              ({ name: tool, tokens }) => html`<li key=${tool}>
                <code>${tool}</code>
                <span class="bar" aria-hidden="true"><i style=${{ width: `${(tokens / most) * 100}%` }}></i></span>
                <span class="num">${whole(tokens)}</span>
              </li>`,
            )}
          </ul>
          ${
            isServed
              ? ''
              : html`<small>
                To add it, name all sets, at the server’s start or in a client’s address:
                <code class="line">--toolsets ${[...served.map(({ name: each }) => each), name].join(',')}</code>
              </small>`
          }
        </div>`,
      )}
    </div>
  </section>`;
}

const LEVELS: Readonly<Record<FindingValue['level'], { readonly look: string; readonly text: string }>> = {
  problem: { look: 'bad', text: 'problem' },
  note: { look: 'warn', text: 'note' },
  ok: { look: 'good', text: 'fine' },
};

function Doctor(): ComponentChildren {
  const [findings, setFindings] = useState<readonly FindingValue[] | undefined>(undefined);
  const [error, setError] = useState<PageError | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const examine = (): void => {
    setBusy(true);
    post<DoctorAnswer>('doctor', {}).then(
      (answer) => {
        setFindings(answer.findings);
        setError(undefined);
        setBusy(false);
      },
      (thrown: unknown) => {
        setError(toPageError(thrown));
        setBusy(false);
      },
    );
  };
  const order = ['problem', 'note', 'ok'];
  const sorted = findings?.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  return html`<section class="stack" aria-label="Doctor">
    <div class="summary">
      <div>
        <h2>Doctor</h2>
        <p>Looks at this installation, its stores, servers and the files of agents. It changes nothing.</p>
      </div>
      <button type="button" disabled=${isBusy} onClick=${examine}>
        ${isBusy ? 'Looking …' : 'Examine this machine'}
      </button>
    </div>
    <div aria-live="polite" aria-busy=${isBusy}>
      ${error === undefined ? '' : html`<${Failure} error=${error} />`}
      <ul class="findings">
        ${sorted?.map(
          ({ level, seen, means, todo }, at) => html`<li key=${at} class="card">
            <${Chip} look=${LEVELS[level].look}>${LEVELS[level].text}<//>
            <div>
              <p><strong>${seen}</strong></p>
              <p class="muted">${means}</p>
              ${level === 'ok' || todo === '' ? '' : html`<p>To do: ${withCode(todo)}</p>`}
            </div>
          </li>`,
        )}
      </ul>
    </div>
  </section>`;
}

/** What stands between backticks is to be typed. */
function withCode(text: string): ComponentChildren {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part));
}
