// Reads that a service answers about its own chain: the examples of its documents, and pages of the lists of v3.

import { rpc } from './calls.ts'

interface Example {
  readonly params?: readonly { readonly name: string; readonly value: unknown }[]
}
interface Discovery {
  readonly methods: readonly { readonly name: string; readonly examples?: readonly Example[] }[]
}

export interface ExampleRead {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export const isWrite = (method: string): boolean =>
  /^(?:dev\.|acton_|sendBoc)/.test(method) || ['v3.message', 'v3.sendAndWait', 'sendQuery'].includes(method)

/** The examples of all methods but those that change something. */
export async function exampleReads(service: { readonly url: string }): Promise<readonly ExampleRead[]> {
  const { body } = await rpc(service, '/jsonRPC', 'rpc.discover', {})
  const { methods } = body.result as Discovery
  return methods
    .filter(({ name }) => !isWrite(name))
    .flatMap(({ name, examples = [] }) =>
      examples.map(({ params = [] }) => ({
        method: name,
        params: Object.fromEntries(params.map((one) => [one.name, one.value])),
      })),
    )
}

/** More rows than the examples have, of the lists that need no filter. */
export const LISTS: readonly string[] = [
  'blocks',
  'transactions',
  'messages',
  'traces',
  'actions',
  'jetton/masters',
  'jetton/wallets',
  'jetton/transfers',
  'jetton/burns',
  'nft/collections',
  'nft/items',
  'nft/transfers',
].flatMap((name) => [`/api/v3/${name}?limit=100`, `/api/v3/${name}?limit=50&sort=asc`])
