// Resources calls share while their handlers run. A cached result needs none of it.

import type { MethodSpec } from '../../../shared/registry.ts'
import { type LaneLimits, Lanes } from '../../fairness/index.ts'
import type { Metrics } from '../../observe/index.ts'
import type { CallKind } from './runningCall.ts'

export interface CallLanes {
  /** Reads of the index. */
  readonly index: Lanes
  /** Each executes up to some hundred transactions, one after the other. */
  readonly emulation: Lanes
  /** Everything else: reads of the chain, get-methods, messages. */
  readonly chain: Lanes
}

/** A fifth of the longest turn. Of 16 callers over a lite server each read takes a third less processor than with 0. */
const TURN_MS = 2
/**
 * As many as the store has connections for reading, so that waiting calls queue here, in turn. A quarter is always left to other
 * callers, and a short call of the same one finds most of its lanes without long ones.
 */
const indexLimits = (total: number, timesAlone = 1, long?: LongReads): LaneLimits => ({
  total,
  timesAlone,
  perCaller: Math.ceil((total * 3) / 4),
  perKind: { long: long?.perCaller ?? Math.ceil(total / 3) } satisfies Partial<Record<CallKind, number>>,
  ofKind: { long: long?.ofAll ?? total } satisfies Partial<Record<CallKind, number>>,
  perTurn: 8,
  turnMs: TURN_MS,
  waitingPerCaller: 4000,
})
/** More than threads run get-methods, whose own queue takes turns of callers. */
const CHAIN: LaneLimits = { total: 64, reserve: 8, perCaller: 16, perTurn: 4, turnMs: TURN_MS, waitingPerCaller: 4000 }
/** Enough to keep the threads busy; a request that waits may hold some megabytes. */
const EMULATION: LaneLimits = { total: 8, perCaller: 4, perTurn: 1, waitingPerCaller: 256 }

export interface LongReads {
  readonly perCaller: number
  readonly ofAll: number
}

export interface LaneSetting {
  /** Reads of the index at once, such as connections of the store. */
  readonly reads?: number
  /** How many times as many while there is one caller alone; by default 1. */
  readonly timesAlone?: number
  /** By default a third for each caller. */
  readonly longReads?: LongReads | undefined
  /** How many times as many lanes reads of the chain have: what waits for a far server takes a lane and nothing else. */
  readonly stretch?: (() => number) | undefined
}

export function createCallLanes(
  metrics: Metrics,
  { reads = 8, timesAlone, longReads, stretch }: LaneSetting = {},
): CallLanes {
  const chain = new Lanes(stretch === undefined ? CHAIN : { ...CHAIN, stretch })
  const lanes = { index: new Lanes(indexLimits(reads, timesAlone, longReads)), emulation: new Lanes(EMULATION), chain }
  const sum = (of: (one: Lanes) => number): number => Object.values(lanes).reduce((all, one) => all + of(one), 0)
  metrics.gauge('tonrpc_calls_running', 'Calls whose handlers run.', () => sum(({ running }) => running))
  metrics.gauge('tonrpc_calls_waiting', 'Calls that wait for others to end.', () => sum(({ waiting }) => waiting))
  return lanes
}

/** The lanes a method's calls take; null for control methods, which wait for blocks and are the operator's own. */
export function lanesOf(name: string, { control, freshness }: MethodSpec, lanes: CallLanes): Lanes | null {
  if (control === true) return null
  if (name.startsWith('emulate.')) return lanes.emulation
  return freshness === 'index' ? lanes.index : lanes.chain
}
