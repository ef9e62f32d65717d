import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { groups, type MethodSpec, registry } from '../../shared/registry.ts'

const methods: [string, MethodSpec][] = Object.entries(registry)

test('no method name stands in two groups', () => {
  const names = groups.flatMap((group) => Object.keys(group))
  expect(names).toEqual([...new Set(names)])
  expect(new Set(names)).toEqual(new Set(Object.keys(registry)))
})

test('no verb and path stand for two methods', () => {
  const routes = methods.flatMap(([, spec]) => spec.rest.map(({ verb, path }) => `${verb} ${path}`))
  expect(routes).toEqual([...new Set(routes)])
})

test('no name is one every object has', () => {
  expect(methods.map(([name]) => name).filter((name) => name in {})).toEqual([])
})

/** Some routes of emulation repeat the name of their interface: `emulateTrace`, but `replay`. */
function nameOf(path: string): string {
  const bare = path.replace(/^\/(?:api\/(?:v\d|emulate\/v1)\/)?/, '')
  if (path.startsWith('/api/v3/')) return `v3.${bare.replaceAll('/', '.')}`
  return path.startsWith('/api/emulate/')
    ? `emulate.${bare.replace(/^emulate(.)/, (_, first) => first.toLowerCase())}`
    : bare
}

describe.each(methods)('%s', (name, spec) => {
  const schema = z.toJSONSchema(spec.params, { io: 'input' })
  const params = Object.keys(schema.properties ?? {})

  test('is named after its path, in either interface', () => {
    for (const { path } of spec.rest) {
      expect(nameOf(path)).toBe(name)
    }
  })

  test('its example fits its own schemas', () => {
    expect(spec.params.safeParse(spec.example.params).error?.issues).toBeUndefined()
    expect(spec.result.safeParse(spec.example.result).error?.issues).toBeUndefined()
  })

  test('its example survives JSON', () => {
    expect(JSON.parse(JSON.stringify(spec.example))).toEqual(spec.example)
  })

  test('its params can stand in a query and are never taken for a key', () => {
    for (const param of params) expect(param).toMatch(/^[a-z][a-zA-Z0-9_]*$/)
    expect(params).not.toContain('api_key')
  })

  test('it refuses params that were not declared', () => {
    expect(spec.params.safeParse({ ...spec.example.params, nobodyDeclaredThis: 1 }).success).toBe(false)
  })

  test('it has a price above zero and says what it is for', () => {
    expect(spec.cost ?? 1).toBeGreaterThan(0)
    expect(spec.summary).toMatch(/^[A-Z].*\.$/)
    expect(spec.group).not.toBe('')
  })
})
