// The body of a message as the contract's own description says.

import { BagError, bytesOfText, readBag } from '../cell/boc.ts'
import { linkOf } from '../console/links.ts'
import type { PageProps } from '../page.tsx'
import { Json } from '../parts/Json.tsx'
import { AbiError, parseAbi } from './abi.ts'
import { type DecodedBody, decodeBody } from './decode.ts'
import { abiOf } from './stored.ts'

function decoded(codeHash: string, body: string): DecodedBody | null {
  const abi = abiOf(codeHash)
  if (abi === undefined) return null
  try {
    const [root] = readBag(bytesOfText(body)).roots
    return root === undefined ? null : decodeBody(parseAbi(abi.text), root)
  } catch (error) {
    if (error instanceof BagError || error instanceof AbiError) return null
    throw error
  }
}

/** `subject` is the hash of the code and the body, with a space between them. */
export function OwnBody({ subject }: PageProps) {
  const [codeHash = '', body = ''] = subject.split(' ')
  const found = decoded(codeHash, body)
  if (found === null) return null
  return (
    <section aria-label="By its own ABI">
      <p>
        <strong>{found.type}</strong> <span class="quiet">by its own ABI</span>
      </p>
      <Json value={found.fields} open={3} linkOf={linkOf} />
      {found.rest !== null && (
        <p class="quiet">
          The ABI says nothing of {found.rest.bits} further bits and {found.rest.refs} references.
        </p>
      )}
    </section>
  )
}
