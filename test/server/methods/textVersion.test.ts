// Texts are stored, so a program that writes other ones must say so.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type BodyDefinition, body } from '../../../server/bodies/index.ts'
import { inOnePiece } from '../../../server/cell/index.ts'
import { schemesFingerprint } from '../../../server/decode/index.ts'
import { schemesFingerprintOf } from '../../../server/decode/schemes/index.ts'
import { parseBlock } from '../../../server/facts/index.ts'
import { WorkingSet } from '../../../server/facts/trace/workingSet.ts'
import { makingBatchRows } from '../../../server/indexer/batchRows.ts'
import { makeText, TEXT_FORMAT, textVersion, textVersionOf } from '../../../server/methods/v3/texts/storedText.ts'
import { writeIndexedTransaction } from '../../../server/methods/view/v3/transaction.ts'
import { RUNS } from '../../../server/store/packed/generated/runs.ts'
import { verifyBlock } from '../../setup/verifyAtOnce.ts'
import { withMessages } from '../../setup/withMessages.ts'
import { openFixture } from '../facts/parse/namedBlocks.ts'

/** Of the texts of a block and of the runs they are packed with. */
const KNOWN = { format: 7, digest: '7yr1b2QJuHdCK4CsMU7CMbwtYl8pBw-HhQBadRa9-Eg' }

/** The transactions of a block of mainnet, by itself. */
function ofMainnet() {
  const { id, bytes } = openFixture('block-1')
  const { root } = verifyBlock(id, bytes)
  const accounts = { accounts: [], accountStates: [], codes: [] }
  const facts = parseBlock(id, root, { mcSeqno: 1 })
  const master = { id, previous: [], facts, fromNobody: new Set<string>(), keyRoot: null }
  const step = { master, shards: [], tip: { id, tops: new Set<string>(), globalVersion: undefined } }
  const cursor = { network: 'mainnet', firstMcSeqno: 1 }
  const steps = [{ step, accounts, born: null }]
  const rows = inOnePiece(makingBatchRows({ steps, set: new WorkingSet([], true), cursor, previous: null }))
  return withMessages(rows.transactions, rows.messages).map((parts) => ({ ...parts, before: null, after: null }))
}

test('when a text changes, raise TEXT_FORMAT and write the new digest here', () => {
  const digest = createHash('sha256').update(RUNS.join('\n'))
  for (const found of ofMainnet()) digest.update(writeIndexedTransaction(found).json)
  expect({ format: TEXT_FORMAT, digest: digest.digest('base64url') }).toEqual(KNOWN)
})

test('other schemes are another version: what is stored has the names of the day it was made', () => {
  const swap = 'example_swap#25938561 query_id:uint64'
  const versionBy = (definition: BodyDefinition, line: string) =>
    textVersionOf(TEXT_FORMAT, schemesFingerprintOf([definition], [line]))
  const versions = [
    versionBy(body(swap), swap),
    versionBy(body('better_swap#25938561 query_id:uint64'), swap),
    versionBy(body('example_swap#25938562 query_id:uint64'), swap),
    versionBy(body('example_swap#25938561 query_id:Coins'), swap),
    versionBy(body(swap, { lenient: true, decodedAlso: 'anyLast' }), swap),
    versionBy(body(swap), 'example_swap#25938561 ?'),
    textVersionOf(TEXT_FORMAT + 1, schemesFingerprintOf([body(swap)], [swap])),
  ]
  expect(new Set(versions).size).toBe(versions.length)
  expect(versionBy(body(swap), swap)).toBe(versions[0])
  expect(textVersion()).toBe(textVersionOf(TEXT_FORMAT, schemesFingerprint()))
})

test('the texts of a block of mainnet become a third shorter, and more without the bodies', () => {
  const all = ofMainnet()
  const [written, stored, bodies] = [
    all.map((found) => writeIndexedTransaction(found).json.length),
    all.map((found) => makeText(found).text.length),
    all.map(({ inMessage, outMessages }) =>
      [inMessage, ...outMessages].map((one) => ((one?.body.length ?? 0) * 4) / 3),
    ),
  ].map((sizes) => sizes.flat().reduce((sum, size) => sum + size, 0))
  expect(stored).toBeLessThan(0.75 * (written ?? 0))
  expect((stored ?? 0) - (bodies ?? 0)).toBeLessThan(0.5 * ((written ?? 0) - (bodies ?? 0)))
})
