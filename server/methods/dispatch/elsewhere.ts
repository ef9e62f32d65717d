// Calls that another process runs, or that this one passes on when it cannot.

import { NotHere } from '../../node/index.ts'
import type { Call } from '../call.ts'
import { Written } from '../written.ts'
import type { RunEntry } from './runs.ts'

/** Where a call runs: in this process, in another one, or there only if this one refuses it with NotHere. */
export type Place = 'here' | 'elsewhere' | 'hereFirst'

/** Another process, which runs some of the calls. */
export interface Elsewhere {
  placeOf(name: string, params: Record<string, unknown>): Place
  /** Params as they came; the result as JSON text. */
  run(name: string, params: Record<string, unknown>, call: Call): Promise<string>
}

/** A method as a call runs it. */
export interface PlacedMethod {
  readonly entry: RunEntry
  /** Whether it takes params as they came. */
  readonly isElsewhere: boolean
}

/** Takes no lane here, but one in the other process, which is fair only among calls that reach it. */
const runElsewhere = (entry: RunEntry, other: Elsewhere): RunEntry => ({
  ...entry,
  lanes: null,
  run: async (params, call) => new Written(await other.run(entry.name, params, call)),
})

interface Processes {
  readonly elsewhere: Elsewhere
  /** Called when this process has run a call that might have been passed on. */
  ranHere(): void
}

const runHereFirst = (
  entry: RunEntry,
  params: Record<string, unknown>,
  { elsewhere, ranHere }: Processes,
): RunEntry => ({
  ...entry,
  mayLeaveLane: true,
  async run(checked, call) {
    let isHere = true
    try {
      return await entry.run(checked, call)
    } catch (error) {
      isHere = !(error instanceof NotHere)
      if (isHere) throw error
    } finally {
      if (isHere) ranHere()
    }
    call.leaveLane?.()
    return new Written(await elsewhere.run(entry.name, params, call))
  },
})

interface Placing {
  readonly entry: RunEntry
  /** As they came. */
  readonly params: Record<string, unknown>
  readonly place: Place
}

export function placed({ entry, params, place }: Placing, processes: Processes): PlacedMethod {
  const { elsewhere } = processes
  if (place === 'elsewhere') return { entry: runElsewhere(entry, elsewhere), isElsewhere: true }
  return { entry: place === 'here' ? entry : runHereFirst(entry, params, processes), isElsewhere: false }
}
