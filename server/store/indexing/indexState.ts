// What every process checks before it reads or writes an index: the version of its tables, its chain, and its head. One
// statement, so that all three are of the same moment.

import type { Row, Sql } from '../database.ts'
import { WHOLE } from '../read/blocks.ts'
import type { CursorRow, IdentityRow } from '../rows.ts'
import { sql } from '../sql.ts'
import type { IndexedMaster } from './reads.ts'

export interface IndexState {
  /** Number of the newest migration that ran; 0 for none. */
  readonly schemaStep: number
  /** Null while the index is empty, or was made before identities were kept. */
  readonly identity: IdentityRow | null
  /** Null while the index is empty. */
  readonly cursor: CursorRow | null
  /** The block of the cursor. */
  readonly head: IndexedMaster | null
}

interface StateRow extends Row {
  readonly step: number | null
  readonly network: string | null
  readonly genesis_root_hash: Uint8Array
  readonly genesis_file_hash: Uint8Array
  readonly global_id: number
  readonly cursor_network: string | null
  readonly first_mc_seqno: number
  readonly last_mc_seqno: number
  readonly root_hash: Uint8Array | null
  readonly file_hash: Uint8Array
  readonly gen_utime: bigint
}

export async function readIndexState(from: Sql, timeoutMs?: number): Promise<IndexState> {
  const [row] = await from.query<StateRow>(
    sql`select (select max(number) from tonrpc_migrations) as step,
      chain_identity.network, genesis_root_hash, genesis_file_hash, chain_identity.global_id,
      indexer_cursor.network as cursor_network, first_mc_seqno, last_mc_seqno, root_hash, file_hash, gen_utime
    from (select 1) as one
    left join chain_identity on true
    left join indexer_cursor on true
    left join blocks on blocks.workchain = -1 and shard = ${WHOLE} and seqno = last_mc_seqno`,
    timeoutMs === undefined ? {} : { timeoutMs },
  )
  return {
    schemaStep: row?.step ?? 0,
    identity: row === undefined || row.network === null ? null : identityOf(row, row.network),
    cursor: row === undefined || row.cursor_network === null ? null : cursorOf(row, row.cursor_network),
    head: row === undefined || row.root_hash === null ? null : headOf(row, row.root_hash),
  }
}

const identityOf = (row: StateRow, network: string): IdentityRow => ({
  network,
  genesisRootHash: row.genesis_root_hash,
  genesisFileHash: row.genesis_file_hash,
  globalId: row.global_id,
})

const cursorOf = (row: StateRow, network: string): CursorRow => ({
  network,
  firstMcSeqno: row.first_mc_seqno,
  lastMcSeqno: row.last_mc_seqno,
})

const headOf = (row: StateRow, rootHash: Uint8Array): IndexedMaster => ({
  seqno: row.last_mc_seqno,
  rootHash,
  fileHash: row.file_hash,
  utime: Number(row.gen_utime),
})
