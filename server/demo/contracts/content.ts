// Token content (TEP-64): a link to a document, or the fields on chain.

import {
  beginCell,
  type Cell,
  dictBytesKey,
  dictKind,
  emptyDict,
  hashToBytes,
  refValue,
  sha256,
} from '../../cell/index.ts'
import { snake } from '../../devchain/index.ts'

const fieldKind = dictKind(dictBytesKey(256), refValue)
const OFF_CHAIN = 1
/** First byte of a text in the snake format. */
const SNAKE = 0

export const contentKeyOf = (name: string): Uint8Array => hashToBytes(sha256(Buffer.from(name, 'utf8')))

/** Off-chain content. */
export const offChainContent = (uri: string): Cell =>
  snake(Buffer.concat([Buffer.of(OFF_CHAIN), Buffer.from(uri, 'utf8')]))

/** On-chain content: `name`, `symbol`, `decimals`, `image`, `uri` and so on. */
export function onChainContent(fields: Readonly<Record<string, string>>): Cell {
  const entries = Object.entries(fields).map(
    ([name, text]) =>
      [contentKeyOf(name), snake(Buffer.concat([Buffer.of(SNAKE), Buffer.from(text, 'utf8')]))] as const,
  )
  return beginCell().storeUint(0, 8).storeMaybeRef(emptyDict(fieldKind).update(entries).root).end()
}

/** The item's part of a link; the collection adds the common part. */
export const linkPart = (text: string): Cell => snake(Buffer.from(text, 'utf8'))
