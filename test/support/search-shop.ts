/** A small shop in several languages: what golden rankings and filters are tested on. */
import { tempFolder, type OnEnd, type TempFolder } from './temp-folder.ts';

export const SHOP_FILES: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'README.md': `# Web shop

Customers put things into a cart and pay for them.

## Sessions

A session ends after thirty minutes without a request.
`,
  'config/shop.yaml': `session:
  idle_minutes: 30
payment:
  provider: stripe
`,
  'src/cart/cart.ts': `import { priceOf } from './price.ts';

/** What a customer wants to buy. */
export class Cart {
  private readonly items = new Map<string, number>();

  /** Puts something into the cart, or more of it. */
  addItem(id: string, count = 1): void {
    this.items.set(id, (this.items.get(id) ?? 0) + count);
  }

  removeItem(id: string): boolean {
    return this.items.delete(id);
  }

  /** The sum of all prices, in cents. */
  total(): number {
    let sum = 0;
    for (const [id, count] of this.items) sum += priceOf(id) * count;
    return sum;
  }
}
`,
  'src/cart/price.ts': `const PRICES: Record<string, number> = { apple: 50, bread: 320, milk: 119 };

/** The price of one piece, in cents. */
export function priceOf(id: string): number {
  const price = PRICES[id];
  if (price === undefined) throw new Error('unknown article');
  return price;
}

export function applyDiscount(cents: number, percent: number): number {
  return Math.round(cents * (1 - percent / 100));
}
`,
  'src/session/session-store.ts': `export interface Session {
  readonly user: string;
  readonly lastSeen: number;
}

/** Keeps who is logged in. */
export class SessionStore {
  private readonly sessions = new Map<string, Session>();

  get(id: string): Session | undefined {
    return this.sessions.get(id);
  }

  /** Removes every session that was idle for too long. */
  expireIdleSessions(now: number, idleMs: number): number {
    let expired = 0;
    for (const [id, session] of this.sessions) {
      if (now - session.lastSeen < idleMs) continue;
      this.sessions.delete(id);
      expired += 1;
    }
    return expired;
  }
}
`,
  'src/http/router.ts': `export type Handler = (path: string) => string;

/** Which handler answers which path. */
export function createRouter(): { register(path: string, handler: Handler): void; route(path: string): string } {
  const handlers = new Map<string, Handler>();
  return {
    register: (path, handler) => void handlers.set(path, handler),
    route(path) {
      const handler = handlers.get(path);
      return handler === undefined ? '404 Not Found' : handler(path);
    },
  };
}
`,
  'src/payment/retry.py': `import time


class PaymentError(Exception):
    """The provider refused the card."""


def charge_with_retry(provider, card, cents, attempts=3):
    """Charges a card, and tries again when the network fails."""
    for attempt in range(attempts):
        try:
            return provider.charge(card, cents)
        except ConnectionError:
            time.sleep(2 ** attempt)
    raise PaymentError("gave up after retry_limit attempts")
`,
  'src/payment/invoice.go': `package payment

import "fmt"

// Invoice is what the customer gets by mail.
type Invoice struct {
\tNumber int
\tCents  int
}

// Render writes the invoice as one line of text.
func (i Invoice) Render() string {
\tif i.Cents == 0 {
\t\treturn "free"
\t}
\treturn fmt.Sprintf("invoice %d: %d cents", i.Number, i.Cents)
}
`,
  'src/i18n/texte.ts': `/** Grüße für Kunden, nach Sprache. */
export const TEXTE = {
  de: 'Schöne Grüße aus dem Geschäft',
  ja: '店からのご挨拶',
};
`,
  'test/cart.test.ts': `import { Cart } from '../src/cart/cart.ts';

test('adds an item to the cart', () => {
  const cart = new Cart();
  cart.addItem('apple', 2);
  expect(cart.total()).toBe(100);
});
`,
  'packages/admin/test/report.test.ts': `test('reports the total of every cart', () => {
  expect(1).toBe(1);
});
`,
};

export function searchShop(onEnd?: OnEnd): TempFolder {
  return tempFolder(SHOP_FILES, onEnd);
}
