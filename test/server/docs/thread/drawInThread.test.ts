// The long documents are drawn in a thread: the same texts, and none of the work here.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDrawing } from '../../../../server/docs/createDrawing.ts'
import type { DocumentOrder, ServiceFacts } from '../../../../server/docs/index.ts'
import { drawInThread } from '../../../../server/docs/thread/index.ts'
import { chainRegistry, registry } from '../../../../shared/registry.ts'
import { RefusedThreads } from '../../../setup/refusedThreads.ts'
import { awkward } from '../awkward.ts'

const facts: ServiceFacts = {
  title: 'tonrpc',
  versions: { v2: '1.0.0', v3: '2.0.0' },
  network: 'devnet',
  limits: { bodyBytes: 1024 },
  publicUrl: undefined,
}

const ORDERS: readonly DocumentOrder[] = [
  { kind: 'openapi', version: 'v2' },
  { kind: 'openapi', version: 'v3' },
  { kind: 'openrpc' },
  { kind: 'methods' },
  { kind: 'reference', version: 'v2' },
  { kind: 'reference', version: 'v3' },
  { kind: 'guides' },
  { kind: 'guide', name: 'streams' },
]

/** How often a schema of the registry is converted in this thread. */
let converted = 0
const { _zod: internals } = registry.getAddressInformation.params
const { processJSONSchema: convert } = internals

beforeEach(() => {
  converted = 0
  internals.processJSONSchema = (...given) => {
    converted++
    convert?.(...given)
  }
})

afterEach(() => {
  internals.processJSONSchema = convert
})

test('default: the same texts, drawn elsewhere', async () => {
  const drawn = await Promise.all(ORDERS.map(drawInThread(registry, facts)))
  expect(converted).toBe(0)
  const here = await Promise.all(ORDERS.map(createDrawing(registry, facts)))
  expect(converted).toBeGreaterThan(0)
  expect(drawn).toEqual(here)
})

test('args: fewer methods', async () => {
  const [text] = await drawInThread(chainRegistry, facts)({ kind: 'openrpc' })
  expect(converted).toBe(0)
  expect(text).toBe((await createDrawing(chainRegistry, facts)({ kind: 'openrpc' }))[0])
})

test('error: methods that the thread does not have', () => {
  expect(() => drawInThread(awkward, facts)).toThrow(/the thread that draws documents has no /)
})

test('error: what cannot be drawn is reported, and the next order is answered', async () => {
  const draw = drawInThread(registry, facts)
  await expect(draw({ kind: 'guide', name: 'missing' })).rejects.toThrow(/missing/)
  expect((await draw({ kind: 'guide', name: 'streams' }))[0]).toContain('</html>')
})

test('where the system refuses a thread, documents are drawn here', async () => {
  const draw = drawInThread(registry, facts, new RefusedThreads().start)
  const [text] = await draw({ kind: 'openrpc' })
  expect(converted).toBeGreaterThan(0)
  expect(text).toBe((await createDrawing(registry, facts)({ kind: 'openrpc' }))[0])
})
