// The examples of v3's chain methods over a filled index, through every door.

import { playExamples } from '../setup/examples.ts'
import { v3Chain, v3ForAllTests } from '../setup/v3Chain.ts'

const chain = v3ForAllTests({ transactions: 300 })
/** Examples that name one block or one transaction, which a filled index does not have. */
const NAMED = new Set([
  'v3.masterchainBlockShards',
  'v3.masterchainBlockShardState',
  'v3.adjacentTransactions',
  'v3.transactionsByMasterchainBlock',
])

playExamples(() => chain().service, Object.fromEntries(Object.entries(v3Chain).filter(([name]) => !NAMED.has(name))))
