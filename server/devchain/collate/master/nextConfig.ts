// The configuration after a masterchain block: the one that the configuration contract holds then.

import { type Cell, Dict, openCell, sameBytes } from '../../../cell/index.ts'
import { type ConfigParams, configKind, configParam, loadAccount } from '../../../tlb/index.ts'
import type { Accounts, MasterState } from '../../state/index.ts'
import type { Draft } from '../blockDraft.ts'
import { isUsableConfig } from './usableConfig.ts'

export interface NextConfig {
  readonly config: ConfigParams
  /** Whether the block changes it. */
  readonly isKey: boolean
}

/** The root of the configuration a contract holds: the first reference of its data. */
function heldRoot(accounts: Accounts, address: Uint8Array): Cell | null {
  const found = accounts.get(address)
  const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
  if (state?.kind !== 'active') return null
  return state.init.data?.refs[0] ?? null
}

const configAt = (address: Uint8Array, root: Cell): ConfigParams => ({ address, params: new Dict(configKind, root) })

/** Roots that were refused with a warning: a contract holds one until it is changed. */
const ignored = new WeakSet<Cell>()

function heldConfig({ shop }: Draft, config: ConfigParams, accounts: Accounts): ConfigParams {
  const root = heldRoot(accounts, config.address)
  if (root === null || root.hash() === config.params.root?.hash() || ignored.has(root)) return config
  const changed = configAt(config.address, root)
  if (isUsableConfig(changed)) return changed
  ignored.add(root)
  shop.warn('The config contract holds a configuration the chain could not go on with; it is ignored', {})
  return config
}

/** Parameter 0 may name another contract. That one holds the configuration from then on if its own parameter 0 names it. */
function movedConfig(config: ConfigParams, accounts: Accounts): ConfigParams {
  const address = configParam(config, 0)
  if (address === null || sameBytes(address, config.address)) return config
  const root = heldRoot(accounts, address)
  if (root === null) return config
  const moved = configAt(address, root)
  const named = isUsableConfig(moved) ? configParam(moved, 0) : null
  return named !== null && sameBytes(named, address) ? moved : config
}

/** `accounts` are those after the block. */
export function nextConfig(draft: Draft, { extra }: MasterState, accounts: Accounts): NextConfig {
  const before = extra.config
  const config = movedConfig(heldConfig(draft, before, accounts), accounts)
  const isSame = config.params.root?.hash() === before.params.root?.hash() && sameBytes(config.address, before.address)
  return isSame ? { config: before, isKey: false } : { config, isKey: true }
}
