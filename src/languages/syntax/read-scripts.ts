/** HTML, Vue and Svelte: their script blocks, on the lines where they stand, with everything else blanked out. */

export interface ScriptText {
  readonly language: 'javascript' | 'typescript' | 'tsx';
  /** As many lines as the file has. */
  readonly text: string;
}

export const HOLDS_SCRIPTS: ReadonlySet<string> = new Set(['html', 'vue', 'svelte']);
const OPEN = /<script\b([^>]{0,2000})>/gi;
const CLOSE = /<\/script\s*>/gi;
const NOT_CODE =
  /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/(?:template|x-|html)|importmap|speculationrules)|\bsrc\s*=/i;
const TYPED = /\blang\s*=\s*["']?(tsx?)\b/i;

export function readScripts(language: string, text: string): ScriptText | undefined {
  if (!HOLDS_SCRIPTS.has(language)) return undefined;
  const kept: { readonly start: number; readonly end: number }[] = [];
  let typed: 'typescript' | 'tsx' | undefined;
  OPEN.lastIndex = 0;
  for (let open = OPEN.exec(text); open !== null; open = OPEN.exec(text)) {
    const start = open.index + open[0].length;
    CLOSE.lastIndex = start;
    const end = CLOSE.exec(text)?.index ?? text.length;
    OPEN.lastIndex = end;
    const attributes = open[1] ?? '';
    if (NOT_CODE.test(attributes)) continue;
    kept.push({ start, end });
    const lang = TYPED.exec(attributes)?.[1]?.toLowerCase();
    if (lang !== undefined) typed = lang === 'tsx' ? 'tsx' : (typed ?? 'typescript');
  }
  return { language: typed ?? 'javascript', text: onlyThese(text, kept) };
}

/** Line breaks stay, so that line n is line n. */
function onlyThese(text: string, kept: readonly { readonly start: number; readonly end: number }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of kept) {
    parts.push(blanked(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  parts.push(blanked(text.slice(at)));
  return parts.join('');
}

function blanked(text: string): string {
  return text.replace(/[^\n]+/g, '');
}
