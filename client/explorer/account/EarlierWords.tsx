import { Empty } from '../parts/Empty.tsx'

/** Below a history that is cut, or in place of it. */
export const EarlierWords = ({ isAll }: { readonly isAll: boolean }) => (
  <Empty title={`${isAll ? 'What' : 'More'} happened here before the index of this service begins.`}>
    <p>
      <code>getTransactions</code> of v2 reads what the chain has of it, or the network that it was forked off.
    </p>
  </Empty>
)
