// The first call of a form on the demo chain: what it begins with is of this network, and has an answer.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { formExampleOf } from '../../../shared/explorer/formExamples.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import type { TestService } from '../../setup/service.ts'

let service: TestService

beforeAll(async () => {
  service = await servePlayed()
}, 300_000)
afterAll(() => service?.[Symbol.asyncDispose]())

/** Nothing is pending on a chain that makes a block for each message. */
const MAY_BE_EMPTY = /pending|nominatorEvents/

test.each([
  'v3.masterchainBlockShardState',
  'v3.masterchainBlockShards',
  'v3.transactionsByMasterchainBlock',
  'v3.transactionsByMessage',
  'v3.adjacentTransactions',
  'v3.balanceChanges',
  'v3.pendingActions',
  'v3.pendingTraces',
  'v3.multisig.wallets',
  'v3.multisig.orders',
  'v3.vesting',
  'v3.nft.sales',
  'v3.dns.activeAuctions',
  'v3.staking.nominatorPools.pool',
  'v3.staking.nominatorPools.nominatorEvents',
  'v3.staking.nominatorPools.validatorEvents',
])('%s', async (name) => {
  const client = createClient({ url: service.url })
  const call = (method: string, params: unknown): Promise<unknown> =>
    Reflect.apply(
      method.split('.').reduce((at: object, part) => Reflect.get(at, part), client) as () => Promise<unknown>,
      undefined,
      [params],
    )
  const example = formExampleOf(name)
  if (example === undefined) throw new Error('it has none')
  const values = example.valuesIn(await call(example.query.method, example.query.params))
  expect(Object.keys(values)).not.toEqual([])
  const result = await call(name, values)
  const lists = Object.values(result ?? {}).filter((one) => Array.isArray(one))
  if (!MAY_BE_EMPTY.test(name)) for (const list of lists) expect(list).not.toEqual([])
})
