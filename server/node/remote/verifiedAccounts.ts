// Accounts and get-methods of a verified lite server.

import { makeProof, writeBoc } from '../../cell/index.ts'
import { type AccountId, type BlockIdExt, NO_BLOCK } from '../blockId.ts'
import type { AccountStateAnswer } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { type LiteOptions, type LiteServer, runParts } from '../liteServer.ts'
import { checkMethodQuery } from '../methodQuery.ts'
import { readAhead, type VerifiedAccount, verifyAccount, verifyPrunedAccount } from '../verify/index.ts'
import { namingVerb } from './proofWalk.ts'
import { masterOf, type VerifiedTools } from './verifiedTools.ts'

export interface MethodRun {
  /** Whose configuration and previous blocks the run sees. */
  readonly master: BlockIdExt
  readonly account: VerifiedAccount
  readonly methodId: number
  /** A bag of cells with a VmStack, or empty. */
  readonly params: Uint8Array
}

/** Exit code and the stack left, as a bag of cells; null when there is no active account. Rejects with LiteError. */
export type MethodRunner = (
  run: MethodRun,
  options: LiteOptions,
) => Promise<{ readonly exitCode: number; readonly stack: Uint8Array } | null>

const EMPTY = new Uint8Array(0)
const NO_ACTIVE_ACCOUNT = -256

type Accounts = Pick<LiteServer, 'accountState' | 'accountStatePruned' | 'runMethod'>

export function verifiedAccounts({ on }: VerifiedTools, runner: MethodRunner | null): Accounts {
  type Read = (
    server: LiteServer,
    id: BlockIdExt,
    account: AccountId,
    options: LiteOptions,
  ) => Promise<{ readonly answer: AccountStateAnswer; readonly found: VerifiedAccount }>

  const whole: Read = async (server, id, account, options) => {
    const answer = await server.accountState(id, account, options)
    const found = verifyAccount(id, account, await readAhead(answer, options))
    return { answer: { ...answer, shardBlock: found.block ?? NO_BLOCK }, found }
  }
  const pruned: Read = async (server, id, account, options) => {
    const answer = await server.accountStatePruned(id, account, options)
    const found = verifyPrunedAccount(id, account, await readAhead(answer, options))
    return { answer: { ...answer, shardBlock: found.block ?? NO_BLOCK }, found }
  }
  return {
    accountState: (id, account, options = {}) =>
      on(id, options, async (server) => (await whole(server, id, account, options)).answer),
    accountStatePruned: (id, account, options = {}) =>
      on(id, options, async (server) => (await pruned(server, id, account, options)).answer),
    async runMethod(id, { account, methodId, params, mode }, options = {}) {
      if (runner === null)
        throw new LiteError('badQuery', 'get-methods are not run here: read the account and run them yourself')
      checkMethodQuery({ mode, params })
      const [{ answer, found }, master] = await on(id, options, (server) =>
        Promise.all([
          namingVerb('accountState', () => whole(server, id, account, options)),
          namingVerb('header', () => masterOf(server, id, options)),
        ]),
      )
      const outcome = await runner({ master, account: found, methodId, params }, options)
      const cell = found.shardAccount?.account ?? null
      const part = (bit: number, bytes: Uint8Array): Uint8Array => ((mode & bit) === 0 ? EMPTY : bytes)
      return {
        ...{ mode, id, shardBlock: answer.shardBlock },
        shardProof: part(runParts.proof, answer.shardProof),
        proof: part(runParts.proof, answer.proof),
        stateProof: part(
          runParts.stateProof,
          cell === null
            ? EMPTY
            : writeBoc(
                makeProof(cell, () => true),
                0,
              ),
        ),
        initC7: EMPTY,
        libExtras: EMPTY,
        exitCode: outcome?.exitCode ?? NO_ACTIVE_ACCOUNT,
        result: part(runParts.result, outcome?.stack ?? EMPTY),
      }
    },
  }
}
