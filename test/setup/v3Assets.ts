// The methods for tokens, names, sales and shared wallets over a filled database, and the rows that are in it for a test
// to think about by itself.

import { accountListHandlers } from '../../server/methods/v3/accounts.ts'
import { assetHandlers } from '../../server/methods/v3/assets/assets.ts'
import { createSideObjects } from '../../server/methods/v3/names/sideObjects.ts'
import { sql, writeMasterBlocks } from '../../server/store/index.ts'
import { accountsV3 } from '../../shared/v3/accounts.ts'
import { assets } from '../../shared/v3/assets/assets.ts'
import type { AssetRows } from './assetTables.ts'
import { ask, queryOf, rpc, STRICT } from './calls.ts'
import { openEmptiedStore } from './emptiedStore.ts'
import { type AssetPlan, fillAssets } from './filledAssets.ts'
import { filledRows } from './filler.ts'
import type { MemoryStore } from './memoryStore.ts'
import { forAllTests, serveMethods, type TestService } from './service.ts'

export type Params = Readonly<Record<string, unknown>>

export interface V3Assets {
  readonly service: TestService
  readonly store: MemoryStore
  readonly rows: AssetRows
  /** The body of an answer over REST, which is the same over JSON-RPC. Fails for a refusal. */
  get(name: string, params?: Params): Promise<Params>
  /** Status and words of a refusal. */
  refused(name: string, params: Params): Promise<readonly [status: number, words: unknown]>
  /** All pages, one after another: by offset, and by cursor. They are found to be the same. */
  all(name: string, params?: Params): Promise<readonly Params[]>
}

/** The one list of rows in an answer. */
export function rowsIn(body: Params): readonly Params[] {
  const [list, ...others] = Object.values(body).filter(Array.isArray)
  if (!list || others.length > 0) throw new Error('an answer has one list')
  return list
}

const PAGE = 37

const refuse = () => Promise.reject(new Error('there is no chain behind these rows'))
/** Only states of earlier blocks are read from it. */
const NO_CHAIN = { head: refuse, idOf: refuse, account: refuse }

/** One masterchain block, made at this time, is all there is of a chain. */
async function fillBlock(store: MemoryStore, now: number): Promise<void> {
  for (const rows of filledRows({ transactions: 1 })) {
    const nothing = { transactions: [], messages: [], accountStates: [], accounts: [], codes: [] }
    const noTraces = { traces: [], traceAccounts: [], completedTraces: [], newEdges: [], consumedEdges: [] }
    await store.transaction((to) => writeMasterBlocks(to, { ...rows, ...nothing, ...noTraces }))
  }
  await store.transaction((to) => to.query(sql`update blocks set gen_utime = ${now}`))
}

async function serveV3Assets(plan: AssetPlan, now: number): Promise<V3Assets & AsyncDisposable> {
  const store = await openEmptiedStore()
  const rows = await fillAssets(store, plan)
  await fillBlock(store, now)
  const side = createSideObjects({ store: store.read, testOnly: false })
  const service = await serveMethods({
    registry: { ...assets, ...accountsV3 },
    handlers: () => ({
      ...assetHandlers(store.read, side),
      ...accountListHandlers({ chain: NO_CHAIN, store: store.read }, side),
    }),
  })

  async function get(name: string, params: Params = {}): Promise<Params> {
    const { status, body } = await ask(service, `/api/v3/${name}${queryOf(params)}`)
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async function all(name: string, params: Params = {}): Promise<readonly Params[]> {
    const found: Params[] = []
    let cursor: unknown = null
    do {
      const where = cursor === null ? {} : { cursor }
      const byCursor = await get(name, { ...params, ...where, limit: PAGE })
      const byOffset = await get(name, { ...params, offset: found.length, limit: PAGE })
      if (JSON.stringify(rowsIn(byCursor)) !== JSON.stringify(rowsIn(byOffset))) throw new Error('pages differ')
      found.push(...rowsIn(byCursor))
      cursor = byCursor.cursor
    } while (cursor !== null)
    return found
  }

  return {
    service,
    store,
    rows,
    get,
    all,
    async refused(name, params) {
      const { status, body } = await ask(service, `/api/v3/${name}${queryOf(params)}`)
      return [status, body.error]
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await store.close()
    },
  }
}

/** The same call through the other door. */
export async function overRpc({ service }: V3Assets, name: string, params: Params): Promise<unknown> {
  const { body } = await rpc(service, STRICT, `v3.${name.replaceAll('/', '.')}`, params)
  return body.result
}

/** One for all tests of a file; `now` is when its only block was made. */
export const assetsForAll = (plan: AssetPlan, now = 1_755_000_000): (() => V3Assets) =>
  forAllTests(() => serveV3Assets(plan, now))

type Comparable = bigint | number | string

/** In order of some values, each ascending. */
export const sortedBy = <T>(rows: readonly T[], of: (row: T) => readonly Comparable[]): T[] =>
  [...rows].sort((a, b) => {
    const one = of(a)
    const other = of(b)
    const at = one.findIndex((value, i) => value !== other[i])
    if (at === -1) return 0
    return (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
  })

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
