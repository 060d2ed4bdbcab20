/** The root a command works on: the one named, or the one found; an error with the next step if there is none. */
import { AppError } from '../core/index.ts';
import type { Detector, KnownProjects } from '../project/index.ts';

/** A project that is worked on, and not only asked about, is noted in `known`. */
export async function projectRoot(
  detector: Detector,
  argument: string | undefined,
  known?: Pick<KnownProjects, 'remember'>,
): Promise<string> {
  const detection = await detector.detect({ transport: 'cli', argument });
  if (detection.kind === 'found') {
    known?.remember(detection.project);
    return detection.project.root;
  }
  const message = detection.kind === 'refused' ? detection.refused.message : 'No project here.';
  throw new AppError('no_project', message, { hint: 'Name the directory of a project, or change into one.' });
}
