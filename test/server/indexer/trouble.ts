// Nodes and databases that are not always there.

import { type Chain, LiteError } from '../../../server/node/index.ts'
import { type Database, StoreError } from '../../../server/store/index.ts'
import { random } from '../devchain/traffic.ts'

/** Shares of calls that are refused, and that are late. */
export interface Moods {
  readonly seed: number
  readonly refused: number
  readonly late: number
  readonly lost: number
}

const FAILURES = [
  () => new LiteError('notReady', 'block is not applied'),
  () => new LiteError('timeout', 'timeout'),
  () => new LiteError(-400, 'cannot do that'),
  () => new Error('socket hang up'),
]

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A chain that fails, is late, or does not report a new block. */
export function flakyNode(node: Chain, { seed, refused, late, lost }: Moods): Chain & { calm: boolean } {
  const next = random(seed)
  const state = { calm: false }
  const verbs = new Proxy(node, {
    get(target, verb, receiver) {
      if (verb === 'calm') return state.calm
      const value: unknown = Reflect.get(target, verb, receiver)
      if (typeof value !== 'function') return value
      if (verb === 'onHead')
        return (listener: (id: unknown) => void) =>
          target.onHead((id) => {
            if (state.calm || next() >= lost) listener(id)
          })
      return async (...args: unknown[]) => {
        if (state.calm) return await Reflect.apply(value, target, args)
        const luck = next()
        const which = next()
        if (luck < late) await delay(which * 20)
        const answer: unknown = await Reflect.apply(value, target, args)
        if (next() < refused) throw FAILURES[Math.floor(which * FAILURES.length)]?.()
        return answer
      }
    },
    set(_target, verb, value) {
      if (verb === 'calm') state.calm = value === true
      return true
    },
  })
  return verbs as Chain & { calm: boolean }
}

/** A database whose transactions fail, before or after they are committed. */
export function flakyDatabase(database: Database, seed: number, refused: number): Database & { calm: boolean } {
  const next = random(seed)
  const flaky = {
    calm: false,
    kind: database.kind,
    read: database.read,
    async transaction<T>(work: Parameters<Database['transaction']>[0]): Promise<T> {
      const before = next()
      const after = next()
      if (!flaky.calm && before < refused) throw new StoreError('unavailable', 'the connection was reset')
      const done = await database.transaction(work)
      if (!flaky.calm && after < refused) throw new StoreError('unavailable', 'the connection was reset')
      return done as T
    },
    lead: (signal: AbortSignal) => database.lead(signal),
    close: () => database.close(),
  }
  return flaky
}
