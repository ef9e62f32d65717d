// Accounts below each other, of which a contract may have hundreds.

import { Address } from './Address.tsx'
import { Folded } from './Folded.tsx'

const FIRST = 20

const Items = ({ of: list }: { readonly of: readonly string[] }) => (
  <ul>
    {list.map((one) => (
      <li key={one}>
        <Address of={one} />
      </li>
    ))}
  </ul>
)

interface AddressListProps {
  readonly of: readonly string[]
  readonly what: string
}

export const AddressList = ({ of: list, what }: AddressListProps) => (
  <>
    <Items of={list.slice(0, FIRST)} />
    {list.length > FIRST && (
      <Folded title={`${list.length - FIRST} more ${what}`}>
        <Items of={list.slice(FIRST)} />
      </Folded>
    )}
  </>
)
