// Tokens with a content of their own on the embedded chain.

import type { Client } from '../../client/index.ts'
import { writeBoc } from '../../server/cell/index.ts'
import { jettonMasterInit, offChainContent, singleNft } from '../../server/demo/contracts/index.ts'
import { onchainCells, snake } from './madeContents.ts'
import { untilIndexed } from './untilIndexed.ts'

const OWNER = { workchain: 0, hash: Buffer.alloc(32, 0x70) }

/** Texts, or bytes. */
export type TokenFields = Readonly<Record<string, string | Uint8Array>>

export interface MadeToken {
  readonly kind: 'item' | 'jetton'
  /** On chain; or a description that its link holds. */
  readonly content: { readonly fields: TokenFields } | { readonly description: unknown }
}

const textOf = (cell: Parameters<typeof writeBoc>[0]): string => Buffer.from(writeBoc(cell)).toString('base64')

const linkOf = (description: unknown): string =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(description)).toString('base64')}`

const onChain = (fields: TokenFields) =>
  onchainCells(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, snake(Buffer.from(value), [0])])),
  )

/** Its address, once it is indexed. */
export async function makeToken(client: Client, { kind, content }: MadeToken): Promise<string> {
  const cell = 'fields' in content ? onChain(content.fields) : offChainContent(linkOf(content.description))
  const { address, code, data } =
    kind === 'item' ? singleNft(1n, OWNER, cell) : jettonMasterInit({ admin: OWNER, content: cell })
  const raw = `0:${Buffer.from(address.hash).toString('hex').toUpperCase()}`
  await client.dev.setAccount({ address: raw, balance: '1000000000', code: textOf(code), data: textOf(data) })
  // The index reads an account with its next transaction.
  await client.dev.faucet({ address: raw, amount: '1000000000' })
  await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  return raw
}
