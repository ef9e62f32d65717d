// Which of many webhooks a block concerns: as much work as the block has, however many there are.

import { rawOfKey } from '../methods/index.ts'
import type { BlockRows } from '../store/index.ts'
import type { BlockNotices, WaitingSubscriptions } from '../streaming/index.ts'
import { isNewContract, opcodeOf, type WebhookFilter } from './webhookEvent.ts'

/** Members by the names they wait for. */
class Watched<K, T> {
  readonly #all = new Map<K, Set<T>>()

  add(names: Iterable<K>, member: T): void {
    for (const name of names) {
      const known = this.#all.get(name)
      if (known === undefined) this.#all.set(name, new Set([member]))
      else known.add(member)
    }
  }

  remove(names: Iterable<K>, member: T): void {
    for (const name of names) {
      const known = this.#all.get(name)
      known?.delete(member)
      if (known?.size === 0) this.#all.delete(name)
    }
  }

  of(name: K): Iterable<T> {
    return this.#all.get(name) ?? []
  }
}

export class Concerns<T> {
  readonly #subscriptions: WaitingSubscriptions<T>
  readonly #accounts = new Watched<string, T>()
  readonly #opcodes = new Watched<number, T>()
  readonly #newContracts = new Set<T>()

  constructor(notices: BlockNotices) {
    this.#subscriptions = notices.waiting()
  }

  /** Adds one, until the returned function is called. */
  add(member: T, { subscription, accounts, opcodes, newContracts }: WebhookFilter): () => void {
    const forget = subscription === null ? null : this.#subscriptions.add(member, subscription)
    this.#accounts.add(accounts, member)
    this.#opcodes.add(opcodes, member)
    if (newContracts) this.#newContracts.add(member)
    return () => {
      forget?.()
      this.#accounts.remove(accounts, member)
      this.#opcodes.remove(opcodes, member)
      this.#newContracts.delete(member)
    }
  }

  /** All that a block has an event for, and few others. */
  async of(rows: BlockRows): Promise<ReadonlySet<T>> {
    const found = new Set(await this.#subscriptions.concernedBy(rows))
    for (const one of rows.transactions) {
      for (const member of this.#accounts.of(rawOfKey(one.row.account))) found.add(member)
      const opcode = opcodeOf(one)
      if (opcode !== null) for (const member of this.#opcodes.of(opcode)) found.add(member)
      if (isNewContract(one)) for (const member of this.#newContracts) found.add(member)
    }
    return found
  }
}
