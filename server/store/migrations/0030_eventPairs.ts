// Transfers and burns are found by an owner and a jetton or collection together as well: of two that are frequent and rarely meet, all
// rows of one were read to find few. A key of both, and the order of the list.

/** A table of events: its owners, what they are of, and the condition of its lists. */
const PAIRS = [
  ['jetton_transfers', ['source', 'destination'], 'jetton', ' where not aborted'],
  ['jetton_burns', ['owner'], 'jetton', ''],
  ['nft_transfers', ['old_owner', 'new_owner'], 'collection', ''],
] as const

const ORDERS = [
  ['lt', 'tx_lt'],
  ['time', 'tx_now, tx_lt'],
] as const

/** Without statistics of the keys, as for those of kinds: the planner would sort all rows of a frequent one. */
const createIndex = (name: string, on: string): string =>
  `create index ${name} on ${on};\nalter index ${name} alter column 1 set statistics 0;`

export const eventPairs: readonly string[] = PAIRS.flatMap(([table, owners, of, where]) =>
  owners.flatMap((owner) =>
    ORDERS.map(([order, columns]) =>
      createIndex(
        `${table}_${owner}_and_${of}_by_${order}`,
        `${table} (short_key(${owner} || ${of}), ${columns})${where}`,
      ),
    ),
  ),
)
