// Which requests count as transactions of tokens, over steps of one batch and over batches.

import { expect, test } from 'vitest'
import { jettons, nft } from '../../../../server/bodies/index.ts'
import { type BinaryHash, hashFromBytes } from '../../../../server/cell/index.ts'
import { accountKey } from '../../../../server/facts/index.ts'
import {
  nameOfToken,
  possibleTokens,
  type StepOfTokens,
  type TokenRequest,
  type TokenState,
  TokenWalk,
} from '../../../../server/indexer/assets/tokenWalk.ts'
import type { KnownToken } from '../../../../server/store/index.ts'

const ACCOUNT = accountKey(0, new Uint8Array(32).fill(0x31))
const KEY = hashFromBytes(ACCOUNT)
const WALLET: KnownToken = { account: ACCOUNT, kind: 'jettonWallet', of: accountKey(0, new Uint8Array(32).fill(0x32)) }
const ITEM: KnownToken = { account: ACCOUNT, kind: 'nftItem', of: null }
const NAME = nameOfToken(WALLET)

const requestAt = (lt: bigint, opcode = jettons.transfer.opcode): TokenRequest => ({
  hash: new Uint8Array(32).fill(Number(lt)),
  account: ACCOUNT,
  lt,
  now: 1,
  description: '',
  source: ACCOUNT,
  opcode,
  body: new Uint8Array(),
})

interface Step {
  readonly at: readonly bigint[]
  /** What the contract is after the step; left out where it was not examined. */
  readonly is?: KnownToken | null
  readonly birth?: bigint
}

const stepOf = ({ at, is, birth }: Step, mcSeqno: number): StepOfTokens => ({
  requests: at.map((lt) => requestAt(lt)),
  births: new Map<BinaryHash, bigint>(birth === undefined ? [] : [[KEY, birth]]),
  tokens: new Map(is == null ? [] : [[nameOfToken(is), is]]),
  examined: is === undefined ? [] : possibleTokens(KEY),
  mcSeqno,
})

function walked(steps: readonly Step[], before = new Map<string, TokenState>()) {
  const walk = new TokenWalk(before)
  for (const [i, step] of steps.entries()) for (const _ of walk.taking(stepOf(step, i + 1)));
  const counted = walk.counted.map(({ request, lateMcSeqno }) => [request.lt, lateMcSeqno])
  return { counted, late: walk.late.map(({ countedTo, mcSeqno }) => [countedTo, mcSeqno]), states: walk.states }
}

test('a request counts at once for a token, else with the step that makes its account one', () => {
  expect(walked([{ at: [1n], is: WALLET }]).counted).toEqual([[1n, null]])
  const waiting = walked([{ at: [1n, 2n], is: null }, { at: [] }, { at: [5n], is: WALLET }])
  expect(waiting.counted).toEqual([
    [1n, 3],
    [2n, 3],
    [5n, null],
  ])
  // For a token of another kind none does.
  expect(walked([{ at: [1n], is: ITEM }]).counted).toEqual([])
  const toItem = { ...stepOf({ at: [], is: ITEM }, 1), requests: [requestAt(1n, nft.transfer.opcode)] }
  const walk = new TokenWalk(new Map())
  for (const _ of walk.taking(toItem));
  expect(walk.counted).toMatchObject([{ token: ITEM, lateMcSeqno: null }])
})

test('a request before its account was deployed anew never counts, one that deploys it does', () => {
  const steps = [
    { at: [1n], is: null },
    { at: [2n, 3n, 4n], birth: 3n, is: null },
    { at: [], is: WALLET },
  ]
  const { counted, late } = walked(steps)
  expect(counted).toEqual([
    [3n, 3],
    [4n, 3],
  ])
  // The tables may have more of its earlier life.
  expect(late).toEqual([])
})

test('what the tables have of one that becomes a token late counts from the first that did not', () => {
  expect(walked([{ at: [], is: WALLET }]).late).toEqual([[0n, 1]])
  const { states, ...first } = walked([
    { at: [1n, 2n], is: WALLET },
    { at: [4n], is: WALLET },
    { at: [6n], is: null },
  ])
  expect(first.counted).toEqual([
    [1n, null],
    [2n, null],
    [4n, null],
    [6n, null],
  ])
  expect(states.get(NAME)).toEqual({ token: null, countedTo: 6n })
  // In the next batch it is none at first.
  const next = walked(
    [
      { at: [8n], is: null },
      { at: [], is: WALLET },
    ],
    new Map(states),
  )
  expect([next.counted, next.late]).toEqual([[[8n, 2]], [[6n, 2]]])
  // One that was a token all the time has none left there.
  const known = new Map([[NAME, { token: WALLET, countedTo: 0n }]])
  expect(
    walked(
      [
        { at: [8n], is: null },
        { at: [], is: WALLET },
      ],
      known,
    ).late,
  ).toEqual([])
})
