// Parts of states: the configuration, libraries, queues, who made how many blocks.

import type { BlockIdExt, ShardId } from '../blockId.ts'
import type {
  ConfigAnswer,
  DispatchMessagesAnswer,
  DispatchQueuesAnswer,
  LibrariesAnswer,
  LibraryEntry,
  QueueSizeAnswer,
  QueueSizesAnswer,
  ValidatorStatsAnswer,
} from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import type { DispatchMessagesQuery, DispatchQueuesQuery, ValidatorStatsQuery } from '../liteServer.ts'
import { readMetadata, writeWireMetadata } from './transactionFunctions.ts'
import { verb } from './verb.ts'
import { NO_BYTES, readBlock, readShard, unsignedLong, withoutUndefined, writeBlock } from './wireNames.ts'

const STATS = { startAfter: 1, inclusive: 2, modifiedAfter: 4 } as const
const ALL_OF_STATS = 7
const WITH_PROOF = 1
/** Stands for missing metadata of a message on the wire. */
const NO_METADATA = {
  mode: 0,
  depth: -1,
  initiator: { workchain: -0x8000_0000, id: new Uint8Array(32) },
  initiator_lt: -1n,
}

const setIf = (isSet: boolean | undefined): true | undefined => (isSet === true ? true : undefined)

const writeConfig = ({ mode, id, stateProof, configProof }: ConfigAnswer) => ({
  mode,
  id: writeBlock(id),
  state_proof: stateProof,
  config_proof: configProof,
})

const readConfig = (answer: ReturnType<typeof writeConfig>): ConfigAnswer => ({
  mode: answer.mode,
  id: readBlock(answer.id),
  stateProof: answer.state_proof,
  configProof: answer.config_proof,
})

function readStats({
  mode,
  limit,
  start_after,
  modified_after,
}: {
  readonly mode: number
  readonly limit: number
  readonly start_after?: Uint8Array | undefined
  readonly modified_after?: number | undefined
}): ValidatorStatsQuery {
  if ((mode & ~ALL_OF_STATS) !== 0) throw new LiteError('badQuery', 'unknown flags set in mode')
  const isInclusive = (mode & STATS.inclusive) !== 0
  const start = start_after ?? (isInclusive ? new Uint8Array(32) : undefined)
  return {
    limit,
    ...(start === undefined ? {} : { startAfter: start }),
    ...(modified_after === undefined ? {} : { modifiedAfter: modified_after }),
    ...(isInclusive ? { inclusive: true } : {}),
  }
}

export const stateFunctions = {
  getConfigAll: verb('getConfigAll', {
    request: (id: BlockIdExt, mode: number) => ({ mode, id: writeBlock(id) }),
    serve: (server, { mode, id }, options) => server.config(readBlock(id), 'all', mode & 0xffff, options),
    write: writeConfig,
    read: readConfig,
  }),

  getConfigParams: verb('getConfigParams', {
    request: (id: BlockIdExt, mode: number, params: readonly number[]) => ({
      mode,
      id: writeBlock(id),
      param_list: params,
    }),
    serve: (server, { mode, id, param_list }, options) =>
      server.config(readBlock(id), param_list, mode & 0xffff, options),
    write: writeConfig,
    read: readConfig,
  }),

  getValidatorStats: verb('getValidatorStats', {
    request: (id: BlockIdExt, { limit, startAfter, inclusive, modifiedAfter }: ValidatorStatsQuery) => ({
      mode: inclusive === true ? STATS.inclusive : 0,
      id: writeBlock(id),
      limit,
      ...withoutUndefined({ start_after: startAfter, modified_after: modifiedAfter }),
    }),
    serve: (server, request, options) => server.validatorStats(readBlock(request.id), readStats(request), options),
    write: ({ id, count, complete, stateProof, dataProof }: ValidatorStatsAnswer, { mode }) => ({
      mode,
      id: writeBlock(id),
      count,
      complete,
      state_proof: stateProof,
      data_proof: dataProof,
    }),
    read: ({ mode, id, count, complete, state_proof, data_proof }) => ({
      mode,
      id: readBlock(id),
      count,
      complete,
      stateProof: state_proof,
      dataProof: data_proof,
    }),
  }),

  getLibraries: verb('getLibraries', {
    request: (hashes: readonly Uint8Array[]) => ({ library_list: hashes }),
    serve: (server, { library_list }, options) => server.libraries(library_list, options),
    write: (result: readonly LibraryEntry[]) => ({ result }),
    read: ({ result }) => result,
  }),

  getLibrariesWithProof: verb('getLibrariesWithProof', {
    request: (id: BlockIdExt, hashes: readonly Uint8Array[], mode: number) => ({
      id: writeBlock(id),
      mode,
      library_list: hashes,
    }),
    serve: (server, { id, mode, library_list }, options) =>
      server.librariesWithProof(readBlock(id), library_list, mode, options),
    write: ({ id, mode, result, stateProof, dataProof }: LibrariesAnswer) => ({
      id: writeBlock(id),
      mode,
      result,
      state_proof: stateProof,
      data_proof: dataProof,
    }),
    read: ({ id, mode, result, state_proof, data_proof }) => ({
      id: readBlock(id),
      mode,
      result,
      stateProof: state_proof,
      dataProof: data_proof,
    }),
  }),

  getOutMsgQueueSizes: verb('getOutMsgQueueSizes', {
    request: (shard: ShardId | undefined) =>
      shard === undefined ? { mode: 0 } : { mode: 0, wc: shard.workchain, shard: shard.shard },
    serve: (server, { wc, shard }, options) =>
      server.queueSizes(wc === undefined || shard === undefined ? undefined : readShard(wc, shard), options),
    write: ({ shards, externalLimit }: QueueSizesAnswer) => ({
      shards: shards.map(({ id, size }) => ({ id: writeBlock(id), size })),
      ext_msg_queue_size_limit: externalLimit,
    }),
    read: ({ shards, ext_msg_queue_size_limit }) => ({
      shards: shards.map(({ id, size }) => ({ id: readBlock(id), size })),
      externalLimit: ext_msg_queue_size_limit,
    }),
  }),

  getBlockOutMsgQueueSize: verb('getBlockOutMsgQueueSize', {
    request: (id: BlockIdExt, wantProof: boolean) => ({
      mode: 0,
      id: writeBlock(id),
      ...withoutUndefined({ want_proof: setIf(wantProof) }),
    }),
    serve: (server, { id, want_proof }, options) => server.blockQueueSize(readBlock(id), want_proof === true, options),
    write: ({ id, size, proof }: QueueSizeAnswer, { mode }) => ({
      mode,
      id: writeBlock(id),
      size: BigInt(size),
      ...((mode & WITH_PROOF) === 0 ? {} : { proof }),
    }),
    read: ({ mode, id, size, proof }) => ({ mode, id: readBlock(id), size: Number(size), proof: proof ?? NO_BYTES }),
  }),

  getDispatchQueueInfo: verb('getDispatchQueueInfo', {
    request: (id: BlockIdExt, { count, after, wantProof }: DispatchQueuesQuery) => ({
      mode: 0,
      id: writeBlock(id),
      max_accounts: count,
      ...withoutUndefined({ after_addr: after, want_proof: setIf(wantProof) }),
    }),
    serve: (server, { id, after_addr, max_accounts, want_proof }, options) =>
      server.dispatchQueues(
        readBlock(id),
        { count: max_accounts, ...withoutUndefined({ after: after_addr, wantProof: want_proof }) },
        options,
      ),
    write: ({ id, queues, complete, proof }: DispatchQueuesAnswer, { mode }) => ({
      mode,
      id: writeBlock(id),
      account_dispatch_queues: queues.map(({ account, size, minLt, maxLt }) => ({
        addr: account,
        size: BigInt(size),
        min_lt: minLt,
        max_lt: maxLt,
      })),
      complete,
      ...((mode & WITH_PROOF) === 0 ? {} : { proof }),
    }),
    read: ({ mode, id, account_dispatch_queues, complete, proof }) => ({
      mode,
      id: readBlock(id),
      queues: account_dispatch_queues.map(({ addr, size, min_lt, max_lt }) => ({
        account: addr,
        size: Number(size),
        minLt: unsignedLong(min_lt),
        maxLt: unsignedLong(max_lt),
      })),
      complete,
      proof: proof ?? NO_BYTES,
    }),
  }),

  getDispatchQueueMessages: verb('getDispatchQueueMessages', {
    request: (id: BlockIdExt, query: DispatchMessagesQuery) => ({
      mode: 0,
      id: writeBlock(id),
      addr: query.account,
      after_lt: query.afterLt,
      max_messages: query.count,
      ...withoutUndefined({
        want_proof: setIf(query.wantProof),
        one_account: setIf(query.onlyThisAccount),
        messages_boc: setIf(query.wantBodies),
      }),
    }),
    serve: (server, request, options) =>
      server.dispatchMessages(
        readBlock(request.id),
        {
          count: request.max_messages,
          account: request.addr,
          afterLt: request.after_lt,
          ...withoutUndefined({
            onlyThisAccount: request.one_account,
            wantProof: request.want_proof,
            wantBodies: request.messages_boc,
          }),
        },
        options,
      ),
    write: ({ id, messages, complete, proof, bodies }: DispatchMessagesAnswer, { mode, messages_boc }) => ({
      mode,
      id: writeBlock(id),
      messages: messages.map(({ account, lt, hash, metadata }) => ({
        addr: account,
        lt,
        hash,
        metadata: metadata === null ? NO_METADATA : writeWireMetadata(metadata),
      })),
      complete,
      ...((mode & WITH_PROOF) === 0 ? {} : { proof }),
      ...(messages_boc === true ? { messages_boc: bodies } : {}),
    }),
    read: ({ mode, id, messages, complete, proof, messages_boc }) => ({
      mode,
      id: readBlock(id),
      messages: messages.map(({ addr, lt, hash, metadata }) => ({
        account: addr,
        lt: unsignedLong(lt),
        hash,
        metadata: metadata.depth === NO_METADATA.depth ? null : readMetadata(metadata),
      })),
      complete,
      proof: proof ?? NO_BYTES,
      bodies: messages_boc ?? NO_BYTES,
    }),
  }),
}
