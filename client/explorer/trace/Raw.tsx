// A transaction as the service answers it.

import type { Transaction } from '../../index.ts'
import { Copy } from '../parts/Copy.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { href } from '../router.ts'

/** The same in a preview and in what comes of it, where hashes of transactions differ. */
const nameOf = ({ account, in_msg: message }: Transaction): string =>
  `${account} ${message?.message_content?.hash ?? ''}`

export const Raw = ({ transaction }: { readonly transaction: Transaction }) => (
  <>
    <p>
      <Copy text={JSON.stringify(transaction, null, 2)} what="transaction as JSON" label="Copy JSON" />{' '}
      <Copy text={transaction.hash} what="hash as base64" label="Copy hash as base64" />{' '}
      <a href={href(`/console/v3.transactions?hash=${encodeURIComponent(transaction.hash)}`)}>Open in the console</a>
    </p>
    <JsonView value={transaction} of={nameOf(transaction)} />
  </>
)
