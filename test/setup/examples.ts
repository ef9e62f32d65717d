// Examples of methods through every door they have.

import { describe, expect, test } from 'vitest'
import type { MethodSpec, Registry } from '../../shared/registry.ts'
import { doorsOf, resultIn } from './doors.ts'
import type { TestService } from './service.ts'

/** Declares the tests: each door answers, all alike. `exact` are methods whose example has one right answer. */
export function playExamples(service: () => TestService, methods: Registry, exact: Registry = {}): void {
  describe.each(Object.entries(methods) as [string, MethodSpec][])('%s', (name, spec) => {
    const doors = doorsOf(spec)
    const params = spec.example.params as Record<string, unknown>

    test.each(doors.map((door) => [door.name, door] as const))('%s answers the example', async (_, door) => {
      const { status, body } = await door.call(service(), name, params)
      expect(status).toBe(200)
      expect(spec.result.safeParse(resultIn(body)).error?.issues).toBeUndefined()
      if (Object.hasOwn(exact, name)) expect(resultIn(body)).toEqual(spec.example.result)
    })

    test('all doors say the same', async () => {
      const answers = await Promise.all(doors.map((door) => door.call(service(), name, params)))
      const [first, ...others] = answers.map(({ body }) => resultIn(body))
      for (const other of others) expect(other).toEqual(first)
    })

    test('a cached answer is the same as a computed one', async () => {
      const [door] = doors
      if (!door) throw new Error('a method without a door')
      const first = await door.call(service(), name, params)
      const second = await door.call(service(), name, params)
      expect(second.body.result).toEqual(first.body.result)
      if (spec.freshness === 'fixed') expect(second.body['@extra']).toMatch(/:c$/)
    })
  })
}
