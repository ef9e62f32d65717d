import { inspect } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { createProxy } from '../../client/proxy.ts'
import { registry } from '../../shared/registry.ts'

type Node = { readonly [name: string]: Node } & ((params?: object, options?: object) => unknown)

function setUp() {
  const door = {
    address: 'http://a',
    call: vi.fn(() => 'called'),
    each: vi.fn(() => 'rows'),
    pages: vi.fn(() => 'pages'),
  }
  const untouched = () => expect([door.call, door.each, door.pages].map((fn) => fn.mock.calls)).toEqual([[], [], []])
  return { door, untouched, client: createProxy(door) as Node }
}

describe('createProxy', () => {
  test('default: the path is the name', () => {
    const { client, door } = setUp()
    const params = { limit: 1 }
    const options = { timeoutMs: 5 }
    expect(client.detectAddress?.(params)).toBe('called')
    expect(client.v3?.jetton?.wallets?.(params, options)).toBe('called')
    expect(door.call.mock.calls).toEqual([
      ['detectAddress', params, undefined],
      ['v3.jetton.wallets', params, options],
    ])
  })

  test('behavior: every method of the service is within reach', () => {
    const { client, door } = setUp()
    for (const name of Object.keys(registry)) {
      const method = name.split('.').reduce<Node | undefined>((node, part) => node?.[part], client)
      method?.()
      expect(door.call).toHaveBeenLastCalledWith(name, undefined, undefined)
    }
  })

  test('behavior: iterators stand below a method', () => {
    const { client, door } = setUp()
    expect(client.v3?.blocks?.each?.({ limit: 1 })).toBe('rows')
    expect(client.v3?.blocks?.pages?.()).toBe('pages')
    expect(door.each).toHaveBeenCalledWith('v3.blocks', { limit: 1 }, undefined)
    expect(client.each?.()).toBe('called')
  })

  test('behavior: awaiting, printing, comparing and writing it down call nothing', async () => {
    const { client, untouched } = setUp()
    const nodes = [client, client.v3, client.v3?.blocks]
    for (const node of nodes) {
      expect(await node).toBe(node)
      expect(inspect(node)).not.toContain('undefined is not')
      inspect(node, { showProxy: true, showHidden: true, depth: 4 })
      JSON.stringify(node)
      JSON.stringify({ node })
      String(node)
      expect(`${node}`).toBeTypeOf('string')
      expect(node).toEqual(node)
      expect(() => expect(node).toEqual({ a: 1 })).toThrow()
      expect(Object.keys(node ?? {})).toEqual([])
      expect({ ...node }).toEqual({})
    }
    for (const key of [Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.toStringTag]) {
      expect(Reflect.get(client, key)).toBeUndefined()
    }
    for (const key of [
      'then',
      'catch',
      'finally',
      'toJSON',
      '$$typeof',
      '__v_raw',
      'prototype',
      'arguments',
      'caller',
    ]) {
      expect(client[key]).toBeUndefined()
      expect(client.v3?.[key]).toBeUndefined()
    }
    untouched()
  })

  test('behavior: no plain object, of which stores make copies, as MobX does', () => {
    expect(Object.getPrototypeOf(setUp().client)).not.toBe(Object.prototype)
  })

  test('behavior: a method is a function like any other', () => {
    const { client, door } = setUp()
    expect(client.a).toBe(client.a)
    expect(client.a?.bind?.(undefined as never)).toBeTypeOf('function')
    ;[{ x: 1 }].map((params) => client.a?.(params))
    expect(Reflect.apply(client.a ?? (() => {}), undefined, [{ x: 2 }])).toBe('called')
    expect(door.call.mock.calls.map(([, params]: unknown[]) => params)).toEqual([{ x: 1 }, { x: 2 }])
  })

  test('error: nothing can be put on it', () => {
    const { client } = setUp()
    expect(() => Object.assign(client, { a: 1 })).toThrow(TypeError)
    expect(() => Object.assign(client.v3 ?? {}, { a: 1 })).toThrow(TypeError)
    expect(() => client()).toThrow(TypeError)
  })
})
