// What the index keeps of elections that are played in a real TVM, step by step, as the methods of v3 answer it.

import { type Address, beginCell, type Cell } from '@ton/core'
import { Dict } from '../../../../server/cell/index.ts'
import { StakingCollector } from '../../../../server/indexer/staking/collector.ts'
import { ElectionReader } from '../../../../server/indexer/staking/electionReader.ts'
import { readStakingConfig } from '../../../../server/indexer/staking/stakingConfig.ts'
import { type Call, NO_MODIFIERS } from '../../../../server/methods/index.ts'
import { createSideObjects } from '../../../../server/methods/v3/names/sideObjects.ts'
import { stakingHandlers } from '../../../../server/methods/v3/staking/staking.ts'
import { writeStaking } from '../../../../server/store/write/staking.ts'
import { configKind } from '../../../../server/tlb/index.ts'
import type { Params } from '../../../../shared/registry.ts'
import { stakingMethods } from '../../../../shared/v3/staking/staking.ts'
import { own } from '../../devchain/actor.ts'
import {
  coin,
  ELECTOR,
  type ElectionRules,
  ElectionScene,
  keyOf,
  type Offer,
  offerBody,
  said,
} from '../../devchain/contracts/electionScene.ts'
import { openStore, type SharedDatabase } from '../indexScene.ts'

type Methods = typeof stakingMethods
type Name = Extract<keyof Methods, `v3.validators.${string}`>

const call: Call = {
  caller: { subject: 'test', keyId: null, tier: null },
  requestId: 'test',
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  modifiers: NO_MODIFIERS,
}

export class IndexedElections {
  readonly scene: ElectionScene
  readonly #database: SharedDatabase
  #reader = new ElectionReader()
  #seqno = 0
  #config = ''

  private constructor(scene: ElectionScene, database: SharedDatabase) {
    this.scene = scene
    this.#database = database
  }

  static async begin(rules?: ElectionRules): Promise<IndexedElections> {
    const elections = new IndexedElections(await ElectionScene.begin(rules), await openStore())
    await elections.read()
    return elections
  }

  /** As after a restart: what was read is not known any more. */
  restart(): void {
    this.#reader = new ElectionReader()
    this.#config = ''
  }

  /** A block ends: its rows are written. */
  async read(): Promise<void> {
    const seqno = ++this.#seqno
    const to = new StakingCollector()
    const [root] = own(this.scene.config.data).refs
    const config = readStakingConfig({ address: new Uint8Array(32), params: new Dict(configKind, root ?? null) })
    if (config === null) throw new Error('a chain without elections')
    if (root !== undefined && root.hash() !== this.#config) {
      this.#reader.readConfig(config, seqno, to)
      this.#config = root.hash()
    }
    this.#reader.read(own(this.scene.elector.data), config, seqno, to)
    await this.#database.transaction((sql) => writeStaking(sql, to.rows()))
  }

  /** Both contracts are woken at each of these times. */
  async run(...times: readonly number[]): Promise<void> {
    for (const seconds of times) {
      this.scene.at(seconds)
      this.scene.run()
      await this.read()
    }
  }

  async stake(from: Address, value: bigint, offer: Omit<Offer, 'holder'>): Promise<void> {
    const body = said(0x4e73744b)
      .storeSlice(offerBody({ holder: from, ...offer }).beginParse())
      .endCell()
    this.scene.send(from, ELECTOR, value * coin, body)
    await this.read()
  }

  async complain(from: Address, accused: number, electionId: number, fine: bigint, about: Cell): Promise<void> {
    const body = said(0x52674370).storeUint(electionId, 32).storeUint(0xbc, 8).storeBuffer(keyOf(accused).publicKey)
    const rest = body.storeRef(about).storeUint(0, 32).storeUint(1, 8).storeUint(0, 256).storeCoins(0)
    this.scene.send(from, ELECTOR, 300n * coin, rest.storeCoins(fine).storeUint(0, 32).endCell())
    await this.read()
  }

  /** By the validator of this place in the set, whose key has the next number. */
  async vote(from: Address, place: number, electionId: number, hash: Buffer): Promise<void> {
    const head = beginCell().storeUint(0x56744350, 32).storeUint(place, 16).storeUint(electionId, 32)
    const signed = head.storeBuffer(hash).endCell()
    const signature = keyOf(place + 1).sign(Buffer.from(signed.beginParse().loadBuffer(signed.bits.length / 8)))
    const body = said(0x56744370).storeBuffer(signature).storeSlice(signed.beginParse()).endCell()
    this.scene.send(from, ELECTOR, coin, body)
    await this.read()
  }

  /** What v3 answers, as it goes over the wire. */
  async answer<N extends Name>(name: N, params: object = {}): Promise<Record<string, unknown>> {
    const store = this.#database.read
    const handlers = stakingHandlers(store, createSideObjects({ store, testOnly: false }))
    // The cast: the schema of this very method has made them.
    const parsed = stakingMethods[name].params.parse(params) as Params<Methods[N]>
    return JSON.parse(JSON.stringify(await handlers[name](parsed as never, call)))
  }
}
