// The configuration as blocks and states carry it: the address of the contract that holds it, and a cell per parameter.

import { type Builder, type Cell, Dict, dictKind, intKey, refValue, type Slice } from '../../cell/index.ts'
import { loadHash, storeHash, TlbError } from '../fields.ts'

export const configKind = dictKind(intKey(32), refValue)

export interface ConfigParams {
  /** Masterchain account id. */
  readonly address: Uint8Array
  readonly params: Dict<number, Cell>
}

export const loadConfigParams = (slice: Slice): ConfigParams => ({
  address: loadHash(slice),
  params: new Dict(configKind, slice.loadRef()),
})

export function storeConfigParams(builder: Builder, value: ConfigParams): Builder {
  if (value.params.root === null) throw new TlbError('value', 'a configuration has at least one parameter')
  return storeHash(builder, value.address).storeRef(value.params.root)
}
