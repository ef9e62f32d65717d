// Rounds of the validators through the service, read by the public wrappers: the elector, and the sets of the configuration.

import { createRequire } from 'node:module'
import { Cell } from '@ton/core'
import {
  configParse15,
  configParseValidatorSet,
  ElectorContract,
  loadConfigParamsAsSlice,
  parseFullConfig,
  TonClient,
} from '@ton/ton'
import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { createTon } from '../../client/ton/index.ts'
import { servePlayed } from '../setup/playedDemo.ts'
import { forAllTests } from '../setup/service.ts'

const TonWeb = createRequire(import.meta.url)('tonweb') as typeof import('tonweb').default
const ELECTOR = `-1:${'33'.repeat(32)}`
const service = forAllTests(() => servePlayed({ withIndex: false }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
/** Lists in results are nested pairs for the wrapper; TonClient passes on the flat ones of v2. */
const wrapper = () => createTon(client()).open(ElectorContract.create())

async function setOf(param: number) {
  const { bytes } = (await client().getConfigParam({ param })).config
  const set = configParseValidatorSet(Cell.fromBase64(bytes).beginParse())
  if (set == null) throw new Error(`There is no parameter ${param}`)
  return set
}

const keysOf = (set: Awaited<ReturnType<typeof setOf>>) =>
  [...set.list.values()].map(({ publicKey }) => publicKey.toString('hex'))

/** The chain moves on by a minute, and by a block. */
async function minute(): Promise<void> {
  await client().dev.increaseTime({ seconds: 60 })
  await client().dev.mine({ blocks: 1 })
}

test('default: a round from one set to the next, as dev.increaseTime hurries it', async () => {
  const before = await setOf(34)
  expect([before.total, before.main, keysOf(before).length]).toEqual([3, 3, 3])
  const elector = wrapper()
  const [past] = await elector.getPastElections()
  expect(past).toMatchObject({ id: before.timeSince, stakeHeld: 180 })
  expect(past?.totalStake).toBe([...(past?.frozen.values() ?? [])].reduce((sum, { stake }) => sum + stake, 0n))
  expect(past?.frozen.size).toBe(3)
  expect(await elector.getComplaints(before.timeSince)).toEqual([])

  await expect
    .poll(async () => {
      await minute()
      return (await elector.getElectionEntities())?.entities.length ?? 0
    })
    .toBe(3)
  const election = await elector.getElectionEntities()
  expect(election?.startWorkTime).toBe(await elector.getActiveElectionId())
  const plain = new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` }).open(ElectorContract.create())
  expect(await plain.getActiveElectionId()).toBe(election?.startWorkTime)
  expect(election?.entities.map(({ pubkey }) => pubkey.toString('hex')).toSorted()).toEqual(keysOf(before).toSorted())
  expect(election?.allStakes).toBeGreaterThanOrEqual(3000n * 10n ** 9n)

  await expect
    .poll(async () => {
      await minute()
      return (await setOf(34)).timeSince
    })
    .toBeGreaterThan(before.timeSince)
  const after = await setOf(34)
  expect(keysOf(after).toSorted()).toEqual(keysOf(before).toSorted())
  expect((await setOf(32)).timeSince).toBe(before.timeSince)
  const ids = (await elector.getPastElectionsList()).map(({ id }) => id)
  expect(ids).toContain(after.timeSince)
})

test('behavior: the whole configuration, and the times of elections in it', async () => {
  const { bytes } = (await client().getConfigAll({})).config
  const config = parseFullConfig(loadConfigParamsAsSlice(bytes))
  expect(config.electorAddress.toRawString()).toBe(ELECTOR)
  expect(config.validatorSets.currentValidators?.list?.size).toBe(3)
  const { bytes: times } = (await client().getConfigParam({ param: 15 })).config
  expect(configParse15(Cell.fromBase64(times).beginParse())).toEqual({
    validatorsElectedFor: 1200,
    electorsStartBefore: 600,
    electorsEndBefore: 180,
    stakeHeldFor: 180,
  })
})

test('behavior: tonweb calls the elector by its get-methods', async () => {
  const provider = new TonWeb.HttpProvider(`${service().url}/api/v2/jsonRPC`)
  const past = await provider.call2(ELECTOR, 'past_elections_list')
  expect(Array.isArray(past) ? past.length : past).toBeTruthy()
  const [electAt] = await provider.call2(ELECTOR, 'participant_list_extended')
  expect(electAt.toNumber()).toBeGreaterThanOrEqual(0)
})
