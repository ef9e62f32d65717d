import { describe, expect, test } from 'vitest'
import { beginCell, buildDict, emptyDict } from '../../../server/cell/index.ts'
import {
  type Account,
  type ActionPhase,
  accountBlocksKind,
  accountTransactionsKind,
  addCurrency,
  type BouncePhase,
  type ComputePhase,
  equalCurrency,
  gramsOnly,
  loadAccount,
  loadDescription,
  loadTransaction,
  outMessagesKind,
  type StoragePhase,
  shardAccountsKind,
  storageUsed,
  storeAccount,
  subtractCurrency,
  TlbError,
  type Transaction,
  type TransactionDescription,
  toCell,
  ZERO_CURRENCY,
} from '../../../server/tlb/index.ts'
import { storeDescription, storeTransaction } from '../../setup/writtenTransaction.ts'
import { thereAndBack } from './roundTrip.ts'
import { alice, bytes, init, leaf, mixed, sizes } from './samples.ts'

const tx = leaf(99)
const message = leaf(98)
const storage: StoragePhase = { feesCollected: 5n, feesDue: 6n, statusChange: 'frozen' }
const computed: ComputePhase = {
  kind: 'vm',
  success: true,
  messageStateUsed: false,
  accountActivated: true,
  gasFees: 1_000_000n,
  gasUsed: 2500n,
  gasLimit: 1_000_000n,
  gasCredit: 10_000,
  mode: -1,
  exitCode: -14,
  exitArg: -5,
  vmSteps: 66,
  initStateHash: bytes(0),
  finalStateHash: bytes(1),
}
const action: ActionPhase = {
  success: true,
  valid: true,
  noFunds: false,
  statusChange: 'deleted',
  totalFwdFees: 400n,
  totalActionFees: null,
  resultCode: -32,
  resultArg: 3,
  totalActions: 4,
  specialActions: 1,
  skippedActions: 2,
  messagesCreated: 3,
  actionListHash: bytes(4),
  totalMessageSize: sizes,
}
const split = { shardPrefixLength: 3, splitDepth: 4, account: bytes(1), sibling: bytes(2) }
const rest = { aborted: true, destroyed: false }
const bounces: (BouncePhase | null)[] = [
  null,
  { kind: 'negativeFunds' },
  { kind: 'noFunds', messageSize: sizes, requiredFwdFees: 4n },
  { kind: 'ok', messageSize: sizes, messageFees: 5n, fwdFees: 6n },
]
const skipped = (['noState', 'badState', 'noGas', 'suspended'] as const).map(
  (reason): ComputePhase => ({ kind: 'skipped', reason }),
)
const descriptions: TransactionDescription[] = [
  ...bounces.map(
    (bounce): TransactionDescription => ({
      kind: 'ordinary',
      creditFirst: true,
      storage,
      credit: { dueFeesCollected: 3n, credit: mixed },
      compute: computed,
      action,
      bounce,
      ...rest,
    }),
  ),
  ...skipped.map(
    (compute): TransactionDescription => ({ kind: 'tickTock', isTock: true, storage, compute, action: null, ...rest }),
  ),
  { kind: 'storage', storage: { ...storage, statusChange: 'unchanged', feesDue: null } },
  { kind: 'splitPrepare', split, storage, compute: computed, action, ...rest },
  { kind: 'splitInstall', split, prepareTransaction: tx, installed: true },
  { kind: 'mergePrepare', split, storage, aborted: true },
  {
    kind: 'mergeInstall',
    split,
    prepareTransaction: tx,
    storage: null,
    credit: null,
    compute: computed,
    action: null,
    ...rest,
  },
]
const transaction: Transaction = {
  account: bytes(5),
  lt: 2n ** 64n - 1n,
  prevHash: bytes(6),
  prevLt: 9n,
  now: 1_700_000_000,
  outCount: 0,
  origStatus: 'nonexist',
  endStatus: 'frozen',
  inMessage: message,
  outMessages: emptyDict(outMessagesKind),
  totalFees: mixed,
  stateUpdate: { before: bytes(1), after: bytes(2) },
  description: descriptions[0] ?? { kind: 'storage', storage },
}

describe('transactions and accounts', () => {
  test.each(descriptions.map((d, i) => [`${i} ${d.kind}`, d] as const))('default: description %s', (_, description) => {
    thereAndBack(description, loadDescription, storeDescription)
    thereAndBack({ ...transaction, description }, loadTransaction, storeTransaction)
  })

  const account = (over: Partial<Account['storage']>): Account => ({
    address: alice,
    storageStat: { used: sizes, dictHash: null, lastPaid: 5, duePayment: null },
    storage: { lastTransLt: 7n, balance: mixed, state: { kind: 'active', init }, ...over },
  })
  test('default: accounts in every state, large ones, debtors and none', () => {
    thereAndBack(account({}), loadAccount, storeAccount)
    thereAndBack(account({ state: { kind: 'uninit' } }), loadAccount, storeAccount)
    const frozen = account({ state: { kind: 'frozen', stateHash: bytes(8) } })
    const large = { used: sizes, dictHash: bytes(3), lastPaid: 5, duePayment: 12n }
    thereAndBack({ ...frozen, storageStat: large }, loadAccount, storeAccount)
    thereAndBack(null, loadAccount, storeAccount)
  })

  test('behavior: storage is the distinct cells and all their bits, the first cell with what it names', () => {
    const bare = { fixedPrefixLength: null, special: null, library: null }
    const one = { ...bare, code: leaf(1), data: leaf(1) }
    const two = { ...bare, code: leaf(1), data: beginCell().storeRef(leaf(2)).storeRef(leaf(1)).end() }
    const used = (own: typeof one) =>
      storageUsed(account({ balance: ZERO_CURRENCY, state: { kind: 'active', init: own } }).storage)
    // A logical time, no grams, nothing else, active, and a StateInit of five bits.
    const first = 64 + 4 + 1 + 1 + 5
    expect(used(one)).toEqual({ cells: 2, bits: first + 32 })
    expect(used(two)).toEqual({ cells: 4, bits: first + 2 * 32 })
  })

  test('error: a hash that is not one of 32 bytes', () => {
    const short = {
      ...account({}),
      storageStat: { used: sizes, dictHash: bytes(3, 31), lastPaid: 5, duePayment: null },
    }
    expect(() => toCell(short, storeAccount)).toThrow(TlbError)
  })

  test('behavior: shard accounts add up balances and take the deepest split', () => {
    const deep = { ...account({}), address: { ...alice, anycast: { depth: 4, prefix: 9 } } }
    const entry = (value: Account | null) => ({
      account: toCell(value, storeAccount),
      lastTransHash: bytes(0),
      lastTransLt: 0n,
    })
    const accounts = buildDict(shardAccountsKind, [
      [bytes(1), entry(account({}))],
      [bytes(2), entry(deep)],
      [bytes(3), entry(null)],
    ])
    expect(accounts.extra?.splitDepth).toBe(4)
    expect(equalCurrency(accounts.extra?.balance ?? ZERO_CURRENCY, addCurrency(mixed, mixed))).toBe(true)
    const kept = accounts.delete(bytes(2)).extra
    expect([kept?.splitDepth, kept?.balance.grams]).toEqual([0, 77n])
  })

  test('behavior: account blocks add up the fees of their transactions', () => {
    // With extra currencies in its fees an account block would need a fifth reference; fees are always grams.
    const cell = toCell({ ...transaction, totalFees: gramsOnly(77n) }, storeTransaction)
    const transactions = buildDict(accountTransactionsKind, [
      [1n, cell],
      [2n, cell],
    ])
    const blocks = buildDict(accountBlocksKind, [
      [bytes(5), { account: bytes(5), transactions, stateUpdate: transaction.stateUpdate }],
    ])
    expect(blocks.extra?.grams).toBe(154n)
    expect(blocks.get(bytes(5))?.transactions.root?.hash()).toBe(transactions.root?.hash())
  })

  test('behavior: currencies go up and down, and empty ones vanish', () => {
    const twice = addCurrency(mixed, mixed)
    expect(equalCurrency(subtractCurrency(twice, mixed), mixed)).toBe(true)
    expect(subtractCurrency(mixed, mixed).other.isEmpty).toBe(true)
    expect(equalCurrency(addCurrency(gramsOnly(1n), gramsOnly(2n)), gramsOnly(3n))).toBe(true)
    expect(() => subtractCurrency(gramsOnly(9n), mixed)).toThrow(expect.objectContaining({ code: 'range' }))
  })
})
