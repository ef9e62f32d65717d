// A lite server that shows the truth but for one verb. That one it answers out of another chain: consistent in itself, with
// all proofs, and under the names of the blocks it was queried for. Or with rubbish in place of the proofs.

import { type BlockIdExt, type HistoryQuery, type LiteServer, MASTERCHAIN } from '../../server/node/index.ts'
import { verifyAccount } from '../../server/node/verify/index.ts'
import type { LiteScene } from '../server/devchain/lite/liteScene.ts'

export type Verb = Exclude<keyof LiteServer, 'kind' | 'name' | 'lastVerb' | 'onHead' | 'onAway' | 'attempt' | 'each'>

export interface Lie {
  readonly name: string
  readonly verb: Verb
  readonly answer: (honest: unknown, args: readonly unknown[]) => Promise<unknown>
}

const isBlockId = (value: unknown): value is BlockIdExt =>
  typeof value === 'object' && value !== null && 'rootHash' in value && 'seqno' in value && 'shard' in value

const keyOf = ({ workchain, seqno, rootHash }: BlockIdExt): string =>
  `${workchain}:${seqno}:${Buffer.from(rootHash).toString('hex')}`

/** The block of the other chain with the same number, or its newest. */
function twinOf({ chain }: LiteScene, { workchain, seqno }: BlockIdExt): BlockIdExt {
  const { master, shard } = chain.head()
  const zerostate = workchain === MASTERCHAIN ? chain.reader.zerostates.master.id : chain.reader.zerostates.base.id
  if (seqno === 0) return zerostate
  return (
    chain.reader.bySeqno(workchain, seqno)?.id ?? (workchain === MASTERCHAIN ? master.id : (shard?.id ?? zerostate))
  )
}

function renamed(value: unknown, names: ReadonlyMap<string, BlockIdExt>): unknown {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value
  if (isBlockId(value) && names.has(keyOf(value))) return names.get(keyOf(value))
  if (Array.isArray(value)) return value.map((one) => renamed(one, names))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renamed(part, names)]))
}

type AnyVerb = (...args: readonly unknown[]) => Promise<unknown>
const verbOf = (node: LiteServer, verb: Verb): AnyVerb => (node[verb] as AnyVerb).bind(node)

/** What the other chain says to the same question. */
async function outOf(other: LiteScene, verb: Verb, args: readonly unknown[]): Promise<unknown> {
  const names = new Map<string, BlockIdExt>()
  const requested = args.map((arg) => {
    if (!isBlockId(arg) || verb === 'lookup') return arg
    const twin = twinOf(other, arg)
    names.set(keyOf(twin), arg)
    return twin
  })
  return renamed(await verbOf(other.lite, verb)(...requested), names)
}

/** The history of the same account there, from its newest transaction on. */
async function otherHistory({ chain, lite }: LiteScene, [query]: readonly unknown[]): Promise<unknown> {
  const { account, count } = query as HistoryQuery
  const head = chain.head().master.id
  const { shardAccount } = verifyAccount(head, account, await lite.accountState(head, account))
  if (shardAccount === null) return { ids: [], transactions: new Uint8Array() }
  return lite.transactions({ account, lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash, count })
}

const HASH_BYTES = 32
const RUBBISH = [
  ['nothing', new Uint8Array(0)],
  ['another cell', Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64')],
  ['no cells', new Uint8Array([1, 2, 3])],
] as const

/** The answer with something else in place of each bag of cells. */
function spoilt(value: unknown, rubbish: Uint8Array): unknown {
  if (value instanceof Uint8Array) return value.length === HASH_BYTES ? value : rubbish
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => spoilt(one, rubbish))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, spoilt(part, rubbish)]))
}

/** Every way to lie in one verb. */
export function liesIn(verb: Verb, other: LiteScene): readonly Lie[] {
  const rubbish = RUBBISH.map(
    ([name, bytes]): Lie => ({
      name: `${verb}: ${name}`,
      verb,
      answer: async (honest) => spoilt(honest, bytes),
    }),
  )
  return [...fromElsewhere(verb, other), ...rubbish]
}

function fromElsewhere(verb: Verb, other: LiteScene): readonly Lie[] {
  if (verb === 'masterchainInfo')
    return ['last', 'stateRootHash', 'init', 'lastUtime'].map((field) => ({
      name: `${verb}.${field}`,
      verb,
      answer: async (honest) => {
        const info = (await other.lite.masterchainInfo()) as unknown as Readonly<Record<string, unknown>>
        const lied = field === 'lastUtime' ? 1 : info[field]
        return { ...(honest as object), [field]: lied }
      },
    }))
  if (verb === 'transactions') return [{ name: verb, verb, answer: (_, args) => otherHistory(other, args) }]
  return [{ name: verb, verb, answer: (_, args) => outOf(other, verb, args) }]
}

/** The same lite server with that lie; and which verbs were called. */
export function lyingServer(
  honest: LiteServer,
  lie: Lie | null,
): { readonly node: LiteServer; readonly requested: Set<Verb> } {
  const requested = new Set<Verb>()
  const node = new Proxy(honest, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'onHead') return value
      return async (...args: readonly unknown[]) => {
        requested.add(name as Verb)
        const truth = (): Promise<unknown> => (value as AnyVerb).apply(target, [...args])
        return lie?.verb === name ? await lie.answer(await truth(), args) : await truth()
      }
    },
  })
  return { node, requested }
}
