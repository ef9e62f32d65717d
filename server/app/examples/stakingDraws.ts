// Examples of staking: the pool of the newest stake, its nominators, and validators.

import {
  type AskMethod,
  type Draw,
  type DrawnRow,
  drawnRowsOf,
  exampleFor,
  findFirst,
  firstRow,
  rowsIn,
  textAt,
} from './drawing.ts'

/** Holders of stakes that are read to find a pool. */
const MOST = 100

export function stakingDraws(ask: AskMethod): readonly Draw[] {
  const stakes = async () =>
    drawnRowsOf(await ask('v3.validators.events', { type: 'stake_accepted', limit: MOST }), 'events')
  /** Whether there is a list under that name, and anything in it. */
  const has = async (method: string, list: string, params: DrawnRow): Promise<boolean> =>
    rowsIn((await ask(method, params).catch((): DrawnRow => ({})))[list]) > 0
  const pool = async () => {
    const holders = new Set((await stakes()).map((stake) => textAt(stake, 'stake_holder_address')))
    return await findFirst([...holders], (holder) =>
      has('v3.staking.nominatorPools.pool', 'active_nominators', { pool: holder }),
    )
  }
  return [
    async () => {
      const found = await pool()
      const body = await ask('v3.staking.nominatorPools.pool', { pool: found })
      const nominators = drawnRowsOf(body, 'active_nominators').map((row) => textAt(row, 'address'))
      const validator = textAt(body, 'validator_address')
      return {
        'v3.staking.nominatorPools.pool': { pool: found },
        'v3.staking.nominatorPools.nominator': { nominator: nominators[0] ?? '' },
        'v3.staking.nominatorPools.nominatorEvents': { pool: found },
        'v3.staking.nominatorPools.validatorEvents': { pool: found },
        'v3.staking.nominatorPools.validatorRewards': { validator, pool: found },
      }
    },
    async () => {
      const found = await pool()
      const events = drawnRowsOf(
        await ask('v3.staking.nominatorPools.nominatorEvents', { pool: found, limit: 1000 }),
        'events',
      )
      const reward = events.find(({ type }) => type === 'reward')
      return exampleFor('v3.staking.nominatorPools.nominatorRewards', {
        nominator: textAt(reward, 'nominator_address'),
        pool: found,
      })
    },
    async () => {
      const [stake] = await stakes()
      return exampleFor('v3.validators.events', { stake_holder_address: textAt(stake, 'stake_holder_address') })
    },
    async () => {
      const complaint = await firstRow(ask, 'v3.validators.complaints', 'complaints')
      return exampleFor('v3.validators.complaints', { election_id: Number(complaint.election_id) })
    },
  ]
}
