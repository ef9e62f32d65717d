// Accounts that are items after a step, or may have been before it.

import { nft } from '../../bodies/index.ts'
import { type BinaryHash, CellError, hashFromBytes, sameBytes } from '../../cell/index.ts'
import { addressKey, isAborted, type TransactionFacts } from '../../facts/index.ts'
import type { AccountKey, ItemLook, ItemRequest } from '../../store/index.ts'
import type { StepTransactions } from '../chain/chainStep.ts'
import type { DetectedAssets, StepContracts } from './detectAssets.ts'
import { requestFields } from './eventRows.ts'

const byLt = (a: TransactionFacts, b: TransactionFacts): number => (a.lt < b.lt ? -1 : 1)

/** Transactions, or accounts, after which others may be served. */
const PIECE = 100

/** In the order of steps. An account that a caller has set, without a transaction in the step, is what it was before the next look. */
export function* makingItemLooks(
  { master, shards }: StepTransactions,
  { looked, checked }: StepContracts,
): Generator<void, ItemLook[]> {
  const wanted = new Map(checked.map((account) => [hashFromBytes(account), account]))
  for (const [key, { nftItems }] of looked) if (nftItems !== undefined) wanted.set(key, nftItems.account)
  if (wanted.size === 0) return []
  const own = new Map<BinaryHash, TransactionFacts[]>()
  for (const { facts } of [master, ...shards])
    for (const [i, one] of facts.transactions.entries()) {
      if (i % PIECE === 0) yield
      const key = hashFromBytes(one.account)
      const known = own.get(key)
      if (known !== undefined) known.push(one)
      else if (wanted.has(key)) own.set(key, [one])
    }
  const looks: ItemLook[] = []
  for (const [key, account] of wanted) {
    if (looks.length % PIECE === 0) yield
    const look = yield* itemLook(account, own.get(key)?.sort(byLt) ?? [], looked.get(key)?.nftItems)
    looks.push({ ...look, mcSeqno: master.id.seqno })
  }
  return looks
}

const isNewBy = (transactions: readonly TransactionFacts[]): boolean =>
  transactions[0] !== undefined && transactions[0].origStatus !== 'active'

const isDone = ({ description }: TransactionFacts): boolean => !isAborted(description)

/** The transaction that gets the change of owner. If it were one after the transfer, of another trace, both traces would count it. */
function lastChange(transactions: readonly TransactionFacts[]): TransactionFacts | undefined {
  const done = transactions.filter(isDone)
  const transfer = done.findLast(({ inMessage }) => inMessage?.opcode === nft.transfer.opcode)
  return transfer ?? (isNewBy(transactions) ? done[0] : done.at(-1)) ?? transactions.at(-1)
}

const readNewOwner = nft.transfer.reader(addressKey, 'newOwner')

/** Null for a transaction that failed, and for one that was no request. */
function* requestOf({ hash, inMessage, description }: TransactionFacts): Generator<void, ItemRequest | null> {
  if (inMessage?.opcode !== nft.transfer.opcode || inMessage.source === null || isAborted(description)) return null
  try {
    const { newOwner: to } = readNewOwner(yield* requestFields(inMessage))
    return to === null ? null : { txHash: hash, sender: inMessage.source, to }
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

function* itemLook(
  account: AccountKey,
  transactions: readonly TransactionFacts[],
  item: DetectedAssets['nftItems'],
): Generator<void, Omit<ItemLook, 'mcSeqno'>> {
  const isNew = isNewBy(transactions)
  const isAlone = transactions.length === 1
  const requests: ItemRequest[] = []
  for (const one of transactions) {
    const request = yield* requestOf(one)
    if (request !== null) requests.push(request)
  }
  const txHash = lastChange(transactions)?.hash ?? null
  const firstTx = transactions.find(isDone)?.hash ?? null
  const { owner = null, collection = null } = item ?? {}
  const isOwn = requests.every(({ to }) => owner !== null && sameBytes(to, owner))
  const isIgnored = item !== undefined && isAlone && !isOwn
  return {
    account,
    owner,
    collection,
    isItem: item !== undefined,
    isNew,
    txHash,
    isAlone,
    isIgnored,
    requests,
    firstTx,
  }
}
