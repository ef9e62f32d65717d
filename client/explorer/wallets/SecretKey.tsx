// The secret key of a test account, computed only when it is wanted: that takes a while.

import { useState } from 'preact/hooks'
import { secretKeyOf } from '../lab/compose/sign.ts'
import { Copy } from '../parts/Copy.tsx'
import { toast } from '../parts/Toast.tsx'

export interface SecretKeyProps {
  readonly account: { readonly name: string; readonly mnemonic: string; readonly publicKey: string }
}

export function SecretKey({ account: { name, mnemonic, publicKey } }: SecretKeyProps) {
  const [key, setKey] = useState('')
  const compute = async () => setKey(`${await secretKeyOf(mnemonic)}${publicKey}`)
  return (
    <span class="secret" tabIndex={-1}>
      {key === '' ? (
        <button
          type="button"
          class="second small"
          aria-label={`Show the secret key of ${name}`}
          onClick={({ currentTarget }) => {
            // The button goes when the key is there.
            currentTarget.parentElement?.focus()
            compute().catch(() => toast('This browser computes keys on secure pages only.'))
          }}
        >
          Show
        </button>
      ) : (
        <>
          <code>{key}</code> <Copy text={key} what={`secret key of ${name}`} />
        </>
      )}
    </span>
  )
}
