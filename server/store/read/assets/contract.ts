// Orders of lists of contracts.

import { byBytes, byNumber, type Direction, type Order } from '../order.ts'

/** The same in every index of a chain, and nothing that happens to a contract moves it. */
export const BY_ACCOUNT: Order = [byBytes('account', 'asc')]

/** As they last did something. */
export const byLastLt = (sort: Direction): Order => [byNumber('last_tx_lt', sort), byBytes('account', sort)]
