// Which of many webhooks a block concerns: as much work as the block has, however many there are.

import { SlicedWork } from '../fairness/index.ts'
import { rawOfKey } from '../methods/index.ts'
import type { BlockRows } from '../store/index.ts'
import { type BlockNotices, NamedMembers, type WaitingSubscriptions } from '../streaming/index.ts'
import { isNewContract, opcodeOf, type WebhookFilter } from './webhookEvent.ts'

/** Names that are entered or removed in one piece: a fraction of a millisecond. */
const PIECE = 500

/** Does something for each name, of which there may be a hundred thousand. */
async function forEachName<K>(names: Iterable<K>, work: (name: K) => void, slices: SlicedWork): Promise<void> {
  let count = 0
  for (const name of names) {
    if (++count % PIECE === 0 && slices.isDue) await slices.rest()
    work(name)
  }
}

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
    const slices = () => new SlicedWork({ subject: 'webhooks' })
    const forget = subscription === null ? null : this.#subscriptions.add(member, subscription)
    await forEachName(accounts, (name) => this.#accounts.add(name, member), slices())
    for (const opcode of opcodes) this.#opcodes.add(opcode, member)
    if (newContracts) this.#newContracts.add(member)
    return async () => {
      forget?.()
      for (const opcode of opcodes) this.#opcodes.remove(opcode, member)
      this.#newContracts.delete(member)
      await forEachName(accounts, (name) => this.#accounts.remove(name, member), slices())
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
    for (const one of rows.transactions) {
      accounts.add(rawOfKey(one.row.account))
      const opcode = opcodeOf(one)
      if (opcode !== null) opcodes.add(opcode)
    }
    for (const account of accounts) add(this.#accounts.of(account))
    for (const opcode of opcodes) add(this.#opcodes.of(opcode))
    if (this.#newContracts.size > 0 && rows.transactions.some(isNewContract)) add(this.#newContracts)
    return found
  }
}
