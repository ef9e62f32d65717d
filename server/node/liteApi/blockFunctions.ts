// Blocks, and where the masterchain registers them.

import type { BlockIdExt } from '../blockId.ts'
import type {
  AllShardsAnswer,
  BlockHeaderAnswer,
  BlockStateAnswer,
  LookupAnswer,
  ShardBlockProofAnswer,
  ShardInfoAnswer,
} from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import type { BlockQuery, ShardQuery } from '../liteServer.ts'
import { lookupMode, lookupParts } from '../lookupParts.ts'
import { verb } from './verb.ts'
import { readBlock, readShard, unsigned, unsignedLong, writeBlock } from './wireNames.ts'

/** The bits that identify the block. */
const MARKS = 7
/** Higher bits are the mode of the returned header. */
const MARK_BITS = 4

interface WireLookup {
  readonly mode: number
  readonly id: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  readonly lt?: bigint | undefined
  readonly utime?: number | undefined
}

/** Throws LiteError `badQuery`. */
function readLookup({ mode, id, lt, utime }: WireLookup): BlockQuery {
  const place = readShard(id.workchain, id.shard)
  switch (mode & MARKS) {
    case lookupParts.seqno:
      return { ...place, seqno: unsigned(id.seqno) }
    case lookupParts.lt:
      return { ...place, lt: unsignedLong(lt ?? 0n) }
    case lookupParts.utime:
      return { ...place, utime: unsigned(utime ?? 0) }
    default:
      throw new LiteError('badQuery', 'exactly one of mode.0, mode.1 and mode.2 bits must be set')
  }
}

function writeLookup(query: BlockQuery, headerMode: number): WireLookup {
  const { workchain, shard } = query
  const id = { workchain, shard, seqno: 'seqno' in query ? query.seqno : 0 }
  const mode = (headerMode << MARK_BITS) | lookupMode(query)
  if ('seqno' in query) return { mode, id }
  return 'lt' in query ? { mode, id, lt: query.lt } : { mode, id, utime: query.utime }
}

const readHeader = (answer: { id: Parameters<typeof readBlock>[0]; mode: number; header_proof: Uint8Array }) => ({
  id: readBlock(answer.id),
  mode: answer.mode,
  headerProof: answer.header_proof,
})

const writeHeader = ({ id, mode, headerProof }: BlockHeaderAnswer) => ({
  id: writeBlock(id),
  mode,
  header_proof: headerProof,
})

const readLinks = (links: readonly { readonly id: Parameters<typeof readBlock>[0]; readonly proof: Uint8Array }[]) =>
  links.map(({ id, proof }) => ({ id: readBlock(id), proof }))
const writeLinks = (links: ShardBlockProofAnswer['links']) =>
  links.map(({ id, proof }) => ({ id: writeBlock(id), proof }))

export const blockFunctions = {
  lookupBlock: verb('lookupBlock', {
    request: (query: BlockQuery, mode: number) => writeLookup(query, mode),
    serve: (server, request, options) => server.lookup(readLookup(request), request.mode >>> MARK_BITS, options),
    write: writeHeader,
    read: readHeader,
  }),

  lookupBlockWithProof: verb('lookupBlockWithProof', {
    request: (query: BlockQuery, known: BlockIdExt) => {
      const { mode, id, lt, utime } = writeLookup(query, 0)
      return { mode, id, lt, utime, mc_block_id: writeBlock(known) }
    },
    serve: (server, request, options) =>
      server.lookupWithProof(readLookup(request), readBlock(request.mc_block_id), options),
    write: (own: LookupAnswer, { mode }) => ({
      id: writeBlock(own.id),
      mode,
      mc_block_id: writeBlock(own.masterchainId),
      client_mc_state_proof: own.clientMasterStateProof,
      mc_block_proof: own.masterBlockProof,
      shard_links: writeLinks(own.shardLinks),
      header: own.header,
      prev_header: own.previousHeader,
    }),
    read: (answer) => ({
      id: readBlock(answer.id),
      mode: answer.mode,
      masterchainId: readBlock(answer.mc_block_id),
      clientMasterStateProof: answer.client_mc_state_proof,
      masterBlockProof: answer.mc_block_proof,
      shardLinks: readLinks(answer.shard_links),
      header: answer.header,
      previousHeader: answer.prev_header,
    }),
  }),

  getBlockHeader: verb('getBlockHeader', {
    request: (id: BlockIdExt, mode: number) => ({ id: writeBlock(id), mode }),
    serve: (server, { id, mode }, options) => server.header(readBlock(id), mode, options),
    write: writeHeader,
    read: readHeader,
  }),

  getBlock: verb('getBlock', {
    request: (id: BlockIdExt) => ({ id: writeBlock(id) }),
    serve: (server, { id }, options) => server.block(readBlock(id), options),
    write: (own: Uint8Array, { id }) => ({ id, data: own }),
    read: ({ data }) => data,
  }),

  getState: verb('getState', {
    request: (id: BlockIdExt) => ({ id: writeBlock(id) }),
    serve: (server, { id }, options) => server.state(readBlock(id), options),
    write: ({ id, rootHash, fileHash, data }: BlockStateAnswer) => ({
      id: writeBlock(id),
      root_hash: rootHash,
      file_hash: fileHash,
      data,
    }),
    read: ({ id, root_hash, file_hash, data }) => ({
      id: readBlock(id),
      rootHash: root_hash,
      fileHash: file_hash,
      data,
    }),
  }),

  getShardInfo: verb('getShardInfo', {
    request: (id: BlockIdExt, { workchain, shard, exact }: ShardQuery) => ({
      id: writeBlock(id),
      workchain,
      shard,
      exact,
    }),
    serve: (server, { id, workchain, shard, exact }, options) =>
      server.shardInfo(readBlock(id), { ...readShard(workchain, shard), exact }, options),
    write: (own: ShardInfoAnswer) => ({
      id: writeBlock(own.id),
      shardblk: writeBlock(own.shardBlock),
      shard_proof: own.shardProof,
      shard_descr: own.shardDescription,
    }),
    read: (answer) => ({
      id: readBlock(answer.id),
      shardBlock: readBlock(answer.shardblk),
      shardProof: answer.shard_proof,
      shardDescription: answer.shard_descr,
    }),
  }),

  getAllShardsInfo: verb('getAllShardsInfo', {
    request: (id: BlockIdExt) => ({ id: writeBlock(id) }),
    serve: (server, { id }, options) => server.shards(readBlock(id), options),
    write: ({ id, proof, data }: AllShardsAnswer) => ({ id: writeBlock(id), proof, data }),
    read: ({ id, proof, data }) => ({ id: readBlock(id), proof, data }),
  }),

  getShardBlockProof: verb('getShardBlockProof', {
    request: (id: BlockIdExt) => ({ id: writeBlock(id) }),
    serve: (server, { id }, options) => server.shardBlockProof(readBlock(id), options),
    write: ({ masterchainId, links }: ShardBlockProofAnswer) => ({
      masterchain_id: writeBlock(masterchainId),
      links: writeLinks(links),
    }),
    read: ({ masterchain_id, links }) => ({ masterchainId: readBlock(masterchain_id), links: readLinks(links) }),
  }),
}
