// Who validates: against real states of testnet and mainnet, and against slower ways to draw.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildDict, loadProof, openCell, readBoc } from '../../../../server/cell/index.ts'
import {
  currentValidators,
  MASTERCHAIN,
  ProofError,
  type Validator,
  validatorListHash,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { ValidatorDraw, validatorsOf } from '../../../../server/node/verify/validatorSet.ts'
import {
  type CatchainConfig,
  configKind,
  loadShardState,
  masterDetailsOf,
  masterStateOf,
  storeConfigParam,
  type ValidatorSet,
  validatorsKind,
} from '../../../../server/tlb/index.ts'

const masterchain = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const basechain = { workchain: 0, shard: WHOLE_SHARD }

const catchain = (more: { readonly shuffle?: boolean; readonly shardValidators?: number } = {}): CatchainConfig => ({
  form: 'v2',
  flags: null,
  shuffleMasterValidators: more.shuffle ?? false,
  masterCatchainLifetime: 250,
  shardCatchainLifetime: 250,
  shardValidatorsLifetime: 1000,
  shardValidators: more.shardValidators ?? 3,
})

function setOf(weights: readonly bigint[], main = weights.length): ValidatorSet {
  const entries = weights.map((weight, i) => {
    const publicKey = new Uint8Array(32).fill(i + 1)
    return [i, { publicKey, weight, adnlAddress: new Uint8Array(32).fill(100 + i) }] as const
  })
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0n)
  const list = buildDict(validatorsKind, entries)
  return { utimeSince: 0, utimeUntil: 1, total: weights.length, main, totalWeight, list }
}

const placesOf = (validators: readonly Validator[]): number[] =>
  validators.map(({ publicKey }) => (publicKey[0] ?? 0) - 1)

describe('real networks', () => {
  test.each([
    ['config-proof-testnet-4324374', 15, 15],
    ['config-proof-mainnet-33651872', 319, 100],
  ])('behavior: %s names the validators we compute', (name, total, main) => {
    const file = readFileSync(new URL(`../../../fixtures/states/${name}.boc`, import.meta.url))
    const extra = masterStateOf(loadShardState(openCell(loadProof(readBoc(file)))))
    if (extra === null) throw new Error('Not a state of the masterchain')
    const { validatorInfo } = masterDetailsOf(extra)
    const validators = currentValidators(extra.config, masterchain, validatorInfo.catchainSeqno)
    expect(validators).toHaveLength(main)
    expect(validatorListHash(validators, 0)).toBe(validatorInfo.listHashShort)
    const others = currentValidators(extra.config, masterchain, validatorInfo.catchainSeqno + 1)
    expect(validatorListHash(others, 0)).not.toBe(validatorInfo.listHashShort)
    expect(currentValidators(extra.config, basechain, 1).length).toBeLessThan(total)
  })
})

describe('drawing', () => {
  test('behavior: the masterchain takes the first ones, in order unless it shuffles', () => {
    const set = setOf([5n, 6n, 7n, 8n, 9n], 4)
    expect(placesOf(validatorsOf(set, catchain(), masterchain, 7))).toEqual([0, 1, 2, 3])
    const shuffled = placesOf(validatorsOf(set, catchain({ shuffle: true }), masterchain, 7))
    expect([...shuffled].sort()).toEqual([0, 1, 2, 3])
    const orders = Array.from({ length: 30 }, (_, seqno) =>
      placesOf(validatorsOf(set, catchain({ shuffle: true }), masterchain, seqno)).join(),
    )
    expect(new Set(orders).size).toBeGreaterThan(8)
  })

  test('behavior: a shard draws by weight without putting back, each with weight 1', () => {
    const weights = fc.array(fc.bigInt(1n, 1n << 56n), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(weights, fc.nat(20), fc.nat(1_000_000), (list, count, seqno) => {
        const chosen = validatorsOf(setOf(list), catchain({ shardValidators: count }), basechain, seqno)
        expect(chosen.every(({ weight }) => weight === 1n)).toBe(true)
        // The slow way: a list of the remaining validators, rebuilt for each draw.
        const draw = new ValidatorDraw(basechain, seqno)
        const left = list.map((weight, place) => ({ weight, place }))
        const expected: number[] = []
        while (expected.length < Math.min(count, list.length)) {
          let point = draw.below(left.reduce((sum, { weight }) => sum + weight, 0n))
          const index = left.findIndex(({ weight }) => {
            point -= weight
            return point < 0n
          })
          expected.push(...left.splice(index, 1).map(({ place }) => place))
        }
        expect(placesOf(chosen)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  test('behavior: draws stay in their range and go on after the first eight', () => {
    const draw = new ValidatorDraw({ workchain: -1, shard: WHOLE_SHARD }, 3)
    const seen = Array.from({ length: 40 }, () => draw.next())
    expect(new Set(seen).size).toBe(40)
    const low = new ValidatorDraw(basechain, 3)
    expect(Array.from({ length: 200 }, () => low.below(5n)).every((one) => one >= 0n && one < 5n)).toBe(true)
  })

  test('behavior: of a network that sets no catchain, the masterchain does not shuffle and shards draw seven', () => {
    const set = setOf(Array.from({ length: 9 }, (_, i) => BigInt(i + 1)))
    const config = { address: new Uint8Array(32), params: buildDict(configKind, [[34, storeConfigParam(34, set)]]) }
    expect(placesOf(currentValidators(config, masterchain, 7))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    const chosen = validatorsOf(set, catchain({ shardValidators: 7 }), basechain, 7)
    expect(currentValidators(config, basechain, 7)).toEqual(chosen)
    const empty = { ...config, params: buildDict(configKind, [[28, storeConfigParam(28, catchain())]]) }
    expect(() => currentValidators(empty, masterchain, 7)).toThrow('names no validators')
  })

  test('error: sets that contradict themselves', () => {
    const set = setOf([1n, 2n, 3n])
    const broken: ValidatorSet[] = [
      { ...set, totalWeight: 7n },
      { ...set, total: 4 },
      { ...set, total: 2 },
      { ...set, list: set.list.delete(1) },
    ]
    for (const one of broken) expect(() => validatorsOf(one, catchain(), masterchain, 1)).toThrow(ProofError)
  })
})
