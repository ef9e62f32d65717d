// Budgets of several processes in a Redis: for each subject the moment at which its bucket is full again, by the clock of the
// server.

import { RedisConnection, type RedisOptions, RedisRefusal, type RedisReply } from '../sharing/index.ts'
import type { BudgetLedger, Debt } from './sharedBudgets.ts'

/**
 * A bucket owes no more than so many times what it holds, and what is spent now: fewer than a hundred processes cannot spend so
 * much before each has the counts of the others.
 */
const MOST_BUCKETS = 100

/**
 * Moves the moments and answers with the milliseconds until each. Next to a moment stands when it was written: a clock that is set
 * back, or that of a replica which takes over, moves it by as much as it is behind.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = {}
for i, key in ipairs(KEYS) do
  local kept = redis.call('GET', key) or '0'
  local full = tonumber(string.match(kept, '^%S+')) or 0
  full = full - math.max(0, (tonumber(string.match(kept, ' (%S+)$')) or 0) - now)
  full = math.max(now, math.min(full, now + tonumber(ARGV[2 * i])))
  full = full + tonumber(ARGV[2 * i - 1])
  redis.call('SET', key, string.format('%.3f %.3f', full, now), 'PX', math.max(1, math.ceil(full - now)))
  answer[i] = string.format('%.3f', full - now)
end
return answer`

const MS = /^\d+(?:\.\d+)?$/

/** Throws for what is no time that can be waited. */
function readMs(reply: RedisReply): number {
  if (typeof reply !== 'string' || !MS.test(reply)) throw new Error('unexpected answer of Redis')
  return Number(reply)
}

export interface RedisBudgetsOptions extends RedisOptions {
  /** In front of all keys: several services may share a server. Rejects while it is not known. */
  readonly prefix: () => Promise<string>
}

export function createRedisLedger(options: RedisBudgetsOptions): BudgetLedger {
  const connection = new RedisConnection(options)
  let known: string | null = null
  return {
    async add(debts: readonly Debt[]) {
      known ??= await options.prefix()
      const prefix = known
      const keys = debts.map(({ subject }) => `${prefix}${subject}`)
      const amounts = debts.flatMap(({ ms, bucketMs }) => [ms.toFixed(3), (MOST_BUCKETS * bucketMs).toFixed(3)])
      const reply = await connection
        .send(['EVAL', SCRIPT, String(keys.length), ...keys, ...amounts])
        .catch((error: unknown) => {
          if (error instanceof RedisRefusal) connection.renew(error)
          throw error
        })
      if (!Array.isArray(reply) || reply.length !== debts.length) throw new Error('unexpected answer of Redis')
      return reply.map(readMs)
    },
    close: () => connection.close(),
  }
}
