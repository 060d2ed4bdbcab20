/** Where this repository is; tools and their default settings come from here even when another tree is checked. */
import { fileURLToPath } from 'node:url';

export const REPO_ROOT = fileURLToPath(new URL('../..', import.meta.url));
