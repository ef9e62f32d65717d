import { addToGroup } from '../groupBy.ts'
import { bytesKey } from '../read/bytesKey.ts'
import type { AccountKey } from '../tables/column.ts'

/**
 * The rows of each account together, otherwise in their order. They are read by account: in the table they are then next to each other,
 * and each index is entered at one place for all of them.
 */
export class RowsByAccount<R extends { readonly account: AccountKey }> {
  readonly #rows = new Map<string, R[]>()

  add(row: R): void {
    addToGroup(this.#rows, bytesKey(row.account), row)
  }

  all(): R[] {
    // Not `flat`, which takes seven times as long: rows of a large batch would hold the event loop.
    const all: R[] = []
    for (const rows of this.#rows.values()) for (const row of rows) all.push(row)
    return all
  }
}
