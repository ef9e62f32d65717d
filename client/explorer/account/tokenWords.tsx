// What the maker of a token says of it, as far as a page has room: text, whatever it was meant to be. All of it is in `AllMetadata`.

import { isObject } from '../../../shared/isObject.ts'
import type { TokenInfo } from '../../index.ts'
import { foreignText } from '../accountNames.ts'
import { Table } from '../parts/Table.tsx'

const LONGEST_DESCRIPTION = 600
const LONGEST_VALUE = 120
const MOST_ATTRIBUTES = 40

const wordsOf = (value: unknown): string =>
  foreignText(typeof value === 'string' ? value : JSON.stringify(value ?? ''), LONGEST_VALUE)

export const descriptionOf = (token: TokenInfo | undefined): string =>
  foreignText(token?.description ?? '', LONGEST_DESCRIPTION)

/** Names with their values, as marketplaces write them: a list of traits, or an object. */
function attributesOf(token: TokenInfo | undefined): readonly (readonly [name: string, value: string])[] {
  const { attributes } = token?.extra ?? {}
  const pairs = Array.isArray(attributes)
    ? attributes.filter(isObject).map((one) => [one.trait_type, one.value])
    : isObject(attributes)
      ? Object.entries(attributes)
      : []
  return pairs.map(([name, value]) => [wordsOf(name), wordsOf(value)])
}

export function AttributeTable({ of: token }: { readonly of: TokenInfo | undefined }) {
  const all = attributesOf(token)
  if (all.length === 0) return null
  const more = all.length - MOST_ATTRIBUTES
  return (
    <>
      <Table label="Attributes" columns={['Attribute', 'Value']}>
        {all.slice(0, MOST_ATTRIBUTES).map(([name, value], at) => (
          <tr key={at}>
            <td class="named">{name}</td>
            <td class="named">{value}</td>
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="quiet">and {more} more</p>}
    </>
  )
}
