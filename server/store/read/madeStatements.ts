// Statements that are put together around that of a list, each once: their texts have thousands of characters.

import { LRUCache } from 'lru-cache'
import type { SqlText, SqlValue } from '../database.ts'
import { sql } from '../sql.ts'

/** Characters of statements that are kept by their texts; one of items has 4,000. */
const MOST_KEPT = 1 << 20

export class MadeStatements {
  /** By the form of the list, which is found without its text. Both forms are kept, and bounded, in `statementForms.ts`. */
  readonly #byForm = new WeakMap<object, (SqlText | undefined)[]>()
  /** The others. */
  readonly #byName = new LRUCache<string, SqlText>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ text }, name) => name.length + 2 * text.length,
  })

  /** The statement around a list, with its values in their order; `parts` say what else differs between statements around one list. */
  of(list: SqlText, parts: readonly boolean[], values: readonly SqlValue[], make: () => SqlText): SqlText {
    const kind = parts.reduce((bits, part) => 2 * bits + Number(part), Number(list.isSteady === true))
    const form = sql.keptForm(list)
    const own = form === null ? undefined : this.#byForm.get(form)
    const name = own?.[kind] === undefined ? `${kind} ${sql.nameOf(list)}` : ''
    const known = own?.[kind] ?? this.#byName.get(name)
    if (known !== undefined) return sql.refill(known, values)
    const made = make()
    if (form === null || sql.keptForm(made) === null) this.#byName.set(name, made)
    else {
      const all = own ?? []
      all[kind] = made
      this.#byForm.set(form, all)
    }
    return made
  }
}
