/** The setup command: what was asked for, then the doing. */
import { CLIENTS, currentPlaces, planAgentsFile } from '../../clients/index.ts';
import { readEnvironment } from '../../config/index.ts';
import { AppError } from '../../core/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { chooseClients } from './choose-clients.ts';
import { chooseConnection } from './choose-connection.ts';
import { wrap } from './layout.ts';
import { renderSnippets } from './render-snippet.ts';
import { runSetup } from './run-setup.ts';

export async function setup(context: CommandContext, options: OptionValues): Promise<number> {
  const places = currentPlaces(readEnvironment());
  const scope = options['scope'] === 'project' ? 'project' : 'user';
  const detection = await (await context.services()).detector.detect({ transport: 'cli' });
  const root = detection.kind === 'found' ? detection.project.root : undefined;
  if ((scope === 'project' || options['agents-md'] === true) && root === undefined) {
    throw new AppError('no_project', 'This directory belongs to no project.', {
      hint: 'Change into the directory of a project first.',
    });
  }
  const { connection, makeReady } = chooseConnection(context, places, options);
  const wish = { scope, root, connection } as const;
  const except = typeof options['except'] === 'string' ? options['except'] : undefined;
  const chosen = chooseClients({ words: context.words, except, scope }, places);
  if (options['print'] === true) {
    if (makeReady !== undefined)
      context.output.talk(
        wrap(`${makeReady.why} with \`waymark setup\`: until then the path below is not there.`, ''),
      );
    renderSnippets(context.output, context.words.length === 0 ? CLIENTS : chosen, places, wish);
    return 0;
  }
  return runSetup(context, {
    places,
    wish,
    clients: chosen,
    makeReady,
    mode: options['dry-run'] === true ? 'show' : options['yes'] === true ? 'write' : 'ask',
    agentsFile: options['agents-md'] === true && root !== undefined ? planAgentsFile(root) : undefined,
    index: options['skip-index'] !== true && root !== undefined,
  });
}
