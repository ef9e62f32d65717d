// An address as other programs write it.

import { parseAddress, toFriendly } from '../../../shared/address.ts'
import { Copy } from '../parts/Copy.tsx'
import { Facts } from '../parts/Facts.tsx'

export function AddressForms({ raw }: { readonly raw: string }) {
  const address = parseAddress(raw)
  if (address === null) return null
  const forms: readonly (readonly [name: string, text: string])[] = [
    ['Bounceable', toFriendly({ ...address, bounceable: true, testOnly: false })],
    ['Not bounceable', toFriendly({ ...address, bounceable: false, testOnly: false })],
    ['Test networks, bounceable', toFriendly({ ...address, bounceable: true, testOnly: true })],
    ['Test networks, not bounceable', toFriendly({ ...address, bounceable: false, testOnly: true })],
    ['Raw', raw.toLowerCase()],
  ]
  return (
    <Facts
      rows={forms.map(([name, text]) => [
        name,
        <span key={name} class="with-copy">
          <code>{text}</code>
          <Copy text={text} what={`address (${name.toLowerCase()})`} />
        </span>,
      ])}
    />
  )
}
