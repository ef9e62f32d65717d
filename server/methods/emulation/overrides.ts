// What a request changes about accounts and configuration before the run.

import { parseAddress, toRawUpper } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { Params } from '../../../shared/registry.ts'
import type { emulationV3 } from '../../../shared/v3/emulation.ts'
import { type Cell, emptyDict, stdAddress, writingBoc } from '../../cell/index.ts'
import type { RunSetting } from '../../contracts/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import type { AccountAt, AccountId } from '../../node/index.ts'
import {
  type Account,
  configKind,
  countingStorage,
  extraCurrencyKind,
  gramsOnly,
  storeAccount,
  toCell,
} from '../../tlb/index.ts'
import { createConfig, type TvmConfig } from '../../tvm/index.ts'
import type { EmulationStart } from './emulation.ts'
import { requestCell } from './requestCell.ts'

type Query = Params<(typeof emulationV3)['emulate.trace']>
type StateOverride = NonNullable<Query['state_overrides']>[string]

interface Changes extends Omit<StateOverride, 'code' | 'data'> {
  readonly code: Cell | null
  readonly data: Cell | null
}

const NO_STORAGE = { used: { cells: 0, bits: 0 }, dictHash: null, lastPaid: 0, duePayment: null }

/** The dictionary of amounts by id. One of zero is no part of it: a balance or message with one is invalid. */
export function extraCurrencyDict(amounts: Readonly<Record<string, bigint>>) {
  const some = Object.entries(amounts).filter(([, amount]) => amount > 0n)
  return emptyDict(extraCurrencyKind).update(some.map(([id, amount]) => [Number(id), amount]))
}

/** The account as changed. A code that is given makes it active, whatever it was. */
function changed(id: AccountId, account: Account | null, change: Changes): Account | null {
  const known = account?.storage.state
  const init = known?.kind === 'active' ? known.init : null
  const code = change.code ?? init?.code ?? null
  const status = change.status ?? (change.code !== null || change.data !== null ? 'active' : known?.kind)
  if (status === 'nonexist') return null
  const { grams, other } = account?.storage.balance ?? gramsOnly(0n)
  const extra = change.extra_currencies
  const balance = {
    grams: change.balance ?? grams,
    other: extra === undefined ? other : extraCurrencyDict(extra),
  }
  const data = change.data ?? init?.data ?? null
  const bare = { fixedPrefixLength: null, special: null, library: null }
  const kept = known?.kind === 'frozen' && status === 'frozen' ? known : ({ kind: 'uninit' } as const)
  const state = status === 'active' ? ({ kind: 'active', init: { ...(init ?? bare), code, data } } as const) : kept
  return {
    address: account?.address ?? stdAddress(id.workchain, id.hash),
    storageStat: account?.storageStat ?? NO_STORAGE,
    storage: { lastTransLt: account?.storage.lastTransLt ?? 0n, balance, state },
  }
}

/** With its storage statistics recomputed: the emulator aborts when a transaction makes an account smaller than zero. */
async function measured(account: Account | null, slicing: Slicing): Promise<Account | null> {
  if (account === null) return null
  const used = await inPieces(countingStorage(account.storage), slicing)
  return { ...account, storageStat: { ...account.storageStat, used, dictHash: null } }
}

async function readOverrides(
  overrides: NonNullable<Query['state_overrides']>,
  slicing: Slicing,
): Promise<ReadonlyMap<string, Changes>> {
  const changes = new Map<string, Changes>()
  for (const [text, { code, data, ...rest }] of Object.entries(overrides)) {
    const address = parseAddress(text)
    if (address === null)
      throw new ApiError('invalidParams', `invalid address in state_overrides: ${clip(text)}`, {
        param: 'state_overrides',
      })
    const read = async (boc: Uint8Array | undefined, name: string) =>
      boc === undefined ? null : await requestCell(boc, `invalid ${name} in state_overrides`, slicing)
    changes.set(toRawUpper(address), { ...rest, code: await read(code, 'code'), data: await read(data, 'data') })
  }
  return changes
}

/** Rejects with ApiError for an invalid address or cell. */
export async function overridesOf(
  { state_overrides: overrides }: Pick<Query, 'state_overrides'>,
  slicing: Slicing,
): Promise<EmulationStart['override']> {
  if (overrides === undefined) return undefined
  const changes = await readOverrides(overrides, slicing)
  return async (id: AccountId, read: AccountAt) => {
    const change = changes.get(toRawUpper(id))
    if (change === undefined) return read
    const account = await measured(changed(id, read.account, change), slicing)
    const { lastTransHash, lastTransLt } = read.shardAccount ?? { lastTransHash: new Uint8Array(32), lastTransLt: 0n }
    return { account, shardAccount: { account: toCell(account, storeAccount), lastTransHash, lastTransLt } }
  }
}

/** The configuration with the parameters of a request; undefined when it has none. Rejects with ApiError. */
export async function configOf(
  { config_overrides: overrides }: Pick<Query, 'config_overrides'>,
  { params }: Pick<RunSetting, 'params'>,
  slicing: Slicing,
): Promise<TvmConfig | undefined> {
  if (overrides === undefined) return undefined
  const changes: [number, Cell][] = []
  for (const [number, boc] of Object.entries(overrides))
    changes.push([Number(number), await requestCell(boc, `invalid config parameter ${number}`, slicing)])
  const { root } = emptyDict(configKind).update([...params, ...changes])
  return root === null ? undefined : createConfig(await inPieces(writingBoc(root), slicing))
}
