// Accounts of genesis: no transaction created them, so only the zerostates show them.

import { accountsOfState, codeRow, type MasterFacts, type ParsedAccount } from '../../facts/index.ts'
import type { BlockIdExt, Chain, ReadOptions } from '../../node/index.ts'
import type { AccountRow, AccountStateRow, CodeRow } from '../../store/index.ts'
import { IndexerError } from '../indexerError.ts'
import type { AccountRows } from './accountBook.ts'

/** Every account of the first states, which the chain's first masterchain block names. */
export async function bornAccounts(
  chain: Pick<Chain, 'head' | 'state'>,
  { shardTops }: MasterFacts,
  options: ReadOptions,
): Promise<AccountRows> {
  const { zerostate: master } = await chain.head(options)
  const accounts: AccountRow[] = []
  const accountStates: AccountStateRow[] = []
  const codes = new Map<string, CodeRow>()
  for (const id of [master, ...shardTops.filter(({ seqno }) => seqno === 0)]) {
    for (const facts of await accountsOf(chain, id, options)) {
      const { account, lastTxHash, lastTxLt, state, data, code } = facts
      if (state === 'incomplete' || data === 'incomplete' || code === 'incomplete')
        throw new IndexerError('malformed', 'the first state of the chain is not whole')
      accounts.push({ account, lastTxHash, lastTxLt, data, mcSeqno: 0, ...state })
      accountStates.push(state)
      if (code !== null && !codes.has(code.hash())) codes.set(code.hash(), codeRow(code))
    }
  }
  return { accounts, accountStates, codes: [...codes.values()] }
}

async function accountsOf(
  chain: Pick<Chain, 'state'>,
  id: BlockIdExt,
  options: ReadOptions,
): Promise<readonly ParsedAccount[]> {
  return [...accountsOfState(await chain.state(id, options))]
}
