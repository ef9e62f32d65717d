// What calls cost their callers: the one place where budgets are spent. Throws and rejects with ApiError only.

import { ApiError } from '../../../shared/errors.ts'
import type { Access, BudgetState, UsageMeter } from '../../access/index.ts'
import type { MethodMeter } from '../../observe/index.ts'
import type { CallOutcome, ChargedCall } from '../call.ts'

/** The next step: at once where nothing is waited for, since a promise costs more than a cached answer. */
export function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

export interface ChargesParts {
  readonly access: Pick<Access, 'spend' | 'peek'>
  /** Counts calls by key; null when usage is not kept. */
  readonly usage: UsageMeter | null
  /** Called for each call. */
  readonly onCall?: (() => void) | undefined
}

export class Charges {
  readonly #parts: ChargesParts

  constructor(parts: ChargesParts) {
    this.#parts = parts
  }

  /** Waits only for budgets that another process keeps. */
  charge(call: ChargedCall, { name }: Pick<Counted, 'name'>, cost: number): void | Promise<void> {
    const { access, usage, onCall } = this.#parts
    onCall?.()
    return after(access.spend(call.caller, cost), (budget) => {
      call.budget = budget
      if (budget && !budget.allowed) throw budgetRefusal(budget)
      usage?.charged(call.caller.keyId, name, cost)
    })
  }

  /** For a call without a run of its own, which would count it: counted here when the budget is spent. */
  chargeWithoutRun(call: ChargedCall, counted: Counted, cost: number): void | Promise<void> {
    const refused = (error: unknown): never => {
      tally(counted, call, { outcome: 'rateLimited', ms: 0, bytes: 0 })
      throw error
    }
    try {
      const charging = this.charge(call, counted, cost)
      return charging instanceof Promise ? charging.catch(refused) : charging
    } catch (error) {
      return refused(error)
    }
  }

  /** Charges and counts a call that was refused. Returns the error for the caller. */
  refuse(counted: Counted, error: ApiError, call: ChargedCall): ApiError | Promise<ApiError> {
    const { access, usage } = this.#parts
    return after(access.spend(call.caller, 1), (budget) => {
      call.budget = budget
      const sent = budget && !budget.allowed ? budgetRefusal(budget) : error
      if (sent === error) usage?.charged(call.caller.keyId, counted.name, 1)
      tally(counted, call, { outcome: sent.kind, ms: 0, bytes: 0 })
      return sent
    })
  }

  /** The error for a caller without budget, counted; null for others. */
  exhausted(counted: Counted, call: ChargedCall): ApiError | null {
    const budget = this.#parts.access.peek(call.caller)
    if (budget === null || budget.allowed) return null
    call.budget = budget
    tally(counted, call, { outcome: 'rateLimited', ms: 0, bytes: 0 })
    return budgetRefusal(budget)
  }
}

/** The error for a caller whose budget is spent. */
export function budgetRefusal({ tier, retryAfter, quota }: BudgetState): ApiError {
  if (quota === undefined || quota.used < quota.limit)
    return new ApiError('rateLimited', undefined, { limit: tier.perSecond, retryAfter })
  const text = `Monthly quota used up: ${quota.limit} calls, until the next month begins in UTC`
  return new ApiError('rateLimited', text, { limit: quota.limit, retryAfter })
}

/** A method, or the name of all that are unknown. */
export interface Counted {
  readonly name: string
  readonly meter: MethodMeter
  readonly usage: UsageMeter | null
}

/** Counts a finished call: in the metrics, for the usage of the caller, and with the transport that carried it. */
export function tally(
  { name, meter, usage }: Counted,
  call: Pick<ChargedCall, 'note' | 'caller' | 'requestId'>,
  over: CallOutcome,
): void {
  const { outcome, ms, bytes } = over
  meter.done(outcome, ms, call.requestId)
  usage?.done(call.caller.keyId, name, { outcome, bytes })
  call.note?.(name, over)
}
