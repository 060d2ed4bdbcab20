/** Which sections of the site have all words of a query, the last words as beginnings; over the index that the build made. */
window.findSections = (query) => {
  const MOST = 12;
  const { sections, words } = window.searchIndex;
  const asked = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
  const scores = new Map();
  for (const [at, word] of asked.entries()) {
    const found = new Map();
    for (const [known, places] of words) {
      const isWhole = known === word;
      if (!isWhole && !(known.startsWith(word) && word.length > 1)) continue;
      const rarity = Math.log(1 + (2 * sections.length) / places.length);
      for (let i = 0; i < places.length; i += 2) {
        const gain = (isWhole ? 1 : 0.5) * rarity * (places[i + 1] / (places[i + 1] + 2));
        found.set(places[i], Math.max(found.get(places[i]) ?? 0, gain));
      }
    }
    for (const section of at === 0 ? found.keys() : [...scores.keys()]) {
      const gain = found.get(section);
      if (gain === undefined) scores.delete(section);
      else scores.set(section, (scores.get(section) ?? 0) + gain);
    }
  }
  return [...scores]
    .map(([at, score]) => [at, score * sections[at][0]])
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, MOST)
    .map(([at]) => sections[at]);
};
