/**
 * Some browsers name a language that is no tag (`en-US@posix`, in a system without a locale), and the charts' library throws when it loads
 * with one: then the page would stay blank. Imported before everything else.
 */
function isUsable(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

if (!isUsable(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en' });
