// Where our v2 differs from the Python service on purpose: it follows the newer service of the network, and it says more
// where an answer would be ambiguous. The list may only get shorter: what no answer shows any more has to leave it.

import type { Difference } from './differences.ts'

export interface Exception {
  readonly why: string
  /** By default of all methods. */
  readonly methods?: readonly string[]
  readonly path: RegExp
  fits(difference: Difference): boolean
}

const isAbsent = (value: unknown): boolean => value === undefined
const text = (value: unknown): string => String(value)
const oneLine = (value: unknown): string => text(value).replaceAll('\n', '')
const sameLetters = ({ ours, theirs }: Difference): boolean =>
  text(ours).toLowerCase() === text(theirs).toLowerCase() && ours !== theirs
const isDigitsOf = ({ ours, theirs }: Difference): boolean => typeof ours === 'string' && ours === text(theirs)

const LOCATING = ['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx']

export const EXCEPTIONS: readonly Exception[] = [
  { why: 'a mark of each single answer', path: /(^|\.)@extra$/, fits: () => true },
  {
    why: 'the newer service names types that tonlib does not have',
    path: /(^|\.)@type$/,
    fits: ({ ours, theirs }) => text(ours).startsWith('ext.') && (isAbsent(theirs) || text(theirs).startsWith('raw.')),
  },
  {
    why: 'the newer service names transactions with an address apart',
    methods: ['getBlockTransactionsExt'],
    path: /@type$/,
    fits: ({ ours, theirs }) => ours === 'raw.transactionExt' && theirs === 'raw.transaction',
  },
  {
    why: 'the newer service says whether an account is suspended',
    methods: ['getAddressInformation'],
    path: /^result\.suspended$/,
    fits: ({ ours, theirs }) => ours === false && isAbsent(theirs),
  },
  {
    why: 'amounts are text, also that of an account that is not there',
    methods: ['getAddressInformation', 'getWalletInformation'],
    path: /^result\.balance$/,
    fits: ({ ours, theirs }) => ours === '0' && theirs === 0,
  },
  {
    why: 'tonlib marks an account that is not there by a negative amount',
    methods: ['getExtendedAddressInformation'],
    path: /^result\.balance$/,
    fits: ({ ours, theirs }) => ours === '0' && theirs === '-1',
  },
  {
    why: 'the newer service has the wallet id as a number',
    methods: ['getExtendedAddressInformation'],
    path: /wallet_id$/,
    fits: ({ ours, theirs }) => typeof ours === 'number' && text(ours) === theirs,
  },
  {
    why: 'the newer service leaves further currencies to getAddressInformation',
    methods: ['getWalletInformation'],
    path: /^result\.extra_currencies$/,
    fits: ({ ours, theirs }) => isAbsent(ours) && Array.isArray(theirs) && theirs.length === 0,
  },
  {
    why: 'raw addresses have one spelling, whatever the caller used',
    methods: ['detectAddress', 'unpackAddress', 'getBlockTransactionsExt'],
    path: /^result(\.raw_form|\.transactions\.\d+\.account)?$/,
    fits: sameLetters,
  },
  {
    why: 'the newer service answers a bad address with 422',
    methods: ['getAddressInformation', 'detectAddress'],
    path: /^(status|code)$/,
    fits: ({ ours, theirs }) => ours === 422 && theirs === 416,
  },
  {
    why: 'the newer service names the address it cannot read',
    methods: ['getAddressInformation', 'detectAddress'],
    path: /^error$/,
    fits: ({ ours, theirs }) => theirs === 'Incorrect address' && text(ours).includes('nonsense'),
  },
  {
    why: 'friendly addresses fit a URL',
    methods: ['packAddress'],
    path: /^result$/,
    fits: ({ ours, theirs }) => text(theirs).replaceAll('+', '-').replaceAll('/', '_') === ours,
  },
  {
    why: 'the newer service repeats the address of a token',
    methods: ['getTokenData'],
    path: /^result\.address$/,
    fits: ({ theirs }) => isAbsent(theirs),
  },
  {
    why: 'amounts and indexes are text: a number of JSON cannot hold them all',
    methods: ['getTokenData'],
    path: /^result\.(total_supply|balance|next_item_index|index)$/,
    fits: isDigitsOf,
  },
  {
    why: 'the contract that is no token is named',
    methods: ['getTokenData'],
    path: /^error$/,
    fits: ({ ours, theirs }) => text(ours).replace(/ 0:[0-9A-F]{64}/, '') === theirs,
  },
  {
    why: 'the moment of the answer',
    methods: ['getConsensusBlock'],
    path: /^result\.timestamp$/,
    fits: ({ ours, theirs }) => typeof ours === 'number' && typeof theirs === 'number',
  },
  {
    why: 'the newer service shows how often the chain was forked',
    methods: ['getBlockHeader'],
    path: /^result\.vert_seqno$/,
    fits: ({ ours, theirs }) => ours === 0 && isAbsent(theirs),
  },
  {
    why: 'the newer service repeats the account of a transaction',
    methods: ['getTransactions', ...LOCATING],
    path: /^result(\.\d+)?\.account$/,
    fits: ({ theirs }) => isAbsent(theirs),
  },
  {
    why: 'base64 of Python is broken into lines',
    methods: ['getTransactions', ...LOCATING],
    path: /msgs?(\.\d+)?\.message$/,
    fits: ({ ours, theirs }) => oneLine(ours) === oneLine(theirs),
  },
  {
    why: 'a message that is not there is not found; the library fails at the first block, which has none before it',
    methods: ['tryLocateTx'],
    path: /^(status|code|error)$/,
    fits: ({ ours, theirs }) => [404, 'transaction was not found'].some((it) => it === ours) && theirs !== 404,
  },
  {
    why: 'a refused message: nodes of today write the second line behind a colon, and count gas',
    methods: ['sendBoc', 'sendBocReturnHash'],
    path: /^error$/,
    fits: ({ ours, theirs }) =>
      [ours, theirs].every((it) => /External message was not accepted.+exitcode=33/s.test(text(it))),
  },
  {
    why: 'what is wrong with a bag of cells, in other words',
    methods: ['sendBoc'],
    path: /^error$/,
    fits: ({ ours, theirs }) => [ours, theirs].every((it) => text(it).startsWith('INVALID_BAG_OF_CELLS: body')),
  },
]

export const exceptionOf = (method: string, difference: Difference): Exception | undefined =>
  EXCEPTIONS.find(
    ({ methods, path, fits }) =>
      (methods === undefined || methods.includes(method)) && path.test(difference.path) && fits(difference),
  )
