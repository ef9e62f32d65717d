// Elections, cycles and complaints over v3, of rounds in a real TVM whose numbers are those of the public contracts; and
// that what was indexed outlives what the elector forgets.

import { beginCell, Cell } from '@ton/core'
import { expect, test } from 'vitest'
import { systemAddress } from '../../devchain/actor.ts'
import { coin, keyOf, T0, usualRules } from '../../devchain/contracts/electionScene.ts'
import { IndexedElections } from './electionScenes.ts'

const [POOL, W2, W3] = [0xbb, 0xa2, 0xa3].map((byte) => systemAddress(Buffer.alloc(32, byte))) as [
  ReturnType<typeof systemAddress>,
  ReturnType<typeof systemAddress>,
  ReturnType<typeof systemAddress>,
]
const ID = T0 + 900
const prices = beginCell().storeUint(0x1a, 8).storeCoins(coin).storeCoins(1).storeCoins(512).endCell()
const description = Cell.fromBase64('te6cckEBAgEACQABCGVT9IQBAAC1hDhE')
const COMPLAINT = 'rtyye7AJU4ysExvc/Lel2FOPWmBGl13kjX5DbZ5frHs='
const hexOf = (key: number): string => keyOf(key).publicKey.toString('hex').toUpperCase()
const adnlOf = (key: number): string => (0xd0 + key).toString(16).toUpperCase().repeat(32)
const raw = (byte: string): string => `-1:${byte.repeat(32)}`

const participant = (key: number, stake: string, holder: string, index?: number) => ({
  validator_pubkey: hexOf(key),
  ...(index === undefined ? {} : { validator_index: index }),
  stake,
  max_factor: 196608,
  stake_holder_address: raw(holder),
  adnl_addr: adnlOf(key),
})
const election = (flags: { readonly failed: boolean; readonly finished: boolean }, isKnown: boolean) => ({
  election_id: ID,
  elect_close: T0 + 600,
  min_stake: '1000000000000',
  total_stake: '19500000000000',
  total_participants: 3,
  ...flags,
  participants: [
    participant(1, '10000000000000', 'BB', isKnown ? 0 : undefined),
    participant(2, '7500000000000', 'A2', isKnown ? 1 : undefined),
    participant(3, '2000000000000', 'A3'),
  ],
})
const rules = {
  validators_elected_for: 1200,
  elections_start_before: 900,
  elections_end_before: 300,
  stake_held_for: 180,
  max_validators: 1000,
  max_main_validators: 100,
  min_validators: 1,
  min_stake_limit: '1000000000000',
  max_stake_limit: '100000000000000',
  min_total_stake: '3000000000000',
  max_stake_factor: 196608,
}
const WEIGHTS = ['658812288346769700', '494109216260077275'] as const
const validator = (key: number, stake: string, holder: string, complaints: unknown[]) => ({
  validator_index: key - 1,
  validator_pubkey: hexOf(key),
  adnl_addr: adnlOf(key),
  weight: WEIGHTS[key - 1],
  stake_holder_address: raw(holder),
  stake,
  max_factor: 196608,
  complaints,
})
const cycle = (complaints: unknown[]) => ({
  election_id: ID,
  cycle_start: ID,
  cycle_end: T0 + 2100,
  total: 2,
  main: 2,
  ...rules,
  total_weight: '1152921504606846975',
  total_stake: '17500000000000',
  min_stake: '7500000000000',
  max_stake: '10000000000000',
  validators: [validator(1, '10000000000000', 'BB', []), validator(2, '7500000000000', 'A2', complaints)],
})
const voter = (key: number) => ({
  validator_index: key - 1,
  validator_pubkey: hexOf(key),
  adnl_addr: adnlOf(key),
  weight: WEIGHTS[key - 1],
})
const complaint = (votes: object) => ({
  cycle_start: ID,
  election_id: ID,
  complaint_hash: COMPLAINT,
  validator_pubkey: hexOf(2),
  adnl_addr: adnlOf(2),
  stake_holder_address: raw('A2'),
  description_boc: 'te6cckEBAgEACQABCGVT9IQBAAC1hDhE',
  created_at: T0 + 1000,
  severity: 1,
  reward_address: raw('A3'),
  paid: '1004792320',
  suggested_fine: '101000000000',
  suggested_fine_part: 0,
  ...votes,
})
const NO_VOTES = {
  voted_validators: [],
  vset_id: Buffer.alloc(32).toString('base64'),
  weight_remaining: '768614336404564650',
  approved_percent: 0,
  is_passed: false,
}
const SET = '6OOR/cs0f1+0ka6cRXNfct2kMmAOqVyt9h0oFtceAu8='
const ONE_VOTE = {
  voted_validators: [voter(2)],
  vset_id: SET,
  weight_remaining: '274505120144487375',
  approved_percent: 42.857,
  is_passed: false,
}
const PASSED = {
  voted_validators: [voter(1), voter(2)],
  vset_id: SET,
  weight_remaining: '-384307168202282325',
  approved_percent: 100,
  is_passed: true,
}

test('a round, from its announcement to the end of what the elector knows of it', async () => {
  const indexed = await IndexedElections.begin({ ...usualRules, parameters: new Map([[13, prices]]) })
  const elections = async (params = {}) =>
    (await indexed.answer('v3.validators.elections', { return_participants: true, ...params })).elections
  const cycles = async (params = {}) =>
    (await indexed.answer('v3.validators.cycles', { return_validators: true, ...params })).cycles
  const complaints = async (params = {}) => (await indexed.answer('v3.validators.complaints', params)).complaints

  await indexed.run(0, 0)
  expect(await elections()).toEqual([
    {
      election_id: ID,
      elect_close: T0 + 600,
      min_stake: '1000000000000',
      total_stake: '0',
      total_participants: 0,
      failed: false,
      finished: false,
      participants: [],
    },
  ])
  const stakes = [
    [POOL, 10_001n, 1],
    [W2, 5001n, 2],
    [W3, 2001n, 3],
    [W2, 2501n, 2],
  ] as const
  indexed.scene.at(60)
  for (const [from, value, key] of stakes) await indexed.stake(from, value, { key, electAt: ID })
  expect(await elections()).toEqual([election({ failed: false, finished: false }, false)])
  indexed.restart()
  await indexed.run(600)
  expect(await elections()).toEqual([election({ failed: false, finished: true }, true)])
  // The set is known before it is in charge.
  expect(await cycles({ cycle_start: ID })).toEqual([cycle([])])
  await indexed.run(600, 900, 900)
  expect(await elections()).toEqual([election({ failed: false, finished: true }, true)])

  indexed.scene.at(1000)
  const hash = Buffer.from(COMPLAINT, 'base64')
  await indexed.complain(W3, 2, ID, 101n * coin, description)
  expect(await complaints()).toEqual([complaint(NO_VOTES)])
  await indexed.vote(W3, 1, ID, hash)
  expect(await complaints()).toEqual([complaint(ONE_VOTE)])
  indexed.restart()
  await indexed.vote(W3, 0, ID, hash)
  expect(await complaints()).toEqual([complaint(PASSED)])
  // The fine makes smaller what the elector has, and not what was staked.
  expect(await cycles({ cycle_start: ID })).toEqual([cycle([complaint(PASSED)])])

  await indexed.run(1200)
  await indexed.stake(W3, 5001n, { key: 3, electAt: T0 + 2100 })
  await indexed.run(1800, 1800, 2100, 2100, 2281, 2281, 2281)
  expect(indexed.scene.past().map(([id]) => id)).toEqual([BigInt(T0 + 2100)])
  indexed.restart()
  await indexed.read()
  expect(await elections({ election_id: ID })).toEqual([election({ failed: false, finished: true }, true)])
  expect(await cycles({ election_id: ID })).toEqual([cycle([complaint(PASSED)])])
  expect(await complaints({ cycle_start: ID })).toEqual([complaint(PASSED)])
  expect((await cycles()) as { cycle_start: number }[]).toMatchObject([
    { cycle_start: T0 + 2100, election_id: T0 + 2100, total_stake: '5000000000000' },
    { cycle_start: ID, election_id: ID },
    { cycle_start: T0 - 600 },
  ])
  // The first set of a chain was not elected.
  expect(((await cycles()) as object[])[2]).not.toHaveProperty('election_id')
})

test('filters find elections, cycles and complaints by who took part, and show only those', async () => {
  const indexed = await IndexedElections.begin({ ...usualRules, parameters: new Map([[13, prices]]) })
  await indexed.run(0, 0)
  for (const [from, value, key] of [
    [POOL, 10_001n, 1],
    [W2, 7501n, 2],
    [W3, 2001n, 3],
  ] as const)
    await indexed.stake(from, value, { key, electAt: ID })
  await indexed.run(600, 600, 900, 900)
  indexed.scene.at(1000)
  await indexed.complain(W3, 2, ID, 101n * coin, description)
  const count = async (name: 'elections' | 'cycles', params: object): Promise<readonly [number, string[]]> => {
    const embed = name === 'elections' ? 'return_participants' : 'return_validators'
    const body = await indexed.answer(`v3.validators.${name}`, { [embed]: true, ...params })
    const list = body[name] as Readonly<Record<string, { validator_pubkey: string }[]>>[]
    const members = list.flatMap((one) => one.participants ?? one.validators ?? [])
    return [list.length, members.map(({ validator_pubkey: key }) => key)]
  }
  const accused: readonly object[] = [
    { stake_holder_address: raw('A2') },
    { adnl_address: adnlOf(2) },
    { validator_pubkey: hexOf(2) },
    { validator_pubkey: `0x${hexOf(2).toLowerCase()}` },
    { validator_pubkey: keyOf(2).publicKey.toString('base64url') },
    { validator_pubkey: keyOf(2).publicKey.toString('base64'), stake_holder_address: raw('A2') },
  ]
  for (const params of accused) {
    expect(await count('elections', params)).toEqual([1, [hexOf(2)]])
    expect(await count('cycles', params)).toEqual([1, [hexOf(2)]])
    expect((await indexed.answer('v3.validators.complaints', params)).complaints).toHaveLength(1)
  }
  const other = { stake_holder_address: raw('A2'), validator_pubkey: hexOf(1) }
  expect([await count('elections', other), await count('cycles', other)]).toEqual([
    [0, []],
    [0, []],
  ])
  // Took part, and was not elected.
  expect([
    await count('elections', { validator_pubkey: hexOf(3) }),
    await count('cycles', { validator_pubkey: hexOf(3) }),
  ]).toEqual([
    [1, [hexOf(3)]],
    [0, []],
  ])
  for (const params of [{ start_utime: ID, end_utime: ID }, { finished: true }, { election_id: ID }, { offset: 0 }])
    expect((await count('elections', params))[0]).toBe(1)
  for (const params of [{ start_utime: ID + 1 }, { end_utime: ID - 1 }, { finished: false }, { offset: 1 }])
    expect((await count('elections', params))[0]).toBe(0)
  const window = async (params: object) =>
    ((await indexed.answer('v3.validators.complaints', params)).complaints as unknown[]).length
  const at = T0 + 1000
  expect([await window({ start_utime: at, end_utime: at }), await window({ start_utime: at + 1 })]).toEqual([1, 0])
  const book = (await indexed.answer('v3.validators.complaints', {})).address_book as object
  expect(Object.keys(book)).toEqual([raw('A2'), raw('A3')])
})

test('an election that is put off, fails, and is finished', async () => {
  const indexed = await IndexedElections.begin({
    counts: [1000, 100, 3],
    stakes: [1000n, 100_000n, 10_000n],
    endBefore: 300,
  })
  const flags = async () => {
    const [found] = (await indexed.answer('v3.validators.elections', { limit: 1 })).elections as {
      failed: boolean
      finished: boolean
    }[]
    return [found?.failed, found?.finished]
  }
  await indexed.run(0, 0)
  await indexed.stake(POOL, 5001n, { key: 1, electAt: ID })
  await indexed.run(600)
  expect(await flags()).toEqual([false, false])
  await indexed.stake(W2, 6001n, { key: 2, electAt: ID })
  await indexed.run(601)
  expect(await flags()).toEqual([true, false])
  await indexed.stake(W3, 6001n, { key: 3, electAt: ID })
  expect(await flags()).toEqual([false, false])
  await indexed.run(602)
  expect(await flags()).toEqual([false, true])
  const { cycles } = await indexed.answer('v3.validators.cycles', { return_validators: true, limit: 1 })
  const [{ validators } = { validators: [] }] = cycles as { validators: { weight: string }[] }[]
  expect(validators.map(({ weight }) => weight)).toEqual([
    '406913472214181285',
    '406913472214181285',
    '339094560178484404',
  ])
})

test('an election whose set the configuration refuses is there as it was last, without a cycle', async () => {
  const indexed = await IndexedElections.begin({ ...usualRules, endBefore: 60 })
  await indexed.run(0, 0)
  await indexed.stake(POOL, 5001n, { key: 1, electAt: ID })
  await indexed.run(905)
  expect(indexed.scene.past()).toEqual([])
  expect(indexed.scene.credit(POOL)).toBe(5000n * coin)
  const { elections } = await indexed.answer('v3.validators.elections', { election_id: ID })
  expect(elections).toMatchObject([{ election_id: ID, total_stake: '5000000000000', failed: false, finished: false }])
  const { cycles } = await indexed.answer('v3.validators.cycles', {})
  expect(cycles).toMatchObject([{ cycle_start: T0 - 600 }])
})

test('a set that begins later than its election', async () => {
  const indexed = await IndexedElections.begin()
  await indexed.run(0, 0)
  await indexed.stake(POOL, 5001n, { key: 1, electAt: ID })
  await indexed.run(700)
  const { cycles } = await indexed.answer('v3.validators.cycles', { limit: 1 })
  expect(cycles).toMatchObject([{ election_id: ID, cycle_start: ID + 40 }])
})
