// Every method's example through every door it has: one method, one answer.

import { describe, expect, test } from 'vitest'
import { type MethodSpec, registry } from '../../shared/registry.ts'
import { addresses } from '../../shared/v2/addresses.ts'
import { doorsOf, resultIn } from '../setup/doors.ts'
import { forAllTests, serve } from '../setup/service.ts'

// No block comes between two answers that are compared.
const service = forAllTests(() => serve({ config: { mining: 'manual' } }))
/** Methods whose examples need more than a new chain has, and why. */
const NEEDS_MORE: Readonly<Record<string, string>> = {
  getTokenData: 'no token was deployed yet',
  dnsResolve: 'no resolver was deployed yet',
  tryLocateTx: 'no message was sent yet',
  tryLocateResultTx: 'no message was sent yet',
  tryLocateSourceTx: 'no message was sent yet',
}
// What changes the chain by hand has tests of its own.
const methods: [string, MethodSpec][] = Object.entries(registry).filter(
  ([name, spec]: [string, MethodSpec]) => !spec.control && !Object.hasOwn(NEEDS_MORE, name),
)

describe.each(methods)('%s', (name, spec) => {
  const doors = doorsOf(spec)
  const params = spec.example.params as Record<string, unknown>

  test.each(doors.map((door) => [door.name, door] as const))('%s answers the example', async (_, door) => {
    const { status, body } = await door.call(service(), name, params)
    expect(status).toBe(200)
    expect(spec.result.safeParse(resultIn(body)).error?.issues).toBeUndefined()
    // What is computed, not read off a chain, has one right answer.
    if (Object.hasOwn(addresses, name)) expect(resultIn(body)).toEqual(spec.example.result)
  })

  test('all doors say the same', async () => {
    const answers = await Promise.all(doors.map((door) => door.call(service(), name, params)))
    const [first, ...others] = answers.map(({ body }) => resultIn(body))
    for (const other of others) expect(other).toEqual(first)
  })

  test('a remembered answer is the same as a computed one', async () => {
    const [door] = doors
    if (!door) throw new Error('a method without a door')
    const [first, second] = [await door.call(service(), name, params), await door.call(service(), name, params)]
    expect(second.body.result).toEqual(first.body.result)
    if (spec.freshness === 'fixed') expect(second.body['@extra']).toMatch(/:c$/)
  })
})
