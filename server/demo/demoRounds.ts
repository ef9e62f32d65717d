// Goes on with the rounds of the demo chain's validators once its story has been played: each of them stakes when an election
// is open, and the pool follows the sets and gets its stake back. Messages are sent only while the chain is used: the
// elections of a chain without callers are put off until there are some again.

import { CellError, openCell } from '../cell/index.ts'
import { type AccountId, type Devchain, dataAt, ELECTOR_ADDRESS, type HeadEvent } from '../devchain/index.ts'
import { type ConfigParams, loadAccount } from '../tlb/index.ts'
import { createCast, messageOf } from './cast.ts'
import { dutiesOf, readElector, readPool, type Situation } from './duties.ts'
import { type CrewMember, createCrew, demoPool, electionRules } from './parts/crew.ts'
import type { Act, Cast } from './script.ts'

/** Seconds of the chain between two looks at the elector. */
const LOOK_SECONDS = 5
/** Seconds of the chain after which a message that is in no block is sent again. */
const RESEND_SECONDS = 60
const CURRENT_SET = 34

export interface DemoRounds {
  /** Resolves when what was sent at the newest head is accepted or refused. */
  settled(): Promise<void>
  close(): void
}

/** Whether elections are held by the rules of the demo. With other rules, the one who set them stakes as well. */
const isDemos = ({ params }: ConfigParams, crew: readonly CrewMember[]): boolean =>
  electionRules(crew).every(([index, value]) => params.get(index)?.hash() === value.hash())

type Rounded = Pick<Devchain, 'globalId' | 'validators' | 'player' | 'reader' | 'send' | 'onHead' | 'isUsed'>

type RoundsLog = (line: string, facts: Readonly<Record<string, unknown>>) => void

class ValidatorRounds implements DemoRounds {
  readonly #chain: Rounded
  readonly #log: RoundsLog
  readonly #cast: Cast
  readonly #crew: readonly CrewMember[]
  /** The data of the wallet for which a message was sent last, and the time of the chain then. */
  readonly #sent = new Map<CrewMember, { readonly data: string; readonly at: number }>()
  readonly #forget: () => void
  #isPlayed = false
  #lookedAt = 0
  #going: Promise<unknown> = Promise.resolve()

  constructor(chain: Rounded, log: RoundsLog) {
    this.#chain = chain
    this.#log = log
    this.#cast = createCast(chain.globalId)
    this.#crew = createCrew(this.#cast, chain.validators)
    chain.player.over.then(
      () => {
        this.#isPlayed = true
      },
      // Stopped before: the next process goes on.
      () => undefined,
    )
    this.#forget = chain.onHead((event) => this.#look(event))
  }

  async settled(): Promise<void> {
    await this.#going
  }

  close(): void {
    this.#forget()
  }

  #look({ master: { utime } }: Pick<HeadEvent, 'master'>): void {
    if (!this.#isPlayed || !this.#chain.isUsed()) return
    if (utime >= this.#lookedAt && utime < this.#lookedAt + LOOK_SECONDS) return
    this.#lookedAt = utime
    const situation = this.#situationAt(utime)
    if (situation === null) return
    const acts = this.#crew.map((member, number) => {
      const sends = dutiesOf(this.#cast, member, number === 0, situation)
      return sends.length === 0 ? null : this.#perform(member, { by: member.wallet, sends }, utime)
    })
    this.#going = Promise.all(acts)
  }

  /** Null when nothing can be staked: without the demo's elector, pool or rules, or when they cannot be read. */
  #situationAt(now: number): Situation | null {
    const moment = this.#chain.reader.moment()
    const { config } = moment.master.extra
    const [elector, pool] = [ELECTOR_ADDRESS, demoPool(this.#cast).address].map((account) => dataAt(moment, account))
    const set = config.params.get(CURRENT_SET)
    if (elector == null || pool == null || set === undefined || !isDemos(config, this.#crew)) return null
    const balanceOf = ({ hash }: AccountId): bigint => {
      const found = moment.master.accounts.get(hash)
      return (found && loadAccount(openCell(found.account)))?.storage.balance.grams ?? 0n
    }
    try {
      return { elector: readElector(elector), pool: readPool(pool), setHash: set.hashBytes(), now, balanceOf }
    } catch (error) {
      // `dev.setAccount` can give both any data.
      if (!(error instanceof CellError)) throw error
      this.#log('Data of the elector or the pool cannot be read: nothing is staked', { error: error.message })
      return null
    }
  }

  async #perform(member: CrewMember, act: Act, now: number): Promise<void> {
    const data = dataAt(this.#chain.reader.moment(), member.wallet.address)
    const name = data?.hash() ?? ''
    const last = this.#sent.get(member)
    if (last !== undefined && last.data === name && Math.abs(now - last.at) < RESEND_SECONDS) return
    this.#sent.set(member, { data: name, at: now })
    try {
      await this.#chain.send(messageOf(act, { data, utime: now }))
    } catch (error) {
      this.#log('Validator message refused', { wallet: member.wallet.name, error: String(error) })
    }
  }
}

export const createRounds = (chain: Rounded, log: RoundsLog): DemoRounds => new ValidatorRounds(chain, log)
