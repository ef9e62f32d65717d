// A transaction without the others of its trace: those are too many, or not all are in a block yet.

import { transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import { NotYet } from '../parts/Empty.tsx'
import { useReplies } from '../useReplies.ts'
import { Panel } from './Panel.tsx'

export function LoneTransaction({ hex }: { readonly hex: string }) {
  const loaded = useReplies(transactionsByHash([hex]))
  const transaction = loaded.data?.[0]?.transactions[0]
  return (
    <>
      <NotYet of={loaded} />
      {transaction && <Panel transaction={transaction} />}
    </>
  )
}
