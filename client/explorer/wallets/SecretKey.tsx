// The secret key of a test account, computed only when it is wanted: that takes a while.

import { useState } from 'preact/hooks'
import { secretKeyOf } from '../lab/compose/sign.ts'
import { Copy } from '../parts/Copy.tsx'

export interface SecretKeyProps {
  readonly account: { readonly name: string; readonly mnemonic: string; readonly publicKey: string }
}

export function SecretKey({ account: { name, mnemonic, publicKey } }: SecretKeyProps) {
  const [key, setKey] = useState('')
  const compute = async () => setKey(`${await secretKeyOf(mnemonic)}${publicKey}`)
  if (key === '')
    return (
      <button type="button" class="second small" onClick={() => void compute()}>
        Show
      </button>
    )
  return (
    <span class="secret">
      <code>{key}</code> <Copy text={key} what={`secret key of ${name}`} />
    </span>
  )
}
