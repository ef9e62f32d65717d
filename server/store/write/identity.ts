import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import type { IdentityRow } from '../tables/indexState.ts'

/**
 * Names the chain of an index that has no identity yet. Throws StoreError `conflict` when it has one. While a dump is restored
 * there is no key to conflict with, and the statement fails: the identity of the dump is still to come.
 */
export async function writeIdentity(to: Sql, identity: IdentityRow): Promise<void> {
  const { network, genesisRootHash, genesisFileHash, globalId } = identity
  const written = await to.query(sql`insert into chain_identity
    (network, genesis_root_hash, genesis_file_hash, global_id)
    values (${network}, ${genesisRootHash}, ${genesisFileHash}, ${globalId})
    on conflict (only_row) do nothing returning true as written`)
  if (written.length === 0) throw new StoreError('conflict', 'another process has named the chain of this index')
}

/** The same for an index with blocks, which was made before identities were kept. */
export async function adoptIdentity(to: Sql, identity: Omit<IdentityRow, 'globalId'>): Promise<void> {
  const [row] = await to.query<{ global_id: number }>(sql`select global_id from blocks limit 1`)
  if (row === undefined) throw new StoreError('conflict', 'another process has emptied the index')
  await writeIdentity(to, { ...identity, globalId: row.global_id })
}
