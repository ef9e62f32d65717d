import { ApiError } from '../../../../shared/errors.ts'
import { toDigits } from '../../../../shared/primitives.ts'
import type { nominatorPoolsV3 } from '../../../../shared/v3/staking/nominatorPools.ts'
import { nominatorEventsRead, poolRead, poolsOfRead, readAll, readPage, type Sql } from '../../../store/index.ts'
import type { Handlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { toNominatorEvent, toNominatorReward, toPool, toPosition } from '../../view/v3/staking/pools.ts'
import { addressBookFor, type SideObjects } from '../names/sideObjects.ts'
import { given, listEnd, windowEcho, windowFrom } from './lists.ts'

const NO_POOL = 'Pool not found'

export const nominatorPoolHandlers = (store: Sql, side: SideObjects): Handlers<typeof nominatorPoolsV3> => ({
  async 'v3.staking.nominatorPools.pool'({ pool }, call) {
    const found = await readAll(store, poolRead(pool), call)
    const [first] = found
    if (first === undefined) throw new ApiError('notFound', NO_POOL)
    const nominators = found.flatMap(({ nominator }) => (nominator === null ? [] : [nominator]))
    const named = [pool, first.pool.validator, ...nominators.map(({ nominator }) => nominator)]
    return { ...toPool(first.pool, nominators), ...(await addressBookFor(side, named, call)) }
  },

  async 'v3.staking.nominatorPools.nominator'(params, call) {
    const { nominator } = params
    const { ask, cursor } = openPage('v3.staking.nominatorPools.nominator', { offset: 0, ...params })
    const { rows, next } = await readPage(store, poolsOfRead(nominator, ask), call)
    return {
      nominator_pools: rows.map(toPosition),
      ...(await addressBookFor(side, [nominator, ...rows.map(({ pool }) => pool)], call)),
      cursor: cursor(next),
    }
  },

  async 'v3.staking.nominatorPools.nominatorEvents'(params, call) {
    const { pool, nominator } = params
    const window = windowFrom(params)
    const { ask, cursor } = openPage('v3.staking.nominatorPools.nominatorEvents', { offset: 0, ...params })
    const { rows, next } = await readPage(store, nominatorEventsRead({ pool, nominator, window }, ask), call)
    const named = [pool, ...given(nominator), ...rows.map((row) => row.nominator)]
    return {
      ...windowEcho(params),
      events: rows.map(toNominatorEvent),
      ...(await listEnd({ store, side, call }, named, cursor(next))),
    }
  },

  async 'v3.staking.nominatorPools.nominatorRewards'(params, call) {
    const { pool, nominator } = params
    const window = windowFrom(params)
    const { ask, cursor } = openPage('v3.staking.nominatorPools.nominatorRewards', { offset: 0, ...params })
    const filter = { pool, nominator, window, type: 'reward' } as const
    const { rows, next } = await readPage(store, nominatorEventsRead(filter, ask), call)
    return {
      ...windowEcho(params),
      total_on_page: toDigits(rows.reduce((sum, { amount }) => sum + amount, 0n)),
      rewards: rows.map(toNominatorReward),
      ...(await listEnd({ store, side, call }, [nominator, pool], cursor(next))),
    }
  },
})
