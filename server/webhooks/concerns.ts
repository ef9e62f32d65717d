// Which of many webhooks a block concerns: as much work as the block has, however many there are.

import { SlicedWork } from '../fairness/index.ts'
import { rawOfKey } from '../methods/index.ts'
import type { BlockRows, TransactionFound } from '../store/index.ts'
import { type BlockNotices, NamedMembers, type WaitingSubscriptions } from '../streaming/index.ts'
import { isNewContract, opcodeOf, type WebhookFilter } from './webhookEvent.ts'

/** Items of one piece: a fraction of a millisecond. */
const PIECE = 500

/** Does something for each item: a webhook may have a hundred thousand names, and a block ten thousand transactions. */
async function forEachOf<T>(items: Iterable<T>, work: (item: T) => void, slices: SlicedWork): Promise<void> {
  let count = 0
  for (const item of items) {
    if (++count % PIECE === 0 && slices.isDue) await slices.rest()
    work(item)
  }
}

const slicesOfAll = (): SlicedWork => new SlicedWork({ subject: 'webhooks' })

export class Concerns<T extends object> {
  readonly #subscriptions: WaitingSubscriptions<T>
  readonly #accounts = new NamedMembers<string, T>()
  readonly #opcodes = new NamedMembers<number, T>()
  readonly #newContracts = new Set<T>()

  constructor(notices: BlockNotices) {
    this.#subscriptions = notices.waiting()
  }

  /** Adds one, until the returned function is called. */
  async add(member: T, { subscription, accounts, opcodes, newContracts }: WebhookFilter): Promise<() => Promise<void>> {
    const forget = subscription === null ? null : this.#subscriptions.add(member, subscription)
    await forEachOf(accounts, (name) => this.#accounts.add(name, member), slicesOfAll())
    for (const opcode of opcodes) this.#opcodes.add(opcode, member)
    if (newContracts) this.#newContracts.add(member)
    return async () => {
      forget?.()
      for (const opcode of opcodes) this.#opcodes.remove(opcode, member)
      this.#newContracts.delete(member)
      await forEachOf(accounts, (name) => this.#accounts.remove(name, member), slicesOfAll())
    }
  }

  /** All that a block has an event for, and few others. */
  async of(rows: BlockRows): Promise<ReadonlySet<T>> {
    const found = new Set(await this.#subscriptions.concernedBy(rows))
    const add = (members: Iterable<T>): void => {
      for (const member of members) found.add(member)
    }
    // Each name once: a block may have it ten thousand times, and a thousand webhooks may wait for it.
    const accounts = new Set<string>()
    const opcodes = new Set<number>()
    let hasNew = false
    const look = (one: TransactionFound): void => {
      accounts.add(rawOfKey(one.row.account))
      const opcode = opcodeOf(one)
      if (opcode !== null) opcodes.add(opcode)
      hasNew ||= isNewContract(one)
    }
    const slices = slicesOfAll()
    await forEachOf(rows.transactions, look, slices)
    await forEachOf(accounts, (account) => add(this.#accounts.of(account)), slices)
    await forEachOf(opcodes, (opcode) => add(this.#opcodes.of(opcode)), slices)
    if (hasNew) add(this.#newContracts)
    return found
  }
}
