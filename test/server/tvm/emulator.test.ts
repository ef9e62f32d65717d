import type { TupleItem } from '@ton/core'
import { beginCell, Cell, Dictionary, parseTuple, serializeTuple } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Emulator, GetMethodRun } from '../../../server/tvm/index.ts'
import { createConfig, createExecutor, TvmError } from '../../../server/tvm/index.ts'
import * as lib from './contracts.ts'
import { now } from './corpus.ts'

const { alice, boc, code, internal, shardAccount } = lib
const config = createConfig(defaultConfig)
const block = { now, randSeed: Buffer.alloc(32, 5) }
const lt = 1_000_000n
let executor: Emulator

function getMethod(of: Cell, stack: TupleItem[] = [], extra: Partial<GetMethodRun> = {}) {
  const run = { code: boc(of), data: boc(Cell.EMPTY), stack: boc(serializeTuple(stack)), address: alice.toRawString() }
  const result = executor.runGetMethod({ ...run, methodId: 5, balance: 7n, now, ...extra })
  return { ...result, items: parseTuple(Cell.fromBase64(result.stack)).map(readable) }
}

/** Numbers as they are, cells and slices by their hash. */
function readable(item: TupleItem): unknown {
  if (item.type === 'tuple') return item.items.map(readable)
  if (item.type === 'int') return item.value
  return 'cell' in item ? item.cell.hash().toString('hex') : item.type
}

function hash(cell: Cell): string {
  return cell.hash().toString('hex')
}

function transaction(of: Cell) {
  return executor.transaction({ shardAccount: boc(shardAccount({ code: of })), message: boc(internal({})), lt })
}

function failure(call: () => unknown): string {
  try {
    call()
  } catch (cause) {
    if (cause instanceof TvmError) return cause.code
    throw cause
  }
  return 'none'
}

beforeAll(async () => {
  executor = await createExecutor()
  executor.setConfig(config)
  executor.beginBlock(block)
})

describe('get-methods', () => {
  test('default: parameters go in, results come out', () => {
    const { success, exitCode, gasUsed, items, missingLibrary } = getMethod(code.echo, [{ type: 'int', value: -3n }])
    expect({ success, exitCode, missingLibrary }).toEqual({ success: true, exitCode: 0, missingLibrary: null })
    expect(items).toEqual([-3n, 5n])
    expect(gasUsed).toBeGreaterThan(0n)
  })

  test('args: address, balance, time and seed are what the contract sees', () => {
    const seed = Buffer.alloc(32, 9)
    const { items } = getMethod(code.context, [], { balance: 123n, randSeed: seed })
    const [address, balance, time, random] = items
    expect(address).toBe(hash(beginCell().storeAddress(alice).endCell()))
    expect(balance).toEqual([123n, 'null'])
    expect(time).toBe(BigInt(now))
    expect(getMethod(code.context, [], { randSeed: seed }).items[3]).toEqual(random)
    expect(getMethod(code.context).items[3]).not.toEqual(random)
  })

  test('args: extraCurrencies', () => {
    const { items } = getMethod(code.context, [], { extraCurrencies: { 100: 5n } })
    const currencies = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5)).set(100, 5n)
    const cell = beginCell().storeDictDirect(currencies).endCell()
    expect(items[1]).toEqual([7n, hash(cell)])
  })

  test('args: extraCurrencies, several of them: ids above 2^31, none of an amount of 0', () => {
    const most = 2n ** 248n - 1n
    const amounts = [
      [7, 1n],
      [100, 5n],
      [0x8000_0001, 6n],
      [0xffff_ffff, most],
    ] as const
    const currencies = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
    for (const [id, amount] of amounts) currencies.set(id, amount)
    const cell = beginCell().storeDictDirect(currencies).endCell()
    const unsigned = Object.fromEntries(amounts)
    const signed = Object.fromEntries(amounts.map(([id, amount]) => [id | 0, amount]))
    for (const extraCurrencies of [unsigned, { ...signed, 8: 0n, [-9]: 0n }])
      expect(getMethod(code.context, [], { extraCurrencies }).items[1]).toEqual([7n, hash(cell)])
    expect(getMethod(code.context, [], { extraCurrencies: { 8: 0n } }).items[1]).toEqual([7n, 'null'])
  })

  test('args: verbosity and debug', () => {
    const loud = getMethod(code.catching, [], { verbosity: 5 })
    expect(loud.vmLog.length).toBeGreaterThan(1000)
    expect(loud.vmLog).toContain('stack:')
    expect(getMethod(code.catching).vmLog.length).toBeLessThanOrEqual(256)
    const dump = lib.assemble('FF00 FE00')
    expect(getMethod(dump, [], { debug: true }).vmLog).toContain('#DEBUG#')
    expect(getMethod(dump).vmLog).not.toContain('#DEBUG#')
  })

  test('the log of a transaction is its end, however long it ran', () => {
    const message = boc(internal({}))
    const found = executor.transaction({
      shardAccount: boc(shardAccount({ code: code.endless })),
      message,
      lt,
      verbosity: 4,
    })
    expect(found.vmLog.length).toBeGreaterThan(100_000)
    expect(found.vmLog.length).toBeLessThanOrEqual(256 << 10)
    expect(found.vmLog.slice(-2000)).toMatch(/out-of-gas/)
  })

  test('args: libs', () => {
    const borrowed = lib.libraryCell(code.echo)
    expect(getMethod(borrowed)).toMatchObject({
      success: false,
      exitCode: 9,
      missingLibrary: code.echo.hash().toString('hex').toUpperCase(),
    })
    expect(getMethod(borrowed, [], { libs: boc(lib.publicLibrary(code.echo)) })).toMatchObject({ success: true })
    expect(getMethod(borrowed).success).toBe(false)
  })

  test('args: prevBlocks', () => {
    expect(getMethod(code.prevBlocks, [], { prevBlocks: boc(lib.previousBlocks()) }).items[0]).toHaveLength(16)
    expect(getMethod(code.prevBlocks).exitCode).toBe(7)
  })

  test('a contract without an end runs out of gas', () => {
    const { success, exitCode, gasUsed } = getMethod(lib.assemble('FF00 9100 EA'))
    expect({ success, exitCode }).toEqual({ success: false, exitCode: -14 })
    expect(gasUsed).toBeGreaterThanOrEqual(1_000_000n)
    expect(getMethod(lib.assemble('FF00 9100 EA'), [], { gasLimit: 1000n }).gasUsed).toBeLessThan(1100n)
  })

  test('behavior: every parameter reads the same in the trimmed and in the whole configuration', () => {
    // Each run hashes every cell of it.
    expect(config.trimmed.length).toBeLessThan(config.full.length / 60)
    for (const index of [...Array(100).keys(), -71, -90, -999]) {
      const requested: TupleItem[] = [{ type: 'int', value: BigInt(index) }]
      const whole = getMethod(code.config, requested, { fullConfig: true })
      expect(getMethod(code.config, requested), `parameter ${index}`).toEqual(whole)
    }
    expect(getMethod(code.config, [{ type: 'int', value: 34n }]).success).toBe(true)
  })

  // The first run of each is made without configuration and blocks; one with more gas than usual is given both at once.
  test.each([
    ['PREVBLOCKSINFOTUPLE', 'F82D'],
    ['PREVMCBLOCKS', 'F83400'],
    ['PREVKEYBLOCK', 'F83401'],
    ['PREVMCBLOCKS_100', 'F83402'],
    ['13 GETPARAMLONG', 'F8810D'],
    ['0 GETGLOBVAR', '70 F840'],
    ['c7 PUSHCTR', 'ED47'],
    ['7 PUSHCTRX', '77 EDE0'],
    ['PREVMCBLOCKS in code that the run itself has written', '8100F8 C8 CB07 8034 01 CB07 70 01 CB07 C9 D0 ED1E D8'],
    ['{ PREVMCBLOCKS } { 2DROP } TRY', '93 F83400 91 5B F2FF'],
    ['CONFIGROOT', 'F829'],
    ['CONFIGDICT', 'F830'],
    ['18 CONFIGPARAM', '8012 F832'],
    ['18 CONFIGOPTPARAM', '8012 F833'],
    ['UNPACKEDCONFIGTUPLE', 'F82E'],
    ['GLOBALID', 'F835'],
    ['GETGASFEE', '8064 70 F836'],
    ['GETSTORAGEFEE', '8064 8064 8064 70 F837'],
    ['GETFORWARDFEE', '8064 8064 70 F838'],
    ['GETPRECOMPILEDGAS', 'F839'],
    ['GETORIGINALFWDFEE', '8064 70 F83A'],
    ['GETGASFEESIMPLE', '8064 70 F83B'],
    ['GETFORWARDFEESIMPLE', '8064 8064 70 F83C'],
    ['SENDMSG', '810400 FB08'],
    ['18 CONFIGPARAM IF:<{ DROP PREVMCBLOCKS }>', '8012 F832 94 30F83400 DE'],
    ['18 CONFIGPARAM IF:<{ DROP c7 PUSHCTR }>', '8012 F832 93 30ED47 DE'],
  ])('behavior: what a run reads of the network is there: %s', (_, hex) => {
    const reader = lib.assemble(`FF00 30 ${hex}`)
    const message: TupleItem[] = [{ type: 'cell', cell: internal({}) }]
    const prevBlocks = boc(lib.previousBlocks())
    const whole = getMethod(reader, message, { prevBlocks, gasLimit: 1_000_001n })
    for (const time of ['first', 'second'])
      expect(getMethod(reader, message, { prevBlocks }), `the ${time} time`).toEqual(whole)
  })

  test.each([
    ['SETCONTCTRMANY', '9100 EDE380'],
    ['SAVECTR', 'EDA7 ED40'],
    ['SAVEALTCTR', 'EDB7 ED41'],
  ])('behavior: a continuation that leaves the run with c7 has all of the network: %s', (_, hex) => {
    const run = { code: boc(lib.assemble(`FF00 30 ${hex}`)), data: boc(Cell.EMPTY), stack: boc(serializeTuple([])) }
    const context = {
      methodId: 5,
      balance: 7n,
      now,
      address: alice.toRawString(),
      prevBlocks: boc(lib.previousBlocks()),
    }
    const stackOf = (gasLimit: bigint) => executor.runGetMethod({ ...run, ...context, gasLimit }).stack
    expect(stackOf(1_000_000n)).toBe(stackOf(1_000_001n))
  })

  test('behavior: a method that reads the configuration for one caller reads the blocks for another', () => {
    // IFELSE: { 18 CONFIGPARAM } { PREVMCBLOCKS }
    const reader = lib.assemble('FF00 30 94 8012F832 93 F83400 E2')
    const prevBlocks = boc(lib.previousBlocks())
    for (const value of [1n, 0n, 1n, 0n]) {
      const run = (gasLimit: bigint) => getMethod(reader, [{ type: 'int', value }], { prevBlocks, gasLimit })
      expect(run(1_000_000n), `with ${value}`).toEqual(run(1_000_001n))
    }
  })

  test.each([
    ['{ 34 CONFIGPARAM DROP CTOS SBITS } { 2DROP 99 } TRY', '98 8022F83230D0D749 94 5B800063 F2FF'],
    ['34 CONFIGPARAM DROP', '8022F83230'],
    ['34 CONFIGPARAM DROP HASHCU', '8022F83230 F900'],
    ['CONFIGROOT CTOS HASHSU', 'F829 D0 F901'],
    ['9 GETPARAMLONG 0 CHASHI', 'F88109 D768'],
    ['NEWC 34 CONFIGPARAM DROP STREF BDEPTH', 'C8 8022F83230 CC CF30'],
    ['34 CONFIGPARAM DROP 1000 CDATASIZE', '8022F83230 8103E8 F941'],
    ['34 CONFIGPARAM DROP XCTOS NIP', '8022F83230 D739 31'],
    ['34 CONFIGPARAM DROP 1 x{D0D749} RUNVM', '8022F83230 71 8B3D0D7498 DB4000'],
  ])('behavior: nor does it matter what the contract does with the parameter: %s', (_, hex) => {
    const reader = lib.assemble(`FF00 30 ${hex}`)
    expect(getMethod(reader)).toEqual(getMethod(reader, [], { fullConfig: true }))
  })

  test('behavior: tuples a thousand deep come back whole', () => {
    expect(getMethod(lib.nestedTuple(900)).success).toBe(true)
    expect(getMethod(code.echo).success).toBe(true)
  })

  test('error: a result deeper than cells may be', async () => {
    expect(['stackTooDeep', 'crashed']).toContain(
      failure(() => getMethod(lib.nestedTuple(20_000), [], { gasLimit: 10_000_000n })),
    )
    if (executor.broken) await executor.restart()
    expect(getMethod(code.echo).success).toBe(true)
  })

  test('error: what is no stack, no address, no library', () => {
    expect(failure(() => getMethod(code.echo, [], { stack: 'zzzz' }))).toBe('badInput')
    expect(failure(() => getMethod(code.echo, [], { stack: boc(Cell.EMPTY) }))).toBe('badInput')
    expect(failure(() => getMethod(code.echo, [], { stack: '' }))).toBe('badInput')
    expect(failure(() => getMethod(code.echo, [], { address: 'nowhere' }))).toBe('badInput')
    expect(failure(() => getMethod(code.echo, [], { address: '0:"},{' }))).toBe('badInput')
    expect(failure(() => getMethod(code.echo, [], { libs: 'zzzz' }))).toBe('badInput')
    expect(failure(() => getMethod(code.prevBlocks, [], { prevBlocks: boc(Cell.EMPTY) }))).toBe('badInput')
    expect(executor.broken).toBe(false)
  })

  test('error: numbers out of range', () => {
    for (const amount of [-1n, 2n ** 248n])
      expect(() => getMethod(code.echo, [], { extraCurrencies: { 1: amount } })).toThrow(/amount of a currency/)
    const bad: Partial<GetMethodRun>[] = [
      { methodId: 2 ** 32 },
      { methodId: 1.5 },
      { methodId: Number.NaN },
      { now: -1 },
      { now: 2 ** 32 },
      { balance: -1n },
      { balance: 2n ** 63n },
      { gasLimit: -1n },
      { gasLimit: 2n ** 63n },
      { randSeed: Buffer.alloc(31) },
      { extraCurrencies: { 1: -1n } },
    ]
    for (const extra of bad)
      expect(
        failure(() => getMethod(code.echo, [], extra)),
        Object.keys(extra)[0],
      ).toBe('badInput')
    expect(executor.broken).toBe(false)
  })

  test('error: code or data that is no bag of cells, and the restart after it', async () => {
    for (const extra of [{ code: 'AAAA' }, { data: 'AAAA' }, { code: '' }, { code: '\u{1f600}\0' }]) {
      expect(failure(() => getMethod(code.echo, [], extra))).toBe('badInput')
      if (executor.broken) {
        expect(failure(() => getMethod(code.echo))).toBe('crashed')
        await executor.restart()
      }
      expect(getMethod(code.echo).success).toBe(true)
    }
  })

  test('error: more than the memory of the emulator holds, and the restart after it', async () => {
    // Of two equal halves, so that it takes no memory here.
    expect(failure(() => getMethod(code.echo, [], { stack: 'A'.repeat(300 << 20) }))).toBe('crashed')
    expect(executor.broken).toBe(true)
    await executor.restart()
    expect(getMethod(code.echo).success).toBe(true)
  })
})

describe('transactions', () => {
  test('behavior: libraries hold until the next block says otherwise', () => {
    const borrowed = lib.libraryCell(code.silent)
    const exit = () => {
      const result = transaction(borrowed)
      return result.accepted ? result.actions !== null : result
    }
    executor.beginBlock({ ...block, libs: boc(lib.publicLibrary(code.silent)) })
    expect([exit(), exit()]).toEqual([true, true])
    executor.beginBlock({ ...block, libs: boc(lib.publicLibrary(code.throwing)) })
    expect(exit()).toBe(false)
    executor.beginBlock({ ...block, libs: boc(lib.publicLibrary(code.silent)) })
    expect(exit()).toBe(true)
    executor.beginBlock(block)
    expect([exit(), exit()]).toEqual([false, false])
  })

  test('behavior: previous blocks hold until the next block says otherwise', () => {
    const known = () => {
      const result = transaction(code.prevBlocks)
      return result.accepted && result.actions !== null
    }
    executor.beginBlock({ ...block, prevBlocks: boc(lib.previousBlocks()) })
    expect([known(), known()]).toEqual([true, true])
    executor.beginBlock(block)
    expect([known(), known()]).toEqual([false, false])
  })

  test('behavior: configurations may change from run to run', () => {
    const configs = Array.from({ length: 7 }, (_, index) => {
      const params = Cell.fromBase64(defaultConfig)
        .beginParse()
        .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
      params.set(1000 + index, Cell.EMPTY)
      return createConfig(beginCell().storeDictDirect(params).endCell().toBoc())
    })
    executor.setConfig(config)
    const expected = transaction(code.throwing)
    const { memoryBytes } = executor
    for (let round = 0; round < 5; round++) {
      for (const other of configs) {
        executor.setConfig(other)
        expect(transaction(code.throwing)).toEqual(expected)
        expect(getMethod(code.config, [{ type: 'int', value: 1000n }]).exitCode).toBe(other === configs[0] ? 0 : 2)
      }
    }
    expect(executor.memoryBytes - memoryBytes).toBeLessThan(16 << 20)
    executor.setConfig(config)
  })

  test('error: libraries or previous blocks that are none, and the run after', () => {
    for (const extra of [{ libs: 'zzzz' }, { prevBlocks: 'zzzz' }, { prevBlocks: boc(Cell.EMPTY) }]) {
      executor.beginBlock({ ...block, ...extra })
      expect(failure(() => transaction(code.silent))).toBe('badInput')
      executor.beginBlock(block)
      expect(transaction(code.silent).accepted).toBe(true)
    }
  })

  test('error: what is no account, no message, no number', () => {
    const run = { shardAccount: boc(shardAccount({ code: code.silent })), message: boc(internal({})), lt }
    const bad = [
      { shardAccount: 'AAAA' },
      { message: 'AAAA' },
      { message: '' },
      { lt: -1n },
      { lt: 2n ** 64n },
      { now: 0.5 },
    ]
    for (const extra of bad) expect(failure(() => executor.transaction({ ...run, ...extra }))).toBe('badInput')
    expect(executor.transaction(run).accepted).toBe(true)
  })

  test('error: configurations that are none', () => {
    expect(failure(() => createConfig('AAAA'))).toBe('badConfig')
    expect(failure(() => createConfig(boc(Cell.EMPTY)))).toBe('badConfig')
    const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell()).set(7, Cell.EMPTY)
    executor.setConfig(createConfig(beginCell().storeDictDirect(params).endCell().toBoc()))
    expect(failure(() => transaction(code.silent))).toBe('badConfig')
    executor.setConfig(config)
    expect(transaction(code.silent).accepted).toBe(true)
  })

  test('memory stays flat over 20,000 of them', () => {
    const accounts = [code.silent, code.throwing, code.catching].map((of) =>
      boc(shardAccount({ code: of })).toString('base64'),
    )
    const message = boc(internal({})).toString('base64')
    const run = (times: number) => {
      for (let count = 0; count < times; count++)
        for (const shardAccount of accounts) executor.transaction({ shardAccount, message, lt })
    }
    run(500)
    const { memoryBytes } = executor
    run(6700)
    expect(executor.memoryBytes).toBe(memoryBytes)
  }, 1_200_000)
})
