// Whose facts a trace is read with: of everybody who takes part or is named as an end of a message, sent or only ordered,
// of wallets and pools that exchanges name, and then of the items in the hands of contracts that sell, and the data of a few.

import type { AccountsFacts, TraceInput, TraceMessage } from './input.ts'
import { cellOf } from './node.ts'
import { orderedMessages } from './orders.ts'
import { namedWallets } from './rules/exchanges/namedWallets.ts'
import { stakePartiesIn, stakesWalletOf } from './rules/jvault/stakeWallet.ts'

type Transactions = Pick<TraceInput, 'transactions'>

export function accountsToKnow({ transactions }: Transactions): Set<string> {
  const accounts = new Set<string>()
  const name = (account: string | null): void => {
    if (account !== null) accounts.add(account)
  }
  const nameEnds = ({ source, destination }: TraceMessage): void => {
    name(source)
    name(destination)
  }
  for (const { account, inMessage, outMessages } of transactions) {
    name(account)
    if (inMessage !== null) {
      nameEnds(inMessage)
      for (const wallet of namedWallets(inMessage)) name(wallet)
    }
    for (const message of outMessages) nameEnds(message)
  }
  const [first, ...others] = transactions
  if (first?.inMessage?.kind === 'externalIn' && others.length === 0) {
    const body = cellOf(first.inMessage.body)
    if (body !== null) for (const { destination } of orderedMessages(body)) name(destination)
  }
  return accounts
}

/** Wallets that facts lead to and that are not among them. */
export function walletsToKnow(trace: Transactions, facts: AccountsFacts): Set<string> {
  const accounts = new Set<string>()
  for (const { pool } of stakePartiesIn(trace, facts)) {
    const wallet = stakesWalletOf(pool, facts)
    if (wallet !== null && !facts.has(wallet)) accounts.add(wallet)
  }
  return accounts
}

/** Items that are sold and not among the facts. */
export function itemsToKnow(facts: AccountsFacts): Set<string> {
  const accounts = new Set<string>()
  for (const { sale, auction } of facts.values())
    for (const nft of [sale?.nft, auction?.nft]) if (nft !== undefined && !facts.has(nft)) accounts.add(nft)
  return accounts
}

/** Whose data one trace is read with: anyone may send thousands of requests, each to a contract with large data. */
const MOST_WITH_DATA = 255

/** Accounts whose data a rule may need and that is not known yet; only theirs is read. */
export function dataToKnow(trace: Transactions, facts: AccountsFacts): Set<string> {
  const accounts = new Set<string>()
  const name = (account: string | null): void => {
    if (accounts.size < MOST_WITH_DATA && account !== null && facts.get(account)?.data === undefined)
      accounts.add(account)
  }
  for (const { stakeWallet, pool } of stakePartiesIn(trace, facts)) {
    name(stakeWallet)
    name(pool)
  }
  return accounts
}
