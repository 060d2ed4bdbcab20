/** Languages whose files name each other's definitions. */
const FAMILIES: Readonly<Record<string, string>> = {
  typescript: 'script',
  tsx: 'script',
  javascript: 'script',
  vue: 'script',
  svelte: 'script',
  html: 'script',
  java: 'jvm',
  kotlin: 'jvm',
  scala: 'jvm',
  c: 'c',
  cpp: 'c',
};

export function familyOf(language: string): string {
  return FAMILIES[language] ?? language;
}
