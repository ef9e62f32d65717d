// What the embedded chain starts with: the well-known accounts, the system contracts and the usual configuration.

import { beginCell, buildDict, type Cell } from '../../cell/index.ts'
import { extraCurrencyKind, gramsOnly } from '../../tlb/index.ts'
import { configOwnerKey, faucetAccount, walletAccounts } from '../accounts/index.ts'
import { createGenesisConfig, type GenesisValidator } from '../config/index.ts'
import { CONFIG_ACCOUNT, ELECTOR_ACCOUNT, initOf, type SystemAccount, systemAccounts } from '../contracts/index.ts'
import { type AccountCellContent, BASECHAIN, MASTERCHAIN } from '../state/index.ts'
import type { GenesisPlan } from './genesis.ts'

export interface DevnetOptions {
  readonly globalId: number
  /** Unix seconds. */
  readonly utime: number
  /** By default 0. */
  readonly lt?: bigint
  readonly validators: readonly GenesisValidator[]
  /** Configuration parameters other than the usual ones; null leaves one out. */
  readonly configParams?: ReadonlyMap<number, Cell | null>
}

const COIN = 1_000_000_000n
const SYSTEM_BALANCE = 500n * COIN
/**
 * Parsers in wide use read a state's total with a mistake: they take the first bits of the number for something else. From
 * 2^56 to 2^62 nanotons the mistake does no harm, also to states that are not pruned; half of what the real network has is
 * in the middle of it.
 */
const TOTAL_SUPPLY = 2_500_000_000n * COIN

/** For the elector alone, whose data does not depend on the configuration. */
const NO_PARAMETERS = beginCell().end()

const systemContent = ({ hash, tick, tock, code, data }: SystemAccount): AccountCellContent => ({
  workchain: MASTERCHAIN,
  id: hash,
  balance: gramsOnly(SYSTEM_BALANCE),
  init: initOf({ code, data, special: { tick, tock } }),
})

/** The plan of a devchain's genesis. */
export function devnetPlan({ globalId, utime, lt = 0n, validators, configParams }: DevnetOptions): GenesisPlan {
  const owner = Buffer.from(configOwnerKey.publicKey, 'hex')
  const known = [faucetAccount(), ...walletAccounts(globalId)].map(
    ({ address, balance, currencies, code, data }): AccountCellContent => ({
      workchain: BASECHAIN,
      id: address.hash,
      balance: { grams: balance, other: buildDict(extraCurrencyKind, currencies) },
      init: initOf({ code, data }),
    }),
  )
  const [elector] = systemAccounts(NO_PARAMETERS, owner)
  const spent = known.reduce((sum, { balance }) => sum + balance.grams, 2n * SYSTEM_BALANCE)
  const reserve: AccountCellContent = {
    workchain: MASTERCHAIN,
    id: new Uint8Array(32),
    balance: gramsOnly(TOTAL_SUPPLY - spent),
    init: null,
  }
  return {
    globalId,
    utime,
    lt,
    accounts: [...known, systemContent(elector), reserve],
    configParams: (basechain) =>
      createGenesisConfig({
        globalId,
        validators,
        utime,
        basechain,
        configAccount: CONFIG_ACCOUNT,
        electorAccount: ELECTOR_ACCOUNT,
        ...(configParams === undefined ? {} : { overrides: configParams }),
      }),
    configContract: (parameters) => systemContent(systemAccounts(parameters, owner)[1]),
  }
}
