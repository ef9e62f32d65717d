// The paths of the v4 interface that TonClient4 of @ton/ton uses, each made of calls of v2: the same checks, limits and
// cached results.

import { ApiError } from '../../../shared/errors.ts'
import { isObject } from '../../../shared/isObject.ts'
import type { Api } from '../../../shared/registry.ts'
import { base64Of, type Cell } from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import type { Account } from '../../tlb/index.ts'
import { textOrNull } from '../view/account.ts'
import { isLongResult, Written, write, writeInSlices } from '../written.ts'
import { type AskV2, MASTERCHAIN_OF_V2, toBlockOfV4 } from './askV2.ts'
import { configAt } from './configAt.ts'
import { parsedTransactions, wholeTransactions } from './history.ts'
import { runAt } from './runAt.ts'
import { patternOf } from './v4Paths.ts'
import { codeAndDataOf, toStorageStat, wholeAccount } from './wholeAccount.ts'
import { wholeBlock, wholeBlockAt } from './wholeBlock.ts'

/** What a request has besides its path. */
export interface V4Request {
  /** Empty without one. */
  readonly body: string
  /** The body as JSON. Throws ApiError. */
  readonly json: () => unknown
  readonly query: URLSearchParams
  /** Whose work it is. */
  readonly slicing: Slicing
}

interface Route {
  readonly verb: 'GET' | 'POST'
  readonly path: string
  /** `parts` are those of the path that vary. */
  readonly answer: (parts: readonly string[], ask: AskV2, request: V4Request) => Promise<unknown>
}

type Information = Api['getAddressInformation']['result']

const toBalance = ({ balance, extra_currencies: extra }: Information) => ({
  coins: balance,
  currencies: Object.fromEntries(extra.map(({ id, amount }) => [String(id), amount])),
})

const toLast = ({ last_transaction_id: { lt, hash } }: Information) => (lt === '0' ? null : { lt, hash })

type ShowCode = (found: Information, stored: Account | null) => object

/** A state with code and data as `show` writes them, by the names that go with it. */
function toState(found: Information, stored: Account | null, show: ShowCode) {
  if (found.state === 'active') return { type: 'active', ...show(found, stored) }
  return found.state === 'frozen' ? { type: 'frozen', stateHash: found.frozen_hash } : { type: 'uninit' }
}

const accountAt = (ask: AskV2, seqno: string, address: string) =>
  ask('getAddressInformation', { address, seqno: Number(seqno) })

async function toAccount(
  [seqno = '', address = '']: readonly string[],
  ask: AskV2,
  { slicing }: V4Request,
  show: ShowCode,
) {
  // The first call is the one that may be refused: the other is asked only after it.
  const found = await accountAt(ask, seqno, address)
  const stored = await wholeAccount(await ask('getShardAccountCell', { address, seqno: Number(seqno) }), slicing)
  return {
    account: {
      state: toState(found, stored, show),
      balance: toBalance(found),
      last: toLast(found),
      storageStat: toStorageStat(stored),
    },
    block: toBlockOfV4(found.block_id),
  }
}

const hashText = (cell: Cell | null): string => (cell === null ? '' : base64Of(cell.hashBytes()))

function showHashes(_: Information, stored: Account | null) {
  const { code, data } = codeAndDataOf(stored)
  return { codeHash: hashText(code), dataHash: hashText(data) }
}

function argumentsIn(body: string, json: () => unknown): string {
  if (!/^\s*["{[]/.test(body)) return body.trim()
  const text = json()
  if (typeof text === 'string') return text
  throw new ApiError('invalidParams', 'the body must be the arguments, a bag of cells in base64')
}

const ROUTES: readonly Route[] = [
  {
    verb: 'GET',
    path: '/block/latest',
    async answer(_, ask) {
      const { last, init, state_root_hash: stateRootHash } = await ask('getMasterchainInfo', {})
      const { rootHash, fileHash } = toBlockOfV4(init)
      // By the clock of the chain, which can be another than that of this computer.
      const { gen_utime: now } = await ask('getBlockHeader', { ...MASTERCHAIN_OF_V2, seqno: last.seqno })
      return { last: toBlockOfV4(last), init: { rootHash, fileHash }, stateRootHash, now }
    },
  },
  {
    verb: 'GET',
    path: '/block/SEQNO',
    answer: ([seqno = ''], ask, { slicing }) => wholeBlock(Number(seqno), ask, slicing),
  },
  {
    verb: 'GET',
    path: '/block/utime/TIME',
    answer: ([time = ''], ask, { slicing }) => wholeBlockAt(Number(time), ask, slicing),
  },
  {
    verb: 'GET',
    path: '/account/ADDRESS/tx/LT/HASH',
    answer: ([address = '', lt = '', hash = ''], ask, { slicing }) =>
      wholeTransactions({ address, lt, hash }, ask, slicing),
  },
  {
    verb: 'GET',
    path: '/account/ADDRESS/tx/parsed/LT/HASH',
    answer: ([address = '', lt = '', hash = ''], ask, { query, slicing }) =>
      parsedTransactions({ address, lt, hash }, query.get('count'), ask, slicing),
  },
  {
    verb: 'GET',
    path: '/block/SEQNO/config/PARAMETERS?',
    answer: ([seqno = '', ids = ''], ask) => configAt(Number(seqno), ids === '' ? null : ids, ask),
  },
  {
    verb: 'GET',
    path: '/block/SEQNO/ADDRESS',
    answer: (parts, ask, request) =>
      toAccount(parts, ask, request, ({ code, data }) => ({ code: textOrNull(code), data: textOrNull(data) })),
  },
  {
    verb: 'GET',
    path: '/block/SEQNO/ADDRESS/lite',
    answer: (parts, ask, request) => toAccount(parts, ask, request, showHashes),
  },
  {
    verb: 'GET',
    path: '/block/SEQNO/ADDRESS/changed/LT',
    async answer([seqno = '', address = '', lt = ''], ask) {
      const found = await accountAt(ask, seqno, address)
      const last = BigInt(found.last_transaction_id.lt)
      // As the public server: one without transactions is always changed.
      return { changed: last === 0n || last > BigInt(lt), block: toBlockOfV4(found.block_id) }
    },
  },
  {
    verb: 'GET',
    path: '/block/SEQNO/ADDRESS/run/METHOD/ARGUMENTS?',
    answer: ([seqno = '', address = '', name = '', args = ''], ask, { slicing }) =>
      runAt({ seqno: Number(seqno), address, name, args }, ask, slicing),
  },
  {
    // For arguments that are too long for a path: they are the body, as they are or as a text of JSON.
    verb: 'POST',
    path: '/block/SEQNO/ADDRESS/run/METHOD',
    answer: ([seqno = '', address = '', name = ''], ask, { body, json, slicing }) =>
      runAt({ seqno: Number(seqno), address, name, args: argumentsIn(body, json) }, ask, slicing),
  },
  {
    verb: 'POST',
    path: '/send',
    async answer(_, ask, { json }) {
      const body = json()
      if (!isObject(body)) throw new ApiError('invalidParams', 'the body must be a JSON object')
      const { boc } = body
      if (typeof boc !== 'string') throw new ApiError('invalidParams', '"boc" is required', { param: 'boc' })
      await ask('sendBoc', { boc })
      return { status: 1 }
    },
  },
]

const MATCHED = ROUTES.map((route) => ({ route, pattern: patternOf(route.path) }))

/** Of all but WebSockets. */
export const PATHS_OF_V4: readonly string[] = [...new Set(ROUTES.map(({ path }) => path))]

/** How a request is answered; null for a path that is not served, the verbs of one that is served with another. */
export function v4Answer(
  verb: string,
  path: string,
): ((ask: AskV2, request: V4Request) => Promise<Written<unknown>>) | readonly string[] | null {
  const matching = MATCHED.flatMap(({ route, pattern }) => {
    const found = pattern.exec(path)
    return found === null ? [] : { route, found }
  })
  const match = matching.find((one) => one.route.verb === verb)
  if (match === undefined) return matching.length === 0 ? null : [...new Set(matching.map((one) => one.route.verb))]
  const { route } = match
  const parts = match.found.slice(1).map((part) => decodePart(part ?? ''))
  return async (ask, request) => {
    const answer = await route.answer(parts, ask, request)
    if (answer instanceof Written) return answer
    return isLongResult(answer) ? await writeInSlices(answer, request.slicing) : write(answer)
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new ApiError('invalidParams', 'a part of the path is not encoded correctly', {}, { cause })
  }
}
