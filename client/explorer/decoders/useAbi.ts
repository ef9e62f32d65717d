// The description of a code as pages use it. Its text is read from the service, and the script that understands it is
// loaded, when it is first needed: most codes have none.

import { useEffect, useState } from 'preact/hooks'
import type { Abi } from '../../../shared/abi/abi.ts'
import { client } from '../pageClient.ts'
import { abiOf, serveAbis } from './stored.ts'

const wanted = new Set<string>()
const parsed = new Map<string, Abi | null>()

async function parse(text: string): Promise<void> {
  if (!parsed.has(text)) parsed.set(text, (await import('./abiOrNull.ts')).abiOrNull(text))
}

/** Null while there is none. */
export function useAbi(codeHash: string): Abi | null {
  const [, redraw] = useState(0)
  const known = abiOf(codeHash)
  const text = known?.text ?? null
  const isMissing = known !== undefined && text === null
  useEffect(() => {
    if (!isMissing || wanted.has(codeHash)) return
    wanted.add(codeHash)
    client.v3.abis({ code_hash: [codeHash] }).then(
      ({ abis }) => serveAbis(abis),
      () => wanted.delete(codeHash),
    )
  }, [codeHash, isMissing])
  useEffect(() => {
    if (text === null || parsed.has(text)) return
    let isCurrent = true
    parse(text).then(
      () => isCurrent && redraw((count) => count + 1),
      // Without the script bodies are shown as they are.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [text])
  return text === null ? null : (parsed.get(text) ?? null)
}
