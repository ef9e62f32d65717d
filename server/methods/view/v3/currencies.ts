// Amounts of extra currencies as v3 writes them.

import type { Transaction } from '../../../../shared/v3/transaction.ts'
import type { ExtraCurrencyAmounts } from '../../../store/index.ts'

type Amounts = Transaction['total_fees_extra_currencies']

// The cast: amounts are digits in the store already.
export const toCurrencies = (extra: ExtraCurrencyAmounts) => extra as Amounts
