/** Screen 1: every project, how fresh and how well read it is, what it remembers, which client asked last. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  OperationValue,
  OverviewAnswer,
  ProjectDetails,
  ProjectRow,
  ProjectsAnswer,
} from '../../src/dashboard/api.ts';
import { get, post } from '../api-client.ts';
import { ago, bytes, count, kindWord, percent, whole } from '../format.ts';
import { html, valueOf } from '../html.ts';
import { Chip, Command, Heading, Shares } from '../parts/controls.ts';
import { Empty, Failure, Skeleton, toPageError, useLoad } from '../parts/load.ts';
import { chooseProject, goTo, overview, say } from '../state.ts';

const PER_PAGE = 25;

export function Projects(): ComponentChildren {
  const [query, setQuery] = useState('');
  const [shown, setShown] = useState(PER_PAGE);
  const listed = useLoad(
    (signal) => get<ProjectsAnswer>('projects', { query, limit: Math.min(100, shown) }, signal),
    [query, shown],
  );
  const { value, error } = listed;
  const seen = useLoad((signal) => get<OverviewAnswer>('overview', {}, signal), []);
  const about = seen.value ?? overview.value;
  return html`<${Heading} title="Projects" lead="What is indexed and remembered on this machine.">
      <label class="search">
        <span class="hidden">Find a project</span>
        <input
          type="search"
          placeholder="Find a project"
          value=${query}
          onInput=${(event: Event) => {
            setQuery(valueOf(event));
            setShown(PER_PAGE);
          }}
        />
      </label>
    <//>
    ${
      about !== undefined && !about.hasClients
        ? html`<section class="notice">
          <strong>No agent has asked anything yet.</strong>
          <p>Connect Claude Code by pasting this into a terminal; <code>waymark setup</code> knows the others.</p>
          <${Command} text=${about.connect} />
        </section>`
        : ''
    }
    ${error === undefined ? '' : html`<${Failure} error=${error} />`}
    ${
      value === undefined
        ? html`<${Skeleton} lines=${8} />`
        : value.total === 0
          ? query === ''
            ? html`<${Empty}
              title="No project yet"
              text="A project appears here once an agent works in it, or once you index it yourself."
              command="waymark index /path/to/project"
            />`
            : html`<${Empty} title="Nothing is called that" text="Try a part of its name or of its path." />`
          : html`<p class="count" aria-live="polite">
              ${
                value.rows.length < value.total
                  ? `${whole(value.rows.length)} of ${count(value.total, 'project')}, the most recently used first`
                  : count(value.total, 'project')
              }
            </p>
            <ul class="projects">
              ${value.rows.map(
                (row) => html`<${Project} key=${row.root} row=${row} onChange=${listed.reload} />`,
              )}
            </ul>
            ${
              value.rows.length < Math.min(100, value.total)
                ? html`<button type="button" onClick=${() => setShown(shown + PER_PAGE)}>Show more</button>`
                : value.rows.length < value.total
                  ? html`<p class="muted">Type a part of a name above to find the others.</p>`
                  : ''
            }`
    }`;
}

function Project({
  row,
  onChange,
}: {
  readonly row: ProjectRow;
  readonly onChange: () => void;
}): ComponentChildren {
  const { root, name, isGone, index, sizeBytes, usedAt } = row;
  const details = useLoad(isGone ? undefined : (signal) => get<ProjectDetails>('project', { root }, signal), [
    root,
    usedAt,
  ]);
  const [run, setRun] = useState<OperationValue | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const hasAsked = useRef(false);
  const facts = details.value;
  const isRunning = run?.state === 'running';

  useEffect(() => {
    if (run?.state !== 'running') return;
    const timer = setTimeout(() => {
      get<OperationValue>('operation', { id: run.id }).then(
        (next) => {
          setRun(next);
          if (next.state === 'running') return;
          say(next.state === 'failed' ? `${name}: ${next.message}` : `${name} is indexed.`);
          details.reload();
          onChange();
        },
        () => setRun(undefined),
      );
    }, 500);
    return () => clearTimeout(timer);
  }, [run]);

  const start = (): void => {
    post<OperationValue>('project/index', { root }).then(setRun, (thrown: unknown) =>
      say(toPageError(thrown).message),
    );
  };
  const ask = (): void => {
    hasAsked.current = true;
    setAsking(true);
  };
  /** After "keep it" the keyboard is where it was. */
  const wasAsked = (element: HTMLElement | null): void => {
    if (element === null || !hasAsked.current) return;
    hasAsked.current = false;
    element.focus();
  };
  const drop = (): void => {
    post('project/clear', { root }).then(
      () => {
        say(`The index of ${name} is gone; its files and its memory are as they were.`);
        // The button that was pressed goes with the index.
        document.querySelector<HTMLElement>('h1')?.focus();
        onChange();
      },
      (thrown: unknown) => say(toPageError(thrown).message),
    );
    setAsking(false);
  };

  return html`<li class="card project">
    <div class="name">
      <h2>
        ${
          isGone
            ? name
            : html`<a
              href="#/playground"
              onClick=${(event: Event) => {
                event.preventDefault();
                chooseProject(root);
                goTo('playground', { root });
              }}
              >${name}</a
            >`
        }
      </h2>
      <p class="path">${root}</p>
      <p class="branch">${facts?.branch ? html`<${Chip}>${facts.branch}<//>` : ''}</p>
    </div>
    <dl class="facts">
      <${Fact} name="Index" ...${indexWords(row, facts, run)} />
      <${Fact} name="Read by grammar" ...${healthWords(facts)} />
      <${Fact} name="Memory" ...${memoryWords(facts)} />
      <${Fact} name="Last used" ...${lastWords(usedAt, facts)} />
    </dl>
    <div class="actions">
      ${
        isAsking
          ? html`<span
              class="ask"
              role="group"
              aria-label=${`Delete the index of ${name}?`}
              onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && setAsking(false)}
            >
              <button type="button" class="danger" onClick=${drop}>Delete ${bytes(sizeBytes ?? 0)}</button>
              <button type="button" ref=${focusOn} onClick=${() => setAsking(false)}>Keep it</button>
            </span>`
          : html`${
              isGone
                ? ''
                : html`<button type="button" disabled=${isRunning} onClick=${start}>
                  ${isRunning ? 'Indexing …' : index === 'none' ? 'Index' : 'Update index'}
                  <span class="hidden">of ${name}</span>
                </button>`
            }
            ${
              sizeBytes === null
                ? ''
                : html`<button type="button" class="quiet" ref=${wasAsked} onClick=${ask}>
                  Delete index<span class="hidden"> of ${name}</span>
                </button>`
            }`
      }
    </div>
  </li>`;
}

/** What was pressed is gone: the keyboard goes on at what took its place. */
const focusOn = (element: HTMLElement | null): void => element?.focus();

interface FactWords {
  readonly value: ComponentChildren;
  readonly more?: ComponentChildren;
}

/** Of one size, whatever it says and before it says anything: what comes later moves nothing. */
function Fact({ name, value, more = '' }: FactWords & { readonly name: string }): ComponentChildren {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <span>${value}</span>
      <small title=${typeof more === 'string' ? more : undefined}>${more}</small>
    </dd>
  </div>`;
}

const NOTHING_YET: FactWords = { value: '–' };

function indexWords(
  { isGone, index, sizeBytes }: ProjectRow,
  facts: ProjectDetails | undefined,
  run: OperationValue | undefined,
): FactWords {
  const size = sizeBytes === null ? [] : [bytes(sizeBytes)];
  if (isGone) return { value: html`<${Chip} look="warn">folder is gone<//>`, more: size.join('') };
  const updating =
    run?.state === 'running' ? run : facts?.freshness.state === 'updating' ? facts.freshness : undefined;
  if (updating !== undefined) {
    const share = updating.percent === null ? '' : ` ${updating.percent} %`;
    return { value: html`<${Chip} look="busy">indexing${share}<//>`, more: size.join('') };
  }
  if (index === 'none' && facts?.files === 0) return { value: html`<${Chip}>none yet<//>` };
  // What it holds is not known before it is made anew.
  if (facts?.files === 0 && facts.freshness.state === 'missing' && index === 'old')
    return { value: html`<${Chip} look="warn">of another version<//>`, more: size.join('') };
  if (index === 'damaged') return { value: html`<${Chip} look="bad">damaged<//>`, more: size.join('') };
  if (facts === undefined) return { value: '–', more: size.join('') };
  const leftOut = facts.leftOut === 0 ? [] : [`${whole(facts.leftOut)} left out`];
  return {
    value: count(facts.files, 'file'),
    more: [count(facts.definitions, 'definition'), ...size, ...leftOut].join(', '),
  };
}

function healthWords(facts: ProjectDetails | undefined): FactWords {
  if (facts === undefined || facts.files === 0) return NOTHING_YET;
  const { files, parsed } = facts;
  const rest = Math.max(0, files - parsed.exact - parsed.failed - parsed.waiting);
  const text = [
    `${percent(parsed.exact / files)} exact`,
    ...(parsed.waiting === 0 ? [] : [`${whole(parsed.waiting)} waiting`]),
    ...(parsed.failed === 0 ? [] : [`${whole(parsed.failed)} failed`]),
    ...(parsed.errorShare === 0 ? [] : [`${percent(parsed.errorShare)} not understood`]),
  ].join(', ');
  const bar = html`<${Shares}
    label=${text}
    parts=${[
      { name: 'exact', share: parsed.exact, look: 'good' },
      { name: 'waiting', share: parsed.waiting, look: 'waiting' },
      { name: 'by outline', share: rest, look: 'fair' },
      { name: 'failed', share: parsed.failed, look: 'bad' },
    ]}
  />`;
  return { value: bar, more: text };
}

function memoryWords(facts: ProjectDetails | undefined): FactWords {
  if (facts === undefined) return NOTHING_YET;
  if (facts.memory === null) return { value: html`<${Chip} look="bad">cannot be opened<//>` };
  if (facts.memory.length === 0) return { value: html`<span class="muted">nothing yet</span>` };
  const total = facts.memory.reduce((sum, each) => sum + each.count, 0);
  return {
    value: count(total, 'entry', 'entries'),
    more: facts.memory.map((each) => `${whole(each.count)} ${kindWord(each.kind, each.count)}`).join(', '),
  };
}

function lastWords(usedAt: number | null, facts: ProjectDetails | undefined): FactWords {
  const call = facts?.lastCall;
  return {
    value: usedAt === null ? '–' : ago(usedAt),
    more: call ? `${call.client}, ${call.tool}` : '',
  };
}
