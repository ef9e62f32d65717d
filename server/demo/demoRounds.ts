// Goes on with the rounds of the demo chain's validators once its story has been played: each of them stakes when an election
// is open, and the pool follows the sets and gets its stake back. Messages are sent only while the chain is used: the
// elections of a chain without callers are put off until there are some again.

import { openCell } from '../cell/index.ts'
import { type AccountAddress, type Devchain, dataAt, ELECTOR_ADDRESS, type HeadEvent } from '../devchain/index.ts'
import { type ConfigParams, loadAccount } from '../tlb/index.ts'
import { createCast, messageOf } from './cast.ts'
import { type CrewMember, createCrew, demoPool, electionRules } from './crew.ts'
import { dutiesOf, readElector, readPool, type Situation } from './duties.ts'
import type { Act } from './script.ts'

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

export function createRounds(
  chain: Rounded,
  log: (line: string, facts: Readonly<Record<string, unknown>>) => void,
): DemoRounds {
  const cast = createCast(chain.globalId)
  const crew = createCrew(cast, chain.validators)
  /** By address: the number of the wallet's last message, and the time of the chain when it was sent. */
  const sent = new Map<CrewMember, { readonly data: string; readonly at: number }>()
  let isPlayed = false
  let lookedAt = 0
  let going: Promise<unknown> = Promise.resolve()

  function situationAt(now: number): Situation | null {
    const moment = chain.reader.moment()
    const { config } = moment.master.extra
    const [elector, pool] = [ELECTOR_ADDRESS, demoPool(cast).address].map((account) => dataAt(moment, account))
    const set = config.params.get(CURRENT_SET)
    if (elector == null || pool == null || set === undefined || !isDemos(config, crew)) return null
    const balanceOf = ({ hash }: AccountAddress): bigint => {
      const found = moment.master.accounts.get(hash)
      return (found && loadAccount(openCell(found.account)))?.storage.balance.grams ?? 0n
    }
    return { elector: readElector(elector), pool: readPool(pool), setHash: set.hashBytes(), now, balanceOf }
  }

  async function perform(member: CrewMember, act: Act, now: number): Promise<void> {
    const data = dataAt(chain.reader.moment(), member.wallet.address)
    const name = data?.hash() ?? ''
    const last = sent.get(member)
    if (last !== undefined && last.data === name && Math.abs(now - last.at) < RESEND_SECONDS) return
    sent.set(member, { data: name, at: now })
    try {
      await chain.send(messageOf(act, { data, utime: now }))
    } catch (error) {
      log('Validator message refused', { wallet: member.wallet.name, error: String(error) })
    }
  }

  function look({ master: { utime } }: Pick<HeadEvent, 'master'>): void {
    if (!isPlayed || !chain.isUsed()) return
    if (utime >= lookedAt && utime < lookedAt + LOOK_SECONDS) return
    lookedAt = utime
    const situation = situationAt(utime)
    if (situation === null) return
    const acts = crew.map((member, number) => {
      const sends = dutiesOf(cast, member, number === 0, situation)
      return sends.length === 0 ? null : perform(member, { by: member.wallet, sends }, utime)
    })
    going = Promise.all(acts)
  }

  chain.player.over.then(
    () => {
      isPlayed = true
    },
    // Stopped before: the next process goes on.
    () => undefined,
  )
  const forget = chain.onHead(look)
  return {
    settled: () => going.then(() => undefined),
    close: forget,
  }
}
