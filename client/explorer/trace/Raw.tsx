// A transaction as the service answers it.

import { Copy } from '../parts/Copy.tsx'
import { Json } from '../parts/Json.tsx'
import type { Transaction } from './transactionCost.ts'

export const Raw = ({ transaction }: { readonly transaction: Transaction }) => (
  <>
    <p>
      <Copy text={JSON.stringify(transaction, null, 2)} what="transaction as JSON" label="Copy JSON" />{' '}
      <Copy text={transaction.hash} what="hash as base64" label="Copy hash as base64" />
    </p>
    <Json value={transaction} />
  </>
)
