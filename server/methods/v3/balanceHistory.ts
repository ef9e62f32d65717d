import { toDigits } from '../../../shared/primitives.ts'
import type { balanceHistoryV3 } from '../../../shared/v3/balanceHistory.ts'
import { base64Of } from '../../cell/index.ts'
import { balancesRead, readPage, type Sql } from '../../store/index.ts'
import type { Handlers } from '../call.ts'
import { openPage } from '../paging.ts'
import { whileKept } from './kept/demandKept.ts'

export const balanceHistoryHandlers = (store: Sql): Handlers<typeof balanceHistoryV3> => ({
  async 'v3.balanceHistory'(params, call) {
    const { ask, cursor } = openPage('v3.balanceHistory', params)
    const { account, interval, start_utime: startUtime, end_utime: endUtime, sort } = params
    const read = balancesRead({ account, interval, startUtime, endUtime }, ask, sort)
    const { rows, next } = await whileKept(store, { endUtime }, () => readPage(store, read, call))
    return {
      history: rows.map(({ now, lt, hash, mcSeqno, balance }) => ({
        utime: now,
        lt: toDigits(lt),
        tx_hash: base64Of(hash),
        mc_seqno: mcSeqno,
        balance: balance === null ? null : toDigits(balance),
      })),
      cursor: cursor(next),
    }
  },
})
