// What every process checks before it reads or writes an index: the version of its tables, its chain, and its head. One
// statement, so that all three are of the same moment.

import type { Sql } from '../database.ts'
import { WHOLE_SHARD_PREFIX } from '../read/blocks.ts'
import { sql } from '../sql.ts'
import { blocks } from '../tables/chain.ts'
import { int4, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type CursorRow, chainIdentity, type IdentityRow, indexerCursor } from '../tables/indexState.ts'
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

const { network, genesisRootHash, genesisFileHash, globalId } = chainIdentity.fields
const { firstMcSeqno, lastMcSeqno } = indexerCursor.fields
const { rootHash, fileHash, genUtime } = blocks.fields

const decodeStep = decoderOf({ step: nullable(int4), network: nullable(network), cursorNetwork: nullable(network) })
// All three are joined: each has its columns only where its row is there.
const decodeIdentity = decoderOf({ network, genesisRootHash, genesisFileHash, globalId })
const decodeCursor = decoderOf({ cursorNetwork: network, firstMcSeqno, lastMcSeqno })
const decodeHead = decoderOf({ rootHash, fileHash, genUtime, lastMcSeqno })

export async function readIndexState(from: Sql, timeoutMs?: number): Promise<IndexState> {
  const [row] = await from.query(
    sql`select (select max(number) from tonrpc_migrations) as step,
      chain_identity.network, genesis_root_hash, genesis_file_hash, chain_identity.global_id,
      indexer_cursor.network as cursor_network, first_mc_seqno, last_mc_seqno, root_hash, file_hash, gen_utime
    from (select 1) as one
    left join chain_identity on true
    left join indexer_cursor on true
    left join blocks on blocks.workchain = -1 and shard = ${WHOLE_SHARD_PREFIX} and seqno = last_mc_seqno`,
    timeoutMs === undefined ? {} : { timeoutMs },
  )
  if (row === undefined) return { schemaStep: 0, identity: null, cursor: null, head: null }
  const { step, network, cursorNetwork } = decodeStep(row)
  return {
    schemaStep: step ?? 0,
    identity: network === null ? null : decodeIdentity(row),
    cursor: cursorNetwork === null ? null : cursorOf(decodeCursor(row)),
    head: row.root_hash === null ? null : headOf(decodeHead(row)),
  }
}

const cursorOf = ({ cursorNetwork, ...cursor }: ReturnType<typeof decodeCursor>): CursorRow => ({
  network: cursorNetwork,
  ...cursor,
})

const headOf = ({ lastMcSeqno, genUtime, ...hashes }: ReturnType<typeof decodeHead>): IndexedMaster => ({
  seqno: lastMcSeqno,
  utime: genUtime,
  ...hashes,
})
