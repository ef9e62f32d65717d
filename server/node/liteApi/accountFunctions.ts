// Accounts as of a block, and get-methods on them.

import { type AccountId, type BlockIdExt, MASTERCHAIN } from '../blockId.ts'
import type { AccountStateAnswer, RunMethodAnswer } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { type LiteOptions, type LiteServer, type MethodQuery, runParts } from '../liteServer.ts'
import { verb } from './verb.ts'
import { NO_BYTES, readBlock, readWireAccount, unsigned, writeAccount, writeBlock } from './wireNames.ts'

/** This seqno means the newest block; the hashes are ignored. */
const NEWEST = unsigned(-1)

async function namedBlock(server: LiteServer, id: BlockIdExt, options: LiteOptions): Promise<BlockIdExt> {
  if (id.workchain !== MASTERCHAIN || id.seqno !== NEWEST) return id
  return (await server.masterchainInfo(options)).last
}

const writeState = (own: AccountStateAnswer) => ({
  id: writeBlock(own.id),
  shardblk: writeBlock(own.shardBlock),
  shard_proof: own.shardProof,
  proof: own.proof,
  state: own.state,
})

const readState = (answer: ReturnType<typeof writeState>): AccountStateAnswer => ({
  id: readBlock(answer.id),
  shardBlock: readBlock(answer.shardblk),
  shardProof: answer.shard_proof,
  proof: answer.proof,
  state: answer.state,
})

const requestOf = (id: BlockIdExt, account: AccountId) => ({ id: writeBlock(id), account: writeAccount(account) })

/** Throws LiteError `badQuery` for a number the TVM here does not take. */
function methodOf(id: bigint): number {
  if (BigInt.asIntN(32, id) !== id) throw new LiteError('badQuery', `${id} is no id of a get-method`)
  return Number(id)
}

const partIf = (mode: number, part: number, bytes: Uint8Array): Uint8Array | undefined =>
  (mode & part) === 0 ? undefined : bytes

export const accountFunctions = {
  getAccountState: verb('getAccountState', {
    request: requestOf,
    serve: async (server, { id, account }, options) =>
      server.accountState(await namedBlock(server, readBlock(id), options), readWireAccount(account), options),
    serveAtOnce: (server, { id, account }) => server.accountState.atOnce?.(readBlock(id), readWireAccount(account)),
    write: writeState,
    read: readState,
  }),

  getAccountStatePrunned: verb('getAccountStatePrunned', {
    request: requestOf,
    serve: async (server, { id, account }, options) =>
      server.accountStatePruned(await namedBlock(server, readBlock(id), options), readWireAccount(account), options),
    write: writeState,
    read: readState,
  }),

  runSmcMethod: verb('runSmcMethod', {
    request: (id: BlockIdExt, { account, methodId, params, mode }: MethodQuery) => ({
      mode,
      ...requestOf(id, account),
      method_id: BigInt(methodId),
      params,
    }),
    serve: async (server, { mode, id, account, method_id, params }, options) => {
      const block = await namedBlock(server, readBlock(id), options)
      return await server.runMethod(
        block,
        { account: readWireAccount(account), methodId: methodOf(method_id), params, mode },
        options,
      )
    },
    write: (own: RunMethodAnswer, { mode }) => ({
      mode,
      id: writeBlock(own.id),
      shardblk: writeBlock(own.shardBlock),
      shard_proof: partIf(mode, runParts.proof, own.shardProof),
      proof: partIf(mode, runParts.proof, own.proof),
      state_proof: partIf(mode, runParts.stateProof, own.stateProof),
      init_c7: partIf(mode, runParts.initC7, own.initC7),
      lib_extras: partIf(mode, runParts.libExtras, own.libExtras),
      exit_code: own.exitCode,
      result: partIf(mode, runParts.result, own.result),
    }),
    read: (answer) => ({
      mode: answer.mode,
      id: readBlock(answer.id),
      shardBlock: readBlock(answer.shardblk),
      shardProof: answer.shard_proof ?? NO_BYTES,
      proof: answer.proof ?? NO_BYTES,
      stateProof: answer.state_proof ?? NO_BYTES,
      initC7: answer.init_c7 ?? NO_BYTES,
      libExtras: answer.lib_extras ?? NO_BYTES,
      exitCode: answer.exit_code,
      result: answer.result ?? NO_BYTES,
    }),
  }),
}
