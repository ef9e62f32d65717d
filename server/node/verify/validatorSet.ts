// Which validators make a block: the first ones of the set for the masterchain, a random subset for a shard. The subset
// comes from a generator seeded with shard and catchain seqno; headers contain a short hash of the result.

import { createHash } from 'node:crypto'
import { crc32c } from '../../cell/index.ts'
import { type CatchainConfig, type ConfigParams, configParam, type ValidatorSet } from '../../tlb/index.ts'
import { MASTERCHAIN, type ShardId } from '../blockId.ts'
import { demand } from './proofError.ts'

export interface Validator {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
  readonly weight: bigint
  readonly adnlAddress: Uint8Array
}

const NO_ADDRESS = new Uint8Array(32)
const SEED_BYTES = 32
const WORDS = 8

/** Numbers from SHA-512 over a counter, the shard and the catchain seqno. */
export class ValidatorDraw {
  readonly #descriptor = Buffer.alloc(SEED_BYTES + 16)
  #words: Buffer = Buffer.alloc(0)
  #at = WORDS

  constructor({ workchain, shard }: ShardId, catchainSeqno: number) {
    this.#descriptor.writeBigUInt64BE(BigInt.asUintN(64, shard), SEED_BYTES)
    this.#descriptor.writeInt32BE(workchain, SEED_BYTES + 8)
    this.#descriptor.writeUInt32BE(catchainSeqno, SEED_BYTES + 12)
  }

  /** 64 bits. */
  next(): bigint {
    if (this.#at === WORDS) {
      this.#words = createHash('sha512').update(this.#descriptor).digest()
      this.#count()
      this.#at = 0
    }
    return this.#words.readBigUInt64BE(8 * this.#at++)
  }

  /** Below `range`, by the high half of a product. */
  below(range: bigint): bigint {
    return (range * this.next()) >> 64n
  }

  #count(): void {
    for (let i = SEED_BYTES - 1; i >= 0; i--) {
      const byte = ((this.#descriptor[i] ?? 0) + 1) & 255
      this.#descriptor[i] = byte
      if (byte !== 0) return
    }
  }
}

function listed(set: ValidatorSet): Validator[] {
  const list: Validator[] = []
  for (const [place, { publicKey, weight, adnlAddress }] of set.list) {
    demand(place === list.length && list.length < set.total, 'validators', 'the validators are not numbered in order')
    list.push({ publicKey, weight, adnlAddress: adnlAddress ?? NO_ADDRESS })
  }
  demand(list.length === set.total, 'validators', `${list.length} of ${set.total} validators are listed`)
  const weight = list.reduce((sum, one) => sum + one.weight, 0n)
  demand(set.totalWeight === null || set.totalWeight === weight, 'validators', 'the weights do not add up')
  return list
}

/** Indexes of the first `count` validators, shuffled from the inside out. */
function shuffled(count: number, draw: ValidatorDraw): number[] {
  const places: number[] = []
  for (let i = 0; i < count; i++) {
    const j = Number(draw.below(BigInt(i + 1)))
    places[i] = places[j] ?? 0
    places[j] = i
  }
  return places
}

/** Draws by weight without replacement: each drawn validator leaves a gap in the sum of weights. */
function drawn(list: readonly Validator[], count: number, draw: ValidatorDraw): Validator[] {
  const starts: bigint[] = []
  let total = 0n
  for (const { weight } of list) {
    starts.push(total)
    total += weight
  }
  const holes: { readonly start: bigint; readonly weight: bigint }[] = []
  const chosen: Validator[] = []
  while (chosen.length < count && total > 0n) {
    let point = draw.below(total)
    for (const { start, weight } of holes) {
      if (point < start) break
      point += weight
    }
    const place = placeAt(starts, point)
    const one = list[place]
    const start = starts[place]
    if (one === undefined || start === undefined) break
    chosen.push({ ...one, weight: 1n })
    total -= one.weight
    const at = holes.findIndex((hole) => hole.start > start)
    holes.splice(at < 0 ? holes.length : at, 0, { start, weight: one.weight })
  }
  return chosen
}

/** Index of the last start that is not after a point. */
function placeAt(starts: readonly bigint[], point: bigint): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0n) <= point) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The validators of a set that make the blocks of a shard, in the order the short hash counts them. */
export function validatorsOf(
  set: ValidatorSet,
  catchain: CatchainConfig,
  shard: ShardId,
  catchainSeqno: number,
): readonly Validator[] {
  const list = listed(set)
  const draw = new ValidatorDraw(shard, catchainSeqno)
  if (shard.workchain !== MASTERCHAIN) return drawn(list, Math.min(catchain.shardValidators, set.total), draw)
  const count = Math.min(set.main, set.total)
  if (catchain.form !== 'v2' || !catchain.shuffleMasterValidators) return list.slice(0, count)
  return shuffled(count, draw).flatMap((place) => list[place] ?? [])
}

/** What nodes go by where the configuration does not say. */
const USUAL_CATCHAIN: CatchainConfig = {
  form: 'v1',
  masterCatchainLifetime: 200,
  shardCatchainLifetime: 200,
  shardValidatorsLifetime: 3000,
  shardValidators: 7,
}

/** The same out of a configuration that shows the current set, and the catchain parameters or that there are none. */
export function currentValidators(config: ConfigParams, shard: ShardId, catchainSeqno: number): readonly Validator[] {
  const set = configParam(config, 35) ?? configParam(config, 34)
  demand(set !== null, 'config', 'the configuration names no validators')
  return validatorsOf(set, configParam(config, 28) ?? USUAL_CATCHAIN, shard, catchainSeqno)
}

const MAGIC = -1877581587
const HEAD = 12
const ENTRY = 72

/**
 * `validator_list_hash_short`. States have it for catchain seqno 0, headers and signature sets for the real one; in shard
 * blocks every validator weighs 1.
 */
export function validatorListHash(validators: readonly Validator[], catchainSeqno: number): number {
  const bytes = Buffer.alloc(HEAD + ENTRY * validators.length)
  bytes.writeInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(catchainSeqno, 4)
  bytes.writeUInt32LE(validators.length, 8)
  validators.forEach(({ publicKey, weight, adnlAddress }, i) => {
    const at = HEAD + ENTRY * i
    bytes.set(publicKey, at)
    bytes.writeBigUInt64LE(weight, at + 32)
    bytes.set(adnlAddress, at + 40)
  })
  return crc32c(bytes)
}
