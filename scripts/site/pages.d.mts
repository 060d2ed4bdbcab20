/** The types of pages.mjs, for TypeScript. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly headings: readonly { readonly depth: number; readonly text: string; readonly id: string }[];
  readonly links: readonly string[];
}
export function readPages(root: string): readonly Page[];
export function resolveLink(
  root: string,
  from: string,
  href: string,
):
  | { readonly kind: 'outside' }
  | {
      readonly kind: 'page' | 'folder' | 'file' | 'missing';
      readonly path: string;
      readonly anchor: string;
    };
