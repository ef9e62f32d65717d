// Checks of answers that the service makes in pieces, or does not make as it never relies on these answers, in one call each.

import { type Cell, hashFromBytes, inOnePiece } from '../../server/cell/index.ts'
import { type AccountId, type BlockIdExt, ProofError, type VerifiedAccount } from '../../server/node/index.ts'
import type { LibraryEntry, RunMethodAnswer, SignatureSet } from '../../server/node/liteAnswers.ts'
import {
  type Validator,
  verifyingBlock,
  verifyingBlockProof,
  verifyPrunedAccount,
} from '../../server/node/verify/index.ts'
import { demand } from '../../server/node/verify/proofError.ts'
import { refusing, wholeTree } from '../../server/node/verify/readProof.ts'
import { checkingSignatures } from '../../server/node/verify/signatures.ts'

export const verifyBlock = (id: BlockIdExt, boc: Uint8Array) => inOnePiece(verifyingBlock(id, boc))

export const verifyBlockProof = (...check: Parameters<typeof verifyingBlockProof>) =>
  inOnePiece(verifyingBlockProof(...check))

export const checkSignatures = (block: BlockIdExt, validators: readonly Validator[], set: SignatureSet): void =>
  inOnePiece(checkingSignatures(block, validators, set))

/** Of the account that a get-method ran on: its state is shown as a pruned one is. The result is part of no proof. */
export function verifyRunMethod(id: BlockIdExt, account: AccountId, answer: RunMethodAnswer): VerifiedAccount {
  const found = verifyPrunedAccount(id, account, { ...answer, state: answer.stateProof })
  if (found.shardAccount === null && answer.exitCode !== -256)
    throw new ProofError('account', 'a get-method ran on an account that does not exist')
  return found
}

/** By their hashes, in lowercase hex. That others are absent is not proven. */
export function verifyLibraries(wanted: readonly Uint8Array[], entries: readonly LibraryEntry[]) {
  return refusing('libraries', (): ReadonlyMap<string, Cell> => {
    const left = new Set(wanted.map(hashFromBytes))
    return new Map(
      entries.map(({ hash, data }) => {
        const root = wholeTree(data)
        demand(left.delete(hashFromBytes(hash)), 'library', 'a library that was not requested')
        demand(root.hash() === hashFromBytes(hash), 'hash', 'a library has another hash')
        return [Buffer.from(hash).toString('hex'), root] as const
      }),
    )
  })
}
