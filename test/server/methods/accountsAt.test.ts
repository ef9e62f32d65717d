// An account as of an earlier block, where a server refuses: only what it lacks is "not found".

import { describe, expect, test } from 'vitest'
import { asChainError } from '../../../server/methods/errors/chainErrors.ts'
import { accountAtBlock, masterBlockAt } from '../../../server/methods/v3/accountsAt.ts'
import { LiteError } from '../../../server/node/index.ts'

const signal = new AbortController().signal
const block = { workchain: -1, shard: 1n << 63n, seqno: 7, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }

/** A node that answers each question with this error. */
function refusing(code: number, text: string) {
  const refuse = () => Promise.reject(new LiteError(code, text))
  return { head: refuse, idOf: refuse, account: refuse }
}

const ofKind = (kind: string) => expect.objectContaining({ kind })

describe.each([
  [228, 'too many queries', 'busy'],
  [429, 'slow down', 'busy'],
  [502, 'no backend', 'upstream'],
  [-503, 'out of memory', 'upstream'],
  [652, 'late', 'timeout'],
  [651, 'block is not in db', 'notFound'],
  [0, 'cannot load state', 'notFound'],
])('code %d of a lite server', (code, text, kind) => {
  const chain = refusing(code, text)

  test('for the block', () =>
    expect(masterBlockAt(chain, 7, signal).catch(asChainError)).resolves.toEqual(ofKind(kind)))

  test('for the account', () => {
    const read = accountAtBlock(chain, new Uint8Array(33), block, signal)
    return expect(read.catch(asChainError)).resolves.toEqual(ofKind(kind))
  })
})
