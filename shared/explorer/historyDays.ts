// The days of a history that an address chooses, and what comes first. The service and the page read it alike.

import type { ListOrder, TimeBounds } from './accountQueries.ts'

/** What the address has after its path. */
interface Search {
  get(name: string): string | null
}

const DAY = 86_400

/** First second of a day; null for none. */
function dayIn(search: Search, name: 'from' | 'until'): number | null {
  const text = search.get(name) ?? ''
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN
  return at >= 0 ? at : null
}

export function timesIn(search: Search): TimeBounds {
  const from = dayIn(search, 'from')
  const until = dayIn(search, 'until')
  return {
    ...(from === null ? {} : { start_utime: from }),
    ...(until === null ? {} : { end_utime: until + DAY - 1 }),
  }
}

export const orderIn = (search: Search): ListOrder => (search.get('order') === 'oldest' ? 'oldest' : 'newest')
