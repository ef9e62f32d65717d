// What every process checks before it reads or writes an index: the version of its tables, its chain, and its head. One
// statement, so that all three are of the same moment.

import { bareTable } from '../bareTable.ts'
import type { Sql } from '../database.ts'
import { WHOLE_SHARD_PREFIX } from '../read/timesOfLts.ts'
import { sql } from '../sql.ts'
import { blocks } from '../tables/chain.ts'
import { int4, nullable, text, uint32 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type CursorRow, chainIdentity, type IdentityRow, indexerCursor } from '../tables/indexState.ts'
import type { IndexedMaster } from './reads.ts'

export interface IndexState {
  /** Number of the newest migration that ran; 0 for none. */
  readonly schemaStep: number
  /** A table whose rows may be missing, as a dump is being restored; null when there is none. */
  readonly bareTable: string | null
  /** Null while the index is empty, or was made before identities were kept. */
  readonly identity: IdentityRow | null
  /** Null while the index is empty. */
  readonly cursor: CursorRow | null
  /** The block of the cursor. */
  readonly head: IndexedMaster | null
  /** The first masterchain block of which all is there. */
  readonly first: FirstBlock | null
}

export interface FirstBlock {
  readonly seqno: number
  /** Unix seconds. */
  readonly utime: number
  /** Whether older ones were removed. */
  readonly isPruned: boolean
}

const { network, genesisRootHash, genesisFileHash, globalId } = chainIdentity.fields
const { firstMcSeqno, lastMcSeqno, prunedBefore } = indexerCursor.fields
const { rootHash, fileHash, genUtime } = blocks.fields

const decodeStep = decoderOf({
  step: nullable(int4),
  bare: nullable(text),
  network: nullable(network),
  cursorNetwork: nullable(network),
})
// All three are joined: each has its columns only where its row is there.
const decodeIdentity = decoderOf({ network, genesisRootHash, genesisFileHash, globalId })
const decodeCursor = decoderOf({ cursorNetwork: network, firstMcSeqno, lastMcSeqno, prunedBefore })
const decodeHead = decoderOf({ rootHash, fileHash, genUtime, lastMcSeqno })
const decodeFirst = decoderOf({ firstSeqno: int4, firstUtime: uint32, prunedBefore })

export async function readIndexState(from: Sql, timeoutMs?: number): Promise<IndexState> {
  const [row] = await from.query(
    sql`select (select max(number) from tonrpc_migrations) as step, ${bareTable} as bare,
      chain_identity.network, genesis_root_hash, genesis_file_hash, chain_identity.global_id,
      indexer_cursor.network as cursor_network, first_mc_seqno, last_mc_seqno, pruned_before,
      head.root_hash, head.file_hash, head.gen_utime, first.seqno as first_seqno, first.gen_utime as first_utime
    from (select 1) as one
    left join chain_identity on true
    left join indexer_cursor on true
    left join blocks head on head.workchain = -1 and head.shard = ${WHOLE_SHARD_PREFIX} and head.seqno = last_mc_seqno
    left join blocks first on first.workchain = -1 and first.shard = ${WHOLE_SHARD_PREFIX}
      and first.seqno = greatest(first_mc_seqno, pruned_before)`,
    timeoutMs === undefined ? {} : { timeoutMs },
  )
  if (row === undefined)
    return { schemaStep: 0, bareTable: null, identity: null, cursor: null, head: null, first: null }
  const { step, bare, network, cursorNetwork } = decodeStep(row)
  return {
    schemaStep: step ?? 0,
    bareTable: bare,
    identity: network === null ? null : decodeIdentity(row),
    cursor: cursorNetwork === null ? null : cursorOf(decodeCursor(row)),
    head: row.root_hash === null ? null : headOf(decodeHead(row)),
    first: row.first_seqno === null ? null : firstOf(decodeFirst(row)),
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

const firstOf = ({ firstSeqno, firstUtime, prunedBefore }: ReturnType<typeof decodeFirst>): FirstBlock => ({
  seqno: firstSeqno,
  utime: firstUtime,
  isPruned: prunedBefore !== null,
})
