// Rows that are only ever looked up by a whole hash, and kept when it is there already, have their keys in hash indexes: these hold four
// bytes of a key instead of all 32, so that they are half as large and more of them fits into memory while a chain is caught up with.

const KEYS = [
  ['account_states', 'hash'],
  ['shared_bags', 'hash'],
  ['jetton_transfers', 'tx_hash'],
  ['jetton_burns', 'tx_hash'],
  ['nft_transfers', 'tx_hash'],
] as const

/** As a constraint: no process writes a key twice, whatever its version. */
export const hashedKeys: readonly string[] = KEYS.map(
  ([table, key]) => `alter table ${table} add constraint ${table}_by_${key} exclude using hash (${key} with =);
alter table ${table} drop constraint ${table}_pkey;`,
)
