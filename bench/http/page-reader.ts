/** The page as it costs the server most: its live stream, open and read. */

/** Enters by a link, and reads the stream until it is told to stop. */
export async function readPage(link: string): Promise<() => void> {
  const { origin } = new URL(link);
  const code = /#code=(.+)$/.exec(link)?.[1];
  const entered = await fetch(`${origin}/ui/api/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!entered.ok) throw new Error(`the page does not let us in: ${entered.status}`);
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = String(Reflect.get(Object(await entered.json()), 'token'));
  const leaving = new AbortController();
  const stream = await fetch(`${origin}/ui/api/live`, {
    headers: { cookie, 'x-waymark-page': token },
    signal: leaving.signal,
  });
  const drain = async (): Promise<void> => {
    for await (const _part of stream.body ?? []);
  };
  // It ends when we leave.
  drain().catch(() => {});
  return () => leaving.abort();
}
