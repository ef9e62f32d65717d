// Every read of staking, run on a filled database and held to what an index can do.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accusedRead,
  complaintsOfCyclesRead,
  complaintsRead,
  cycleMembersRead,
  cyclesRead,
  electedCyclesRead,
  electionsRead,
  nominatorEventsRead,
  participantsRead,
  poolRead,
  poolsOfRead,
  poolValidatorEventsRead,
  type SqlText,
  sql,
  stakeEventsRead,
  votersRead,
} from '../../../server/store/index.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { faultsOf, planOf } from '../../setup/plans.ts'

/** Of half a year: what one holder has of each is found, then sorted. */
const ELECTIONS = 240
const MEMBERS = 60
const POOLS = 2000

/** Accounts and keys are hashes of a word and a number. */
const key = (word: string, number: string): string => `sha256(('${word} ' || (${number}))::bytea)`
const FILLED = `
insert into elections select n, n, n, n, n, ${MEMBERS}, false, n % 2 = 0 from generate_series(1, ${ELECTIONS}) n;
insert into past_elections select n, n, ${key('set', 'n')}, n from generate_series(1, ${ELECTIONS}) n;
insert into cycles select n, n, n, ${key('set', 'n')}, ${MEMBERS}, ${MEMBERS}, 100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
  from generate_series(1, ${ELECTIONS}) n;
insert into election_participants select n, ${key('key', `n * 1000 + m`)}, ${key('holder', 'm')}, ${key('adnl', 'm')}, m, 1
  from generate_series(1, ${ELECTIONS}) n, generate_series(1, ${MEMBERS}) m;
insert into frozen_stakes select election_id, public_key, holder, stake from election_participants;
insert into cycle_validators select election_id, stake::int4, public_key, adnl, 1 from election_participants;
insert into complaints select n, ${key('complaint', 'n * 10 + m')}, n, ${key('key', 'n * 1000 + m')}, 'x', n, 1, 'x', 1, 1, 1,
  '{1,2,3}', ${key('set', 'n')}, ${key('set', 'n')}, -1 from generate_series(1, ${ELECTIONS}) n, generate_series(1, 6) m;
insert into stake_events select ${key('stake', 'n')}, n, n / 3, n / 9,
  (array['stake_accepted', 'stake_rejected', 'stake_recovered', 'recover_requested', 'recover_failed'])[n / 60 % 5 + 1],
  ${key('holder', 'n % 60')}, ${key('key', 'n % 3000')}, ${key('adnl', 'n % 60')}, n, n, n, null
  from generate_series(1, 30000) n;
insert into nominator_pools select ${key('pool', 'n')}, 'x', 'x', n, n, null, 0, 1, 1, 1, 'x', 1, 1, 1, 1, 1
  from generate_series(1, ${POOLS}) n;
insert into pool_nominators select ${key('pool', 'n')}, ${key('nominator', 'm * (case when m = 1 then 1 else n end)')}, 1, 1, false
  from generate_series(1, ${POOLS}) n, generate_series(1, 15) m on conflict do nothing;
insert into nominator_events select ${key('event', 'n / 5')}, n / 5, n / 15, n / 45, n % 5, ${key('pool', 'n / 5 % 20')},
  ${key('nominator', 'n / 7 % 30')},
  (array['reward', 'deposit', 'withdrawal', 'pending_deposit_activation', 'withdrawal_request'])[n / 11 % 5 + 1],
  1, 1, 1, 1, 1, false, false from generate_series(1, 40000) n;
insert into pool_validator_events select ${key('own', 'n')}, n, n / 3, n / 9, ${key('pool', 'n % 20')}, ${key('holder', 'n % 7')},
  (array['reward', 'penalty', 'deposit', 'withdrawal'])[n / 20 % 4 + 1], 1, 1, null, null, 1 from generate_series(1, 20000) n;
analyze;
`

let store: MemoryStore
const named = new Map<string, Uint8Array>()

beforeAll(async () => {
  store = await openMemoryStore()
  await store.transaction(async (to) => {
    for (const one of FILLED.split(';').filter((text) => text.trim() !== '')) await to.query(sql.raw(one))
    await to.query(sql`set enable_seqscan = off`)
  })
  for (const name of ['pool 7', 'nominator 1', 'nominator 6', 'holder 5', 'adnl 5', 'key 200005', 'key 5', 'set 200']) {
    const [row] = await store.read.query(sql`select sha256(${name}::text::bytea) as hash`)
    if (row?.hash instanceof Uint8Array) named.set(name, row.hash)
  }
})
afterAll(() => store.close())

const of = (name: string): Uint8Array => {
  const found = named.get(name)
  if (found === undefined) throw new Error(`nothing is named ${name}`)
  return found
}

const first = { limit: 10, offset: 0, after: null }
const ANY = {}
const WINDOW = { start: 100, end: 5000 }

/** With `single`, a page reads little more than it shows. */
const reads = (): Readonly<Record<string, { readonly statement: SqlText; readonly single: boolean }>> => {
  const single = ({ statement }: { readonly statement: SqlText }) => ({ statement, single: true })
  const several = ({ statement }: { readonly statement: SqlText }) => ({ statement, single: false })
  const pool = of('pool 7')
  const holder = of('holder 5')
  const adnl = of('adnl 5')
  const elected = of('key 200005')
  const staked = of('key 5')
  return {
    pool: single(poolRead(pool)),
    'pools of a nominator in all': single(poolsOfRead(of('nominator 1'), first)),
    'pools of a nominator': single(poolsOfRead(of('nominator 6'), first)),
    'events of a pool': single(nominatorEventsRead({ pool, window: ANY }, first)),
    'events of a pool in a window': several(nominatorEventsRead({ pool, window: WINDOW }, first)),
    'events of a pool behind others': single(
      nominatorEventsRead({ pool, window: ANY }, { ...first, after: [900n, 2700n, of('set 200'), 1n] }),
    ),
    'events of a nominator': single(nominatorEventsRead({ pool, nominator: of('nominator 6'), window: ANY }, first)),
    rewards: single(nominatorEventsRead({ pool, nominator: of('nominator 6'), window: ANY, type: 'reward' }, first)),
    'the validator of a pool': single(poolValidatorEventsRead({ pool, window: ANY }, first)),
    'pools of a validator': single(poolValidatorEventsRead({ validator: holder, window: ANY }, first)),
    'penalties of a validator': single(
      poolValidatorEventsRead({ validator: holder, type: 'penalty', window: ANY }, first),
    ),
    'rewards of a validator in a pool': several(
      poolValidatorEventsRead({ validator: holder, pool, type: 'reward', window: ANY }, first),
    ),
    stakes: single(stakeEventsRead({ window: ANY }, first)),
    'stakes of a type': single(stakeEventsRead({ type: 'recover_failed', window: ANY }, first)),
    'stakes of a holder': single(stakeEventsRead({ holder, window: ANY }, first)),
    'stakes of an ADNL address': single(stakeEventsRead({ adnl, window: ANY }, first)),
    'stakes of a key': single(stakeEventsRead({ publicKey: staked, window: ANY }, first)),
    'stakes of a holder and a type': several(stakeEventsRead({ holder, type: 'stake_rejected', window: ANY }, first)),
    elections: single(electionsRead({ window: ANY }, first)),
    'elections of a key': single(electionsRead({ publicKey: elected, window: ANY }, first)),
    'elections of a holder in all': several(electionsRead({ holder, window: ANY }, first)),
    'elections that are finished': single(electionsRead({ finished: true, window: ANY }, first)),
    participants: several(participantsRead([200, 199, 198], {})),
    'participants of a holder': several(participantsRead([200, 199, 198], { holder })),
    cycles: single(cyclesRead({ window: ANY }, first)),
    'cycles of a key': single(cyclesRead({ publicKey: elected, window: ANY }, first)),
    'cycles of a holder in all': several(cyclesRead({ holder, window: ANY }, first)),
    'cycles of an election': single(cyclesRead({ electionId: 200, window: ANY }, first)),
    'elected cycles': several(electedCyclesRead([200, 199, 198])),
    members: several(cycleMembersRead([200, 199, 198], {})),
    'members of a holder': several(cycleMembersRead([200, 199, 198], { holder })),
    complaints: single(complaintsRead({ window: ANY }, first)),
    'complaints in an election': single(complaintsRead({ electionId: 200, window: ANY }, first)),
    'complaints in a cycle': single(complaintsRead({ cycleStart: 200, window: ANY }, first)),
    'complaints about a key': single(complaintsRead({ publicKey: elected, window: ANY }, first)),
    'complaints about a holder': several(complaintsRead({ holder, window: ANY }, first)),
    'complaints of cycles': single(complaintsOfCyclesRead([200, 199, 198])),
    accused: single(accusedRead([200], [elected])),
    voters: single(votersRead([of('set 200')], [1, 2, 3])),
  }
}

test('no read goes through a large table or sorts what it will not show', async () => {
  const slow: string[] = []
  for (const [name, one] of Object.entries(reads())) {
    const plan = await planOf(store.read, one.statement)
    if ((plan.nodes[0]?.['Actual Rows'] ?? 0) === 0) slow.push(`${name}: finds nothing`)
    const faults = faultsOf(plan, one)
    if (faults.length > 0) slow.push(`${name}: ${faults.join(', ')}\n${plan.text}`)
  }
  expect(slow).toEqual([])
})
