/** The root a command works on: the one named, or the one found; an error with the next step if there is none. */
import { AppError } from '../core/index.ts';
import type { Detector } from '../project/index.ts';

export async function projectRoot(detector: Detector, argument: string | undefined): Promise<string> {
  const detection = await detector.detect({ transport: 'cli', argument });
  if (detection.kind === 'found') return detection.project.root;
  const message = detection.kind === 'refused' ? detection.refused.message : 'No project here.';
  throw new AppError('no_project', message, { hint: 'Name the directory of a project, or change into one.' });
}
