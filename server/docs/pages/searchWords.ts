// Words the filter of a page finds a method by: its own, and synonyms people search for.

import type { MethodEntry } from '../entries.ts'

/** Where a method has one of the first words, it is found by the others too. */
const SYNONYMS: readonly (readonly [words: readonly string[], synonyms: string])[] = [
  [['transactions'], 'txs history activity operations'],
  [['tx'], 'transaction'],
  [['actions', 'events'], 'history activity'],
  [['traces'], 'history chain of messages'],
  [['jetton', 'jettons'], 'token tokens coin erc20'],
  [['nft', 'items', 'collections'], 'token tokens collectible'],
  [['faucet'], 'coins money fund test coins'],
  [['fee', 'fees', 'estimatefee'], 'fees gas cost price'],
  [['balance'], 'money amount coins'],
  [['boc', 'message'], 'send broadcast submit'],
  [['get-method', 'rungetmethod'], 'call contract view read'],
  [['dns', 'domain'], 'name names domain'],
  [['time', 'clock', 'utime'], 'clock time travel'],
  [['seqno'], 'block height'],
]

/** Lowercase, for `data-words`. */
export function searchWords({ name, spec }: MethodEntry, params: readonly string[]): string {
  const own = [name, spec.group, spec.summary, ...params].join(' ').toLowerCase()
  const apart = new Set(`${own} ${name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}`.split(/[^a-z0-9-]+/))
  const further = SYNONYMS.flatMap(([words, synonyms]) => (words.some((word) => apart.has(word)) ? [synonyms] : []))
  return [own, ...further].join(' ')
}
