// The elector, the configuration contract and a pool in a real TVM, with a clock of their own: messages between them are
// delivered at once, and after each the network has the configuration that is held.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { Address, beginCell, Cell, Dictionary, type Transaction } from '@ton/core'
import { type Cell as OwnCell, writeBoc } from '../../../../server/cell/index.ts'
import {
  CONFIG_ACCOUNT,
  configData,
  contractCode,
  ELECTOR_ACCOUNT,
  electorData,
} from '../../../../server/devchain/contracts/index.ts'
import { createConfig, createExecutor, type Emulator } from '../../../../server/tvm/index.ts'
import { Actor, exitCode, genesisRoot, own, sent, systemAddress } from '../actor.ts'

export const T0 = 1_700_000_000
export const coin = 1_000_000_000n
export const ELECTOR = systemAddress(ELECTOR_ACCOUNT)
export const CONFIG = systemAddress(CONFIG_ACCOUNT)
/** Fees of blocks come from here. */
export const UNUSED = systemAddress(new Uint8Array(32))

export interface ElectionRules {
  readonly counts: readonly [number, number, number]
  /** Coins: of each at least and at most, of all at least. */
  readonly stakes: readonly [bigint, bigint, bigint]
  readonly endBefore: number
  /** Other parameters, instead of those of genesis. */
  readonly parameters?: ReadonlyMap<number, Cell>
}
export const usualRules: ElectionRules = { counts: [1000, 100, 1], stakes: [1000n, 100_000n, 3000n], endBefore: 300 }

/** The key of 32 equal bytes. */
export function keyOf(byte: number) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, byte)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey, sign: (data: Buffer) => sign(null, data, key) }
}

export interface Offer {
  readonly electAt: number
  /** Who is to have the stake in the end. */
  readonly holder: Address
  readonly key: number
  readonly factor?: number
  readonly forged?: boolean
}

/** Behind the operation and the query id. */
export function offerBody({ electAt, holder, key, factor = 3 << 16, forged = false }: Offer): Cell {
  const { publicKey, sign: signed } = keyOf(key)
  const adnl = Buffer.alloc(32, key + 0xd0)
  const numbers = beginCell().storeUint(0x654c5074, 32).storeUint(electAt, 32).storeUint(factor, 32)
  const text = numbers.storeBuffer(holder.hash).storeBuffer(adnl).endCell()
  const signature = signed(Buffer.from(text.beginParse().loadBuffer(text.bits.length / 8)))
  if (forged) signature.writeUInt8(signature.readUInt8(3) ^ 1, 3)
  return beginCell()
    .storeBuffer(publicKey)
    .storeUint(electAt, 32)
    .storeUint(factor, 32)
    .storeBuffer(adnl)
    .storeRef(beginCell().storeBuffer(signature).endCell())
    .endCell()
}

export const said = (op: number, queryId = 7n) => beginCell().storeUint(op, 32).storeUint(queryId, 64)

/** What an account got that is no contract here. */
export interface Letter {
  readonly to: string
  readonly value: bigint
  readonly op: number
  readonly reason: number | null
}

function readLetter({ to, value, body }: ReturnType<typeof sent>[number]): Letter {
  const slice = body.beginParse()
  const op = slice.remainingBits < 32 ? 0 : slice.loadUint(32)
  const reason = slice.remainingBits < 96 ? null : slice.skip(64).loadUint(32)
  return { to, value, op, reason }
}

export class ElectionScene {
  readonly elector: Actor
  readonly config: Actor
  readonly #executor: Emulator
  readonly #others: Actor[] = []

  private constructor(executor: Emulator, parameters: OwnCell) {
    this.#executor = executor
    const parts = { balance: 1_000_000n * coin, tickTock: true }
    this.elector = new Actor(executor, {
      ...parts,
      address: ELECTOR,
      code: contractCode('elector'),
      data: electorData(),
    })
    const data = configData(parameters, new Uint8Array(32))
    this.config = new Actor(executor, { ...parts, address: CONFIG, code: contractCode('config'), data })
    this.#install()
  }

  static async begin({
    counts,
    stakes,
    endBefore,
    parameters: more,
  }: ElectionRules = usualRules): Promise<ElectionScene> {
    const numbers = (bits: number, ...all: number[]) => all.reduce((b, one) => b.storeUint(one, bits), beginCell())
    const limits = stakes.reduce((builder, one) => builder.storeCoins(one * coin), beginCell())
    const validator = beginCell().storeUint(0x53, 8).storeUint(0x8e81278a, 32).storeUint(5n, 256).storeUint(17, 64)
    const set = Dictionary.empty(Dictionary.Keys.Uint(16), {
      serialize: (cell: Cell, builder) => builder.storeSlice(cell.beginParse()),
      parse: (slice) => slice.asCell(),
    }).set(0, validator.endCell())
    const term = numbers(32, T0 - 600, T0 + 600)
      .storeUint(1, 16)
      .storeUint(1, 16)
      .storeUint(17, 64)
      .storeDict(set)
    const parameters = genesisRoot(
      new Map([
        [15, own(numbers(32, 1200, 900, endBefore, 180).endCell())],
        [16, own(numbers(16, ...counts).endCell())],
        [17, own(limits.storeUint(3 << 16, 32).endCell())],
        [34, own(beginCell().storeUint(0x12, 8).storeBuilder(term).endCell())],
        ...[...(more ?? [])].map(([index, value]) => [index, own(value)] as const),
      ]),
    )
    const scene = new ElectionScene(await createExecutor(), parameters)
    scene.at(0)
    return scene
  }

  add(address: Address, code: OwnCell, data: OwnCell, balance: bigint): Actor {
    const actor = new Actor(this.#executor, { address, code, data, balance })
    actor.now = this.elector.now
    this.#others.push(actor)
    return actor
  }

  #all = (): Actor[] => [this.elector, this.config, ...this.#others]

  #install(): void {
    const [root] = this.config.data.refs
    if (root === undefined) throw new Error('A configuration contract without a configuration')
    this.#executor.setConfig(createConfig(writeBoc(own(root))))
  }

  /** Seconds after `T0`. */
  at(seconds: number): void {
    for (const actor of this.#all()) actor.now = T0 + seconds
    this.#executor.beginBlock({ now: T0 + seconds, randSeed: new Uint8Array(32) })
  }

  /** Wakes both contracts, as a block does; false when the elector had nothing to do. */
  run(): boolean {
    const before = this.elector.data.hash()
    this.#pass(this.elector.address, sent(this.elector.special('tick')))
    this.#install()
    this.config.special('tock')
    this.#install()
    return !this.elector.data.hash().equals(before)
  }

  /** Wakes the elector alone; the gas it used. */
  conduct(): bigint {
    const transaction = this.elector.special('tick')
    if (exitCode(transaction) !== 0) throw new Error(`The elector ended with ${exitCode(transaction)}`)
    this.#pass(this.elector.address, sent(transaction))
    return gasOf(transaction)
  }

  /** Wakes the configuration contract in a block with another seed. */
  review(seed: number): void {
    this.#executor.beginBlock({ now: this.config.now, randSeed: new Uint8Array(32).fill(seed) })
    this.config.special('tock')
  }

  /** Delivers a message, and all it leads to. What reaches no one here is given back. */
  send(from: Address, to: Address, value: bigint, body: Cell): Letter[] {
    const actor = this.#all().find(({ address }) => address.equals(to))
    if (actor === undefined) throw new Error(`No contract at ${to}`)
    const transaction = actor.receive({ from, value, body })
    const code = exitCode(transaction)
    if (code !== 0) throw new Error(`Refused with ${code}`)
    const letters = this.#pass(to, sent(transaction))
    this.#install()
    return letters
  }

  #pass(from: Address, messages: ReturnType<typeof sent>): Letter[] {
    return messages.flatMap((message) => {
      const to = Address.parse(message.to)
      const isHere = this.#all().some(({ address }) => address.equals(to))
      return isHere ? this.send(from, to, message.value, message.body) : [readLetter(message)]
    })
  }

  parameter(index: number): Cell | undefined {
    const [root] = this.config.data.refs
    return root && Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), root).get(index)
  }

  credit({ hash }: Address): bigint {
    const args = [{ type: 'int', value: BigInt(`0x${hash.toString('hex')}`) } as const]
    return this.elector.get('compute_returned_stake', args).readBigNumber()
  }

  election() {
    const values = this.elector.get('participant_list_extended')
    const [electAt, electClose, minStake, total] = [0, 1, 2, 3].map(() => values.readBigNumber())
    const stakes = values.readLispList().length
    return {
      electAt,
      electClose,
      minStake,
      total,
      stakes,
      failed: values.readBoolean(),
      finished: values.readBoolean(),
    }
  }

  past() {
    return this.elector
      .get('past_elections')
      .readLispList()
      .map((item) => {
        const [id, unfreezeAt, , , , total, bonuses] = item.type === 'tuple' ? item.items : []
        return [id, unfreezeAt, total, bonuses].map((one) => (one?.type === 'int' ? one.value : null))
      })
  }
}

function gasOf({ description }: Transaction): bigint {
  const isComputed = description.type === 'tick-tock' && description.computePhase.type === 'vm'
  return isComputed && description.computePhase.type === 'vm' ? description.computePhase.gasUsed : 0n
}

/** Weights of a validator set, in its order. */
export function weightsOf(set: Cell | undefined): { since: number; until: number; weights: bigint[]; total: bigint } {
  const slice = (set ?? Cell.EMPTY).beginParse().skip(8)
  const since = slice.loadUint(32)
  const until = slice.loadUint(32)
  const total = slice.skip(32).loadUintBig(64)
  const members = slice.loadDict(Dictionary.Keys.Uint(16), {
    serialize: () => undefined,
    parse: (value) => value.skip(8 + 32 + 256).loadUintBig(64),
  })
  return { since, until, weights: members.values(), total }
}
