// The description of a code as pages use it; its text is read from the service when it is first needed.

import { useEffect } from 'preact/hooks'
import { type Abi, AbiError } from '../../../shared/abi/abi.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'
import { client } from '../pageClient.ts'
import { abiOf, serveAbis } from './stored.ts'

const wanted = new Set<string>()
const parsed = new Map<string, Abi | null>()

function parse(text: string): Abi | null {
  const known = parsed.get(text)
  if (known !== undefined) return known
  let abi: Abi | null = null
  try {
    abi = parseAbi(text)
  } catch (error) {
    if (!(error instanceof AbiError)) throw error
  }
  parsed.set(text, abi)
  return abi
}

/** Null while there is none. */
export function useAbi(codeHash: string): Abi | null {
  const known = abiOf(codeHash)
  const isMissing = known !== undefined && known.text === null
  useEffect(() => {
    if (!isMissing || wanted.has(codeHash)) return
    wanted.add(codeHash)
    client.v3.abis({ code_hash: [codeHash] }).then(
      ({ abis }) => serveAbis(abis),
      () => wanted.delete(codeHash),
    )
  }, [codeHash, isMissing])
  return known?.text ? parse(known.text) : null
}
