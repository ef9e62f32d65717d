// Bodies of messages and data of accounts as the contract's own description says.

import type { Abi } from '../../../shared/abi/abi.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { BagError, bytesOfText, readBag } from '../cell/readBag.ts'
import { linkOf } from '../console/links.ts'
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

interface OwnProps {
  /** Hash of the code that the description is of. */
  readonly code: string
  readonly boc: string
  /** Tells it from others on the page. */
  readonly of: string
}

interface FieldsProps extends Pick<OwnProps, 'of'> {
  readonly found: DecodedMessage
  readonly label: string
}

function Fields({ found, label, of }: FieldsProps) {
  return (
    <section aria-label={label}>
      <p>
        <strong>{found.type}</strong> <span class="quiet">by its own ABI</span>
      </p>
      <JsonView value={found.fields} open={3} linkOf={linkOf} of={`${label} ${of}`} />
      {found.rest !== null && (
        <p class="quiet">
          The ABI says nothing of {counted(found.rest.bits, 'further bit')} and {counted(found.rest.refs, 'reference')}.
        </p>
      )}
    </section>
  )
}

export function OwnBody({ code, boc, of }: OwnProps) {
  const abi = useAbi(code)
  const found = abi && decoded(abi, boc, decodeByAbi)
  return found && <Fields found={found} label="By its own ABI" of={of} />
}

export function OwnStorage({ code, boc, of }: OwnProps) {
  const abi = useAbi(code)
  const found = abi && decoded(abi, boc, decodeStorage)
  return found && <Fields found={found} label="Storage by its own ABI" of={of} />
}
