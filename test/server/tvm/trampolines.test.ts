import { beforeEach, expect, test } from 'vitest'
import { encodeTrampolines, runtimeSlots, swallowImport, trampolineExports } from '../../../server/tvm/trampolines.ts'

const tableSize = 5
const swallower = 4
let swallowed = 0
const log: unknown[] = []
let exceptionTag: WebAssembly.Tag
let invoke: Record<string, (...args: unknown[]) => unknown>
let behave: (...args: unknown[]) => unknown

/** A function as WebAssembly sees it: only those go into tables. Type bytes as in the binary format. */
function native(params: number[], results: number[], body: (...args: never[]) => unknown): unknown {
  const type = [0x60, params.length, ...params, results.length, ...results]
  const section = (id: number, content: number[]) => [id, content.length, ...content]
  const module = new WebAssembly.Module(
    Uint8Array.from([
      0,
      0x61,
      0x73,
      0x6d,
      1,
      0,
      0,
      0,
      ...section(1, [1, ...type]),
      ...section(2, [1, 1, 0x61, 1, 0x61, 0, 0]),
      ...section(7, [1, 1, 0x62, 0, 0]),
    ]),
  )
  return new WebAssembly.Instance(module, { a: { a: body } }).exports.b
}

const i32 = 0x7f
const i64 = 0x7e
const f32 = 0x7d
const f64 = 0x7c

beforeEach(() => {
  log.length = 0
  const names = ['invoke_v', 'invoke_ii', 'invoke_jij', 'invoke_df']
  const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(Uint8Array.from(encodeTrampolines(names, { firstSlot: tableSize, swallower }))),
    { [swallowImport.module]: { [swallowImport.name]: () => swallowed } },
  )
  invoke = exports as typeof invoke
  exceptionTag = exports[trampolineExports.tag] as unknown as WebAssembly.Tag
  const table = exports[trampolineExports.table] as WebAssembly.Table
  const call = (...args: unknown[]) => behave(...args)
  const entries = [
    native([], [], call),
    native([i32], [i32], call),
    native([i32, i64], [i64], call),
    native([f32], [f64], call),
    native([i32], [i32], call),
  ]
  for (const [index, entry] of entries.entries()) table.set(index, entry)
  table.set(
    tableSize + runtimeSlots.stackSave,
    native([], [i32], () => 1234),
  )
  table.set(
    tableSize + runtimeSlots.stackRestore,
    native([i32], [], (pointer) => log.push(['restore', pointer])),
  )
  table.set(
    tableSize + runtimeSlots.setThrew,
    native([i32, i32], [], (threw, value) => log.push(['threw', threw, value])),
  )
})

test('default: arguments and results of every type pass', () => {
  behave = (...args) => args[args.length - 1]
  expect(invoke.invoke_v?.(0)).toBeUndefined()
  expect(invoke.invoke_ii?.(1, -7)).toBe(-7)
  expect(invoke.invoke_jij?.(2, 3, 2n ** 60n)).toBe(2n ** 60n)
  expect(invoke.invoke_df?.(3, 0.5)).toBe(0.5)
  expect(log).toEqual([])
})

test('behavior: our exception restores the stack, is noted and gives zero', () => {
  behave = () => {
    throw new WebAssembly.Exception(exceptionTag, [])
  }
  const noted = [
    ['restore', 1234],
    ['threw', 1, 0],
  ]
  expect(invoke.invoke_v?.(0)).toBeUndefined()
  expect(invoke.invoke_ii?.(1, 5)).toBe(0)
  expect(invoke.invoke_jij?.(2, 3, 4n)).toBe(0n)
  expect(invoke.invoke_df?.(3, 0.5)).toBe(0)
  expect(log).toEqual([...noted, ...noted, ...noted, ...noted])
})

test('error: everything else passes through untouched', () => {
  for (const thrown of [new RangeError('stack'), new WebAssembly.RuntimeError('abort'), 'text', 17]) {
    behave = () => {
      throw thrown
    }
    let caught: unknown
    try {
      invoke.invoke_ii?.(1, 5)
    } catch (cause) {
      caught = cause
    }
    expect(caught).toBe(thrown)
  }
  expect(() => invoke.invoke_ii?.(0, 5)).toThrow(WebAssembly.RuntimeError)
  expect(log).toEqual([])
})

test('behavior: an exception that one function was to catch ends at its call, and at no other', () => {
  behave = () => {
    throw new WebAssembly.Exception(exceptionTag, [])
  }
  swallowed = 1
  expect(invoke.invoke_ii?.(swallower, 5)).toBe(0)
  expect(log).toEqual([['restore', 1234]])
  expect(invoke.invoke_ii?.(1, 5)).toBe(0)
  expect(log.slice(1)).toEqual([
    ['restore', 1234],
    ['threw', 1, 0],
  ])
  swallowed = 0
  expect(invoke.invoke_ii?.(swallower, 5)).toBe(0)
  expect(log.slice(3)).toEqual([
    ['restore', 1234],
    ['threw', 1, 0],
  ])
})
