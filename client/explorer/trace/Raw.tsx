// A transaction as the service answers it.

import { Copy } from '../parts/Copy.tsx'
import { Json } from '../parts/Json.tsx'
import { href } from '../router.ts'
import type { Transaction } from './transactionCost.ts'

export const Raw = ({ transaction }: { readonly transaction: Transaction }) => (
  <>
    <p>
      <Copy text={JSON.stringify(transaction, null, 2)} what="transaction as JSON" label="Copy JSON" />{' '}
      <Copy text={transaction.hash} what="hash as base64" label="Copy hash as base64" />{' '}
      <a href={href(`/console/v3.transactions?hash=${encodeURIComponent(transaction.hash)}`)}>Open in the console</a>
    </p>
    <Json value={transaction} />
  </>
)
