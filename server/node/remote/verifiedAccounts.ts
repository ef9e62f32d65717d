// Accounts and get-methods of a verified lite server.

import { isLargeTree, NO_CRC, wrapProof, writeBoc, writingBoc } from '../../cell/index.ts'
import { fewAtOnce, ownerOfSignal } from '../../fairness/index.ts'
import { type BlockIdExt, NO_BLOCK } from '../blockId.ts'
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

interface Checked {
  readonly answer: AccountStateAnswer
  readonly found: VerifiedAccount
}

type ReadAccount = (...read: Parameters<Accounts['accountState']>) => (server: LiteServer) => Promise<Checked>

const checkedBy =
  (verb: 'accountState' | 'accountStatePruned', verify: typeof verifyAccount): ReadAccount =>
  (id, account, options) =>
  async (server) => {
    const answer = await server[verb](id, account, options)
    const found = verify(id, account, await readAhead(answer, options))
    return { answer: { ...answer, shardBlock: found.block ?? NO_BLOCK }, found }
  }

const whole = checkedBy('accountState', verifyAccount)
const pruned = checkedBy('accountStatePruned', verifyPrunedAccount)

/** All of an account as a proof: which cells a method has read is not known. */
async function wholeProof({ shardAccount }: VerifiedAccount, { share, signal }: LiteOptions): Promise<Uint8Array> {
  if (shardAccount === null) return EMPTY
  const proof = wrapProof(shardAccount.account)
  if (!isLargeTree(proof)) return writeBoc(proof, NO_CRC)
  try {
    return await fewAtOnce(writingBoc(proof, NO_CRC), { subject: share ?? ownerOfSignal(signal), signal })
  } catch (cause) {
    throw signal?.aborted === true ? new LiteError('cancelled', 'the query was cancelled', { cause }) : cause
  }
}

export function verifiedAccounts({ on }: VerifiedTools, runner: MethodRunner | null): Accounts {
  return {
    accountState: async (id, account, options = {}) => (await on(id, options, whole(id, account, options))).answer,
    accountStatePruned: async (id, account, options = {}) =>
      (await on(id, options, pruned(id, account, options))).answer,
    async runMethod(id, { account, methodId, params, mode }, options = {}) {
      if (runner === null)
        throw new LiteError('badQuery', 'get-methods are not run here: read the account and run them yourself')
      checkMethodQuery({ mode, params })
      const [{ answer, found }, master] = await on(id, options, (server) =>
        Promise.all([
          namingVerb('accountState', () => whole(id, account, options)(server)),
          namingVerb('header', () => masterOf(server, id, options)),
        ]),
      )
      const outcome = await runner({ master, account: found, methodId, params }, options)
      const stateProof = (mode & runParts.stateProof) === 0 ? EMPTY : await wholeProof(found, options)
      const part = (bit: number, bytes: Uint8Array): Uint8Array => ((mode & bit) === 0 ? EMPTY : bytes)
      return {
        mode,
        id,
        shardBlock: answer.shardBlock,
        shardProof: part(runParts.proof, answer.shardProof),
        proof: part(runParts.proof, answer.proof),
        stateProof,
        initC7: EMPTY,
        libExtras: EMPTY,
        exitCode: outcome?.exitCode ?? NO_ACTIVE_ACCOUNT,
        result: part(runParts.result, outcome?.stack ?? EMPTY),
      }
    },
  }
}
