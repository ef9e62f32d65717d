import { toDigits } from '../../../shared/primitives.ts'
import { SPANS, type statisticsV3 } from '../../../shared/v3/statistics.ts'
import { readPage, type Sql, statisticsRead } from '../../store/index.ts'
import type { Handlers } from '../call.ts'
import { openPage } from '../paging.ts'

export const statisticsHandlers = (store: Sql): Handlers<typeof statisticsV3> => ({
  async 'v3.statistics'(params, call) {
    const { ask, cursor } = openPage('v3.statistics', params)
    const { interval, start_utime: startUtime, end_utime: endUtime, sort } = params
    const filter = { span: SPANS[interval], startUtime, endUtime }
    const { rows, next } = await readPage(store, statisticsRead(filter, ask, sort), call)
    return {
      intervals: rows.map(({ start, transactions, systemTransactions, fees }) => ({
        utime: start,
        transactions: Number(transactions),
        system_transactions: Number(systemTransactions),
        fees: toDigits(fees),
      })),
      cursor: cursor(next),
    }
  },
})
