/** What a client tells its model about this server; at most 1,500 characters. */
export const INSTRUCTIONS = [
  'Waymark tells you which project you are in and how it knows.',
  'Call project_status when you start, or when an answer seems to come from the wrong project.',
].join('\n');
