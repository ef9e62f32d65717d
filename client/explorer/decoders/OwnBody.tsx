// Bodies of messages and data of accounts as the contract's own description says.

import type { Abi } from '../../../shared/abi/abi.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { BagError, bytesOfText, readBag } from '../cell/readBag.ts'
import { linkOf } from '../console/links.ts'
import type { PageProps } from '../lazyPage.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { type DecodedMessage, decodeByAbi, decodeStorage } from './bodyDecoder.ts'
import { useAbi } from './useAbi.ts'

function decoded(
  abi: Abi,
  boc: string,
  read: (abi: Abi, root: Parameters<typeof decodeByAbi>[1]) => DecodedMessage | null,
) {
  try {
    const [root] = readBag(bytesOfText(boc)).roots
    return root === undefined ? null : read(abi, root)
  } catch (error) {
    if (error instanceof BagError) return null
    throw error
  }
}

function Fields({ found, label }: { readonly found: DecodedMessage; readonly label: string }) {
  return (
    <section aria-label={label}>
      <p>
        <strong>{found.type}</strong> <span class="quiet">by its own ABI</span>
      </p>
      <JsonView value={found.fields} open={3} linkOf={linkOf} />
      {found.rest !== null && (
        <p class="quiet">
          The ABI says nothing of {counted(found.rest.bits, 'further bit')} and {counted(found.rest.refs, 'reference')}.
        </p>
      )}
    </section>
  )
}

/** `subject` is the hash of the code and the body, with a space between them. */
export function OwnBody({ subject }: PageProps) {
  const [codeHash = '', body = ''] = subject.split(' ')
  const abi = useAbi(codeHash)
  const found = abi && decoded(abi, body, decodeByAbi)
  return found && <Fields found={found} label="By its own ABI" />
}

/** `subject` is the hash of the code and the data of the account, with a space between them. */
export function OwnStorage({ subject }: PageProps) {
  const [codeHash = '', data = ''] = subject.split(' ')
  const abi = useAbi(codeHash)
  const found = abi && decoded(abi, data, decodeStorage)
  return found && <Fields found={found} label="Storage by its own ABI" />
}
