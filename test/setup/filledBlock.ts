// One masterchain block of a filled store with the shard blocks it committed, growing as transactions are added.

import { isSystem } from '../../server/facts/parse/system.ts'
import type {
  AccountKey,
  AccountStateRow,
  BlockRow,
  MessageRow,
  ShardTopRow,
  TransactionRow,
  WrittenMessage,
  WrittenTransaction,
} from '../../server/store/index.ts'
import { type Holder, SHARDS } from './filledAccounts.ts'
import type { Random } from './random.ts'

const WHOLE = -(2n ** 63n)
const FIRST_UTIME = 1_755_000_000
const LT_PER_BLOCK = 1_000_000n

/** A few that are sent all the time, as on a real chain. */
const OPCODES: readonly [number, ...number[]] = [
  0,
  0,
  0,
  0x0f8a7ea5,
  0x178d4519,
  0x7362d09c,
  0xd53276db | 0,
  0x5fcc3d14,
]

/** Bodies that many messages share, such as an empty one or the same comment. */
const COMMON_BODIES = 40

const DESCRIPTION = JSON.stringify({
  type: 'ord',
  aborted: false,
  destroyed: false,
  credit_first: true,
  storage_ph: { storage_fees_collected: '8', status_change: 'unchanged' },
  compute_ph: {
    skipped: false,
    success: true,
    msg_state_used: false,
    account_activated: false,
    gas_fees: '1323200',
    gas_used: '3308',
    gas_limit: '0',
    gas_credit: '10000',
    mode: 0,
    exit_code: 0,
    vm_steps: 68,
    vm_init_state_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    vm_final_state_hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  },
})

const TICK_TOCK = DESCRIPTION.replace('"ord"', '"tick_tock"').replace('"credit_first":true', '"is_tock":false')

interface Added {
  readonly hash: Uint8Array
  readonly lt: bigint
  /** Hash of the account's state before it. */
  readonly before: Uint8Array
  readonly inMessage: MessageRow | null
  readonly traceId: Uint8Array
  readonly traceExternalHash: Uint8Array | null
}

const bodyOf = (random: Random): Pick<MessageRow, 'opcode' | 'body' | 'bodyHash'> => {
  if (random.chance(0.3)) {
    const common = random.below(COMMON_BODIES)
    return { opcode: 0, body: new Uint8Array(40).fill(common), bodyHash: new Uint8Array(32).fill(common) }
  }
  return { opcode: random.pick(OPCODES), body: random.bytes(40 + random.below(160)), bodyHash: random.hash() }
}

export class FilledBlock {
  readonly seqno: number
  readonly utime: number
  readonly transactions: WrittenTransaction[] = []
  readonly messages: WrittenMessage[] = []
  readonly #random: Random
  readonly #states = new Map<Holder, AccountStateRow>()
  /** The last logical time of each shard's block. */
  readonly #lts = new Map<bigint, bigint>()
  readonly startLt: bigint
  readonly #hashes: readonly (readonly [Uint8Array, Uint8Array])[]

  constructor(seqno: number, random: Random, seconds: number) {
    this.seqno = seqno
    this.utime = FIRST_UTIME + seqno * seconds
    this.startLt = BigInt(seqno) * LT_PER_BLOCK
    this.#random = random
    this.#hashes = [WHOLE, ...SHARDS].map(() => [random.hash(), random.hash()])
  }

  /** When the next transaction of an account is, its message sent at `sentLt`: shards count each for itself. */
  ltFor(holder: Holder, sentLt: bigint): bigint {
    const last = this.#lts.get(this.#shardKey(holder)) ?? this.startLt
    const least = [holder.lastLt, sentLt].reduce((most, one) => (one > most ? one : most), last)
    return least + 1n
  }

  #shardKey = ({ workchain, shard }: Pick<Holder, 'workchain' | 'shard'>): bigint => (workchain === -1 ? WHOLE : shard)

  /** Adds a transaction that sent so many messages. */
  add(holder: Holder, { hash, lt, before, inMessage, ...rest }: Added, sent: number): void {
    const { workchain, shard } = holder
    const isClock = inMessage === null
    this.transactions.push({
      ...rest,
      inMsgHash: inMessage?.hash ?? null,
      inOpcode: inMessage?.opcode ?? null,
      inBodyHash: inMessage?.bodyHash ?? null,
      isSystem: isSystem({ account: holder.key, inMessage }, () => isClock),
      hash,
      lt,
      account: holder.key,
      now: this.utime,
      mcSeqno: this.seqno,
      block: { workchain, shard, seqno: this.seqno },
      prevHash: holder.lastHash,
      prevLt: holder.lastLt,
      origStatus: holder.lastLt === 0n ? 'nonexist' : holder.state.status,
      endStatus: holder.state.status,
      totalFees: BigInt(this.#random.below(5_000_000)),
      totalFeesExtra: {},
      description: isClock ? TICK_TOCK : DESCRIPTION,
      stateBefore: before,
      stateAfter: holder.state.hash,
    })
    holder.lastHash = hash
    holder.lastLt = lt
    this.#states.set(holder, holder.state)
    this.#lts.set(this.#shardKey(holder), lt + BigInt(sent))
  }

  #message(
    row: Pick<MessageRow, 'kind' | 'source' | 'destination' | 'outTxHash'> & Partial<WrittenMessage>,
  ): WrittenMessage {
    const message: WrittenMessage = {
      hash: this.#random.hash(),
      hashNorm: null,
      outLt: null,
      value: null,
      valueExtra: null,
      fwdFee: null,
      ihrFee: null,
      extraFlags: null,
      importFee: null,
      createdLt: null,
      createdAt: null,
      ihrDisabled: null,
      bounce: null,
      bounced: null,
      initHash: null,
      init: null,
      ...bodyOf(this.#random),
      ...row,
    }
    this.messages.push(message)
    return message
  }

  externalIn(destination: AccountKey): WrittenMessage {
    const hashNorm = this.#random.chance(0.5) ? this.#random.hash() : null
    return this.#message({ kind: 'externalIn', source: null, destination, outTxHash: null, hashNorm, importFee: 0n })
  }

  internal(source: AccountKey, destination: AccountKey, sent: Sent): WrittenMessage {
    return this.#message({
      kind: 'internal',
      source,
      destination,
      outTxHash: sent.by?.hash ?? null,
      outLt: sent.by?.lt ?? null,
      value: BigInt(this.#random.next()),
      valueExtra: {},
      fwdFee: 266_669n,
      ihrFee: 0n,
      extraFlags: 0n,
      createdLt: sent.lt,
      createdAt: this.utime,
      ihrDisabled: true,
      bounce: this.#random.chance(0.7),
      bounced: false,
    })
  }

  externalOut(source: AccountKey, sent: Sent): WrittenMessage {
    const created = { createdLt: sent.lt, createdAt: this.utime }
    return this.#message({
      kind: 'externalOut',
      source,
      destination: null,
      outTxHash: sent.by?.hash ?? null,
      outLt: sent.by?.lt ?? null,
      ...created,
    })
  }

  /** The masterchain block and one of each shard. */
  blockRows(): BlockRow[] {
    return this.topRows().map(({ workchain, shard, seqno, mcSeqno }, i) => {
      const [rootHash = this.#random.hash(), fileHash = rootHash] = this.#hashes[i] ?? []
      return {
        workchain,
        shard,
        seqno,
        mcSeqno,
        rootHash,
        fileHash,
        globalId: -3,
        version: 0,
        flags: 1,
        afterMerge: false,
        beforeSplit: false,
        afterSplit: false,
        wantMerge: false,
        wantSplit: false,
        keyBlock: workchain === -1 && seqno % 1000 === 0,
        vertSeqnoIncr: false,
        vertSeqno: 0,
        genUtime: this.utime,
        startLt: this.startLt,
        endLt: (this.#lts.get(shard) ?? this.startLt) + 1n,
        validatorListHashShort: -1_185_527_601,
        genCatchainSeqno: 682_414,
        minRefMcSeqno: seqno - 3,
        prevKeyBlockSeqno: seqno - (seqno % 1000),
        masterRefSeqno: workchain === -1 ? 0 : seqno - 1,
        randSeed: rootHash,
        createdBy: fileHash,
        txCount: this.transactions.filter(({ block }) => block.shard === shard).length,
        prevBlocks: [{ workchain, shard, seqno: seqno - 1 }],
      }
    })
  }

  topRows(): ShardTopRow[] {
    const at = { seqno: this.seqno, mcSeqno: this.seqno }
    return [{ workchain: -1, shard: WHOLE, ...at }, ...SHARDS.map((shard) => ({ workchain: 0, shard, ...at }))]
  }

  /** Of each account the last one in this block. */
  stateRows(): AccountStateRow[] {
    return [...this.#states.values()]
  }
}

export interface Sent {
  readonly lt: bigint
  /** The transaction; null for what the chain itself sends. */
  readonly by: Pick<TransactionRow, 'hash' | 'lt'> | null
}
