// All that the maker of a token says of it. Nothing of it is a link: a page leads to no other host on the word of a stranger.

import { foreignText, tokenOf } from '../accountNames.ts'
import { boot } from '../pageBoot.ts'
import { Copy } from '../parts/Copy.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { hasPicture } from './TokenPicture.tsx'

const LONGEST_DESCRIPTION = 20_000
const MOST_PARAGRAPHS = 200

const paragraphsOf = (text: string): readonly string[] =>
  text
    .slice(0, LONGEST_DESCRIPTION)
    .split(/[\r\n]+/)
    .map((line) => foreignText(line, LONGEST_DESCRIPTION))
    .filter((line) => line !== '')
    .slice(0, MOST_PARAGRAPHS)

/** Of a link that holds what it leads to, and of bytes. */
const LONGEST_DATA = 100

const isData = (name: string, value: unknown): value is string =>
  typeof value === 'string' && (name === 'image_data' || /^data:/i.test(value))

/** For the screen: pictures as text are of use to no one there. */
const shortened = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      isData(name, value) && value.length > LONGEST_DATA
        ? `${value.slice(0, LONGEST_DATA)}… (${value.length} characters)`
        : value,
    ]),
  )

export function AllMetadata({ raw }: { readonly raw: string }) {
  const token = tokenOf(raw)
  if (token === undefined) return null
  const { is_indexed: isWhole, description = '', image, extra = {}, ...others } = token
  return (
    <>
      <p class="quiet">
        Written by the maker of the token, who can write anything.
        {!isWhole && ' A part that lies outside of the chain was not read yet, or is not read by this service.'}
        {image !== undefined &&
          !hasPicture(raw) &&
          !boot.pictures &&
          ' This service fetches no pictures from other hosts.'}
      </p>
      {paragraphsOf(description).map((line, at) => (
        <p key={at}>{line}</p>
      ))}
      <p class="buttons">
        <Copy text={() => JSON.stringify(token, null, 2)} what="metadata as JSON" label="Copy JSON" />
      </p>
      <JsonView value={shortened({ ...others, ...(image !== undefined && { image }), extra: shortened(extra) })} />
    </>
  )
}
