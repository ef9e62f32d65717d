import { ApiError } from '../../../../shared/errors.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { vestingV3 } from '../../../../shared/v3/assets/vesting.ts'
import { readNamedPage, type Sql, vestingsRead } from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { toVesting } from '../../view/v3/assets/vesting.ts'
import { demandShortList, FEW, readBounded } from '../bounded/boundedLists.ts'
import { bookBeside, namesOnly, type SideObjects } from '../names/sideObjects.ts'
import { type AddMember, writePage } from '../texts/writePage.ts'
import { addValues } from '../texts/writeRows.ts'

type Page = Result<(typeof vestingV3)['v3.vesting']>

const NEITHER = 'at least one of contract_address or wallet_address is required'
const BOTH = 'only one of contract_address or wallet_address should be specified'

export const vestingHandlers = (store: Sql, side: SideObjects): WritingHandlers<typeof vestingV3> => ({
  async 'v3.vesting'(params, call) {
    const { contract_address: accounts, wallet_address: members, check_whitelist: withWhitelist } = params
    if (accounts === undefined && members === undefined) throw new ApiError('invalidParams', NEITHER)
    if (accounts !== undefined && members !== undefined) throw new ApiError('invalidParams', BOTH)
    const { ask, cursor } = openPage('v3.vesting', params)
    const { rows, next, sides } = await readBounded(ask, FEW, {
      readOf: (of) => vestingsRead({ accounts, members, withWhitelist }, of),
      demand: (list) => demandShortList(store, list, namesOnly(call), call),
      read: (list) => readNamedPage(store, list, namesOnly(call), call),
    })
    const contracts: AddMember = (to) => addValues(rows, toVesting, to)
    const page = { vesting_contracts: contracts, cursor: cursor(next), address_book: bookBeside(side, sides) }
    return await writePage<Page>(page, call)
  },
})
