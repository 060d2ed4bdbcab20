import type { BuildOptions } from 'esbuild';

export const SHARED: BuildOptions;
export const FRONT: BuildOptions;
export const PROGRAM: BuildOptions & { readonly plugins: NonNullable<BuildOptions['plugins']> };
