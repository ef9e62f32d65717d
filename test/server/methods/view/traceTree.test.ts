import { expect, test } from 'vitest'
import { type TreePart, treeOf } from '../../../../server/methods/view/v3/traceTree.ts'
import { toBase64 } from '../../../../shared/base64.ts'
import type { TraceNode } from '../../../../shared/v3/traces.ts'

const hash = (name: number): Uint8Array => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, name)
  return bytes
}

const transaction = (name: number, taken: number | null, sent: readonly number[] = []): TreePart => ({
  hash: toBase64(hash(name)),
  inMsgHash: taken === null ? null : toBase64(hash(taken)),
  sent: sent.map((message) => toBase64(hash(message))),
})

const nameOf = (node: TraceNode): unknown => [node.tx_hash, node.children.map(nameOf)]
const named = (name: number, ...children: unknown[]) => [toBase64(hash(name)), children]

test('each transaction hangs below the one that sent what it took in, in the order they happened', () => {
  const { root, warning } = treeOf([
    transaction(1, 100, [101, 102]),
    transaction(3, 102, [103, 999]),
    transaction(2, 101),
    transaction(4, 103),
  ])
  expect(root && nameOf(root)).toEqual(named(1, named(3, named(4)), named(2)))
  expect(root?.in_msg_hash).toBe(toBase64(hash(100)))
  expect(warning).toBeNull()
})

test('a transaction without a message is a tree of its own', () => {
  const { root } = treeOf([transaction(1, null)])
  expect(root).toEqual({ tx_hash: toBase64(hash(1)), children: [] })
})

test('what hangs nowhere is left out, with all below it, and said', () => {
  const { root, warning } = treeOf([transaction(1, 100), transaction(2, 555, [556]), transaction(3, 556)])
  expect(root && nameOf(root)).toEqual(named(1))
  expect(warning).toBe('missing node in trace found')
})

test('a message is taken in once', () => {
  const { root, warning } = treeOf([transaction(1, 100, [101]), transaction(2, 101), transaction(3, 101)])
  expect(root && nameOf(root)).toEqual(named(1, named(2)))
  expect(warning).toBe('missing node in trace found')
})

test('nothing is no tree', () => {
  expect(treeOf([])).toEqual({ root: null, warning: null })
})

test('a chain deeper than JSON can be written is not written', () => {
  const chain = (length: number) => Array.from({ length }, (_, i) => transaction(i + 1, 10_000 + i, [10_001 + i]))
  expect(treeOf(chain(4000))).toEqual({ root: null, warning: 'trace is too deep' })
  expect(JSON.stringify(treeOf(chain(1000)).root).length).toBeGreaterThan(50_000)
})
