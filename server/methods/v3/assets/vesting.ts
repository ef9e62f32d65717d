import { ApiError } from '../../../../shared/errors.ts'
import type { vestingV3 } from '../../../../shared/v3/assets/vesting.ts'
import { readPage, type Sql, vestingsRead } from '../../../store/index.ts'
import type { Handlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { toVesting } from '../../view/v3/assets/vesting.ts'
import { addressBookFor, type SideObjects } from '../sideObjects.ts'

const NEITHER = 'at least one of contract_address or wallet_address is required'
const BOTH = 'only one of contract_address or wallet_address should be specified'

export const vestingHandlers = (store: Sql, side: SideObjects): Handlers<typeof vestingV3> => ({
  async 'v3.vesting'(params, call) {
    const { contract_address: accounts, wallet_address: members, check_whitelist: withWhitelist } = params
    if (accounts === undefined && members === undefined) throw new ApiError('invalidParams', NEITHER)
    if (accounts !== undefined && members !== undefined) throw new ApiError('invalidParams', BOTH)
    const { ask, cursor } = openPage('v3.vesting', params)
    const { rows, next } = await readPage(store, vestingsRead({ accounts, members, withWhitelist }, ask), call)
    const named = rows.flatMap(({ account, sender, owner, whitelist }) => [account, sender, owner, ...whitelist])
    return {
      vesting_contracts: rows.map(toVesting),
      cursor: cursor(next),
      ...(await addressBookFor(side, named, call)),
    }
  },
})
