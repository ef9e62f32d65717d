// What one key has spent on a day, for tests of where that is kept.

export const usageRow = {
  day: '2026-11-21',
  keyId: 'k1',
  method: 'v3.blocks',
  calls: 2,
  weight: 3,
  errors: 1,
  limited: 4,
  bytes: 90,
}

export const spentInMonth = { month: '2026-11', keyId: 'k1', weight: 3 }

/** Of all keys. */
export const wholeMonth = { from: '2026-11-01', to: '2026-11-30', keyId: null }
