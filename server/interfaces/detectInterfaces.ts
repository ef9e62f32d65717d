// Which interfaces a contract has.

import { fromBase64 } from '../../shared/base64.ts'
import { methodNames } from '../../shared/methodNames.ts'
import { type BinaryHash, hashFromBytes } from '../cell/index.ts'
import { knownCodes } from './codeHashes.ts'
import { methodId } from './methodId.ts'
import { walletKinds } from './walletKinds.ts'

const known = new Map<BinaryHash, string>([...walletKinds].map(([hash, kind]) => [hash, kind.interfaceName]))
for (const { interfaceName, hashes } of knownCodes)
  for (const hash of hashes) known.set(hashFromBytes(fromBase64(hash) ?? new Uint8Array()), interfaceName)

/** In the order they are answered in. */
const wanted = Object.entries(methodNames)
  .map(([name, methods]) => ({ name, ids: methods.map(methodId) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/**
 * Names of the interfaces a contract has, ascending: the one that goes with its code hash, else all whose methods it has.
 * `methods` is null when they are not known.
 */
export function detectInterfaces(codeHash: BinaryHash, methods: readonly number[] | null): readonly string[] {
  const exact = known.get(codeHash)
  if (exact !== undefined) return [exact]
  if (methods === null || methods.length === 0) return []
  const ids = new Set(methods)
  return wanted.filter((one) => one.ids.every((id) => ids.has(id))).map(({ name }) => name)
}
