// Budgets of several processes in a Redis: for each subject the moment at which its bucket is full again, by the clock of the
// server.

import { RedisConnection, type RedisOptions } from '../sharing/index.ts'
import type { BudgetLedger, Debt } from './sharedBudgets.ts'

/** Moves the moments and answers with the milliseconds until each. */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = {}
for i, key in ipairs(KEYS) do
  local full = tonumber(redis.call('GET', key) or '0')
  if full < now then full = now end
  full = full + tonumber(ARGV[i])
  redis.call('SET', key, string.format('%.3f', full), 'PX', math.max(1, math.ceil(full - now)))
  answer[i] = string.format('%.3f', full - now)
end
return answer`

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
      const amounts = debts.map(({ ms }) => ms.toFixed(3))
      const reply = await connection.send(['EVAL', SCRIPT, String(keys.length), ...keys, ...amounts])
      if (!Array.isArray(reply) || reply.length !== debts.length) throw new Error('unexpected answer of Redis')
      return reply.map(Number)
    },
    close: () => connection.close(),
  }
}
