// Writes the JSON parameters of the emulator's calls, and refuses numbers it would misread: it takes them as text and
// answers a value out of range with one and the same line, whatever was wrong.

import { bocToBase64 } from './bocForm.ts'
import { TvmError } from './tvmError.ts'
import { librariesText } from './tvmLibraries.ts'
import type { BlockContext, GetMethodRun, TransactionRun } from './tvmRuns.ts'
import { defaultGasLimit } from './tvmRuns.ts'

const maxUint32 = 0xffff_ffff
const maxUint64 = 0xffff_ffff_ffff_ffffn
const maxInt64 = 0x7fff_ffff_ffff_ffffn
// Of a VarUInteger 32.
const MAX_AMOUNT = 2n ** 248n - 1n
const seedBytes = 32
/** Hex. */
const noSeed = '00'.repeat(seedBytes)

function seconds(now: number): number {
  if (!Number.isInteger(now) || now < 0 || now > maxUint32) throw new TvmError('badInput', `Not a unix time: ${now}`)
  return now
}

function inRange(value: bigint, max: bigint, name: string): bigint {
  if (value < 0n || value > max) throw new TvmError('badInput', `${name} is out of range: ${value}`)
  return value
}

const within = (value: bigint, max: bigint, name: string): string => String(inRange(value, max, name))

function seedHex(seed: Uint8Array): string {
  if (seed.byteLength !== seedBytes) throw new TvmError('badInput', `A random seed has ${seedBytes} bytes`)
  return Buffer.from(seed.buffer, seed.byteOffset, seedBytes).toString('hex')
}

/** `prevBlocks` is null when the emulator has them already: reading them costs more than a small transaction. */
export function transactionParams(
  run: Omit<TransactionRun, 'message'>,
  block: BlockContext,
  prevBlocks: string | null,
  which: 'tick' | 'tock' | null,
): string {
  return JSON.stringify({
    utime: seconds(run.now ?? block.now),
    lt: within(run.lt, maxUint64, 'lt'),
    rand_seed: seedHex(block.randSeed),
    ignore_chksig: run.ignoreSignature ?? false,
    debug_enabled: run.debug ?? false,
    ...(prevBlocks === null ? {} : { prev_blocks_info: prevBlocks }),
    ...(which === null ? {} : { is_tick_tock: true, is_tock: which === 'tock' }),
  })
}

/**
 * Amounts by currency as the emulator's reader takes them: ids unsigned, no amount of 0, over which it loops for ever,
 * and a blank before each further id, since it joins them to one text without anything between.
 */
function currenciesOf(amounts: Readonly<Record<number, bigint>>): readonly (readonly [string, string])[] {
  return Object.entries(amounts)
    .filter(([, amount]) => amount !== 0n)
    .map(([id, amount], i) => [
      `${i === 0 ? '' : ' '}${Number(id) >>> 0}`,
      within(amount, MAX_AMOUNT, 'amount of a currency'),
    ])
}

/** What get-methods of one contract have in common, as the emulator takes it. */
export interface MethodSetting {
  readonly code: string
  readonly data: string
  /** Empty for none. */
  readonly libs: string
  readonly address: string
  readonly now: number
  readonly balance: bigint
  /** Hex. */
  readonly randSeed: string
  readonly gasLimit: bigint
  /** Null instead of an empty text, as for libraries. */
  readonly prevBlocks: string | null
}

/** Throws TvmError `badInput` for numbers out of range. */
export function methodSetting(run: GetMethodRun): MethodSetting {
  if (run.methodId !== (run.methodId | 0)) throw new TvmError('badInput', `Not a method id: ${run.methodId}`)
  const { balance, gasLimit = defaultGasLimit } = run
  return {
    code: bocToBase64(run.code),
    data: bocToBase64(run.data),
    libs: librariesText(run.libs ?? ''),
    address: run.address,
    now: seconds(run.now),
    // Contracts would see a larger one as negative.
    balance: inRange(balance, maxInt64, 'balance'),
    randSeed: run.randSeed === undefined ? noSeed : seedHex(run.randSeed),
    gasLimit: inRange(gasLimit, maxInt64, 'gas limit'),
    prevBlocks: bocToBase64(run.prevBlocks ?? '') || null,
  }
}

/** Throws TvmError `badInput` for numbers out of range. */
export function getMethodParams(run: GetMethodRun): string {
  const setting = methodSetting(run)
  const currencies = currenciesOf(run.extraCurrencies ?? {})
  return JSON.stringify({
    code: setting.code,
    data: setting.data,
    verbosity: run.verbosity ?? 0,
    libs: setting.libs,
    address: setting.address,
    unixtime: setting.now,
    balance: String(setting.balance),
    rand_seed: setting.randSeed,
    gas_limit: String(setting.gasLimit),
    method_id: run.methodId,
    debug_enabled: run.debug ?? false,
    ...(setting.prevBlocks === null ? {} : { prev_blocks_info: setting.prevBlocks }),
    ...(currencies.length === 0 ? {} : { extra_currencies: Object.fromEntries(currencies) }),
  })
}
