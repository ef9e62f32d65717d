// Contracts by the names of their descriptions: those a person has added here, and those of the service.

import { toHex } from '../../../shared/hex.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { foreignText } from '../accountNames.ts'
import { allAbis, stored } from '../decoders/stored.ts'
import { href } from '../router.ts'

export interface AbiHit {
  readonly name: string
  /** Hex of the hash of the code. */
  readonly code: string
  readonly isOwn: boolean
}

/** Descriptions that have a text in their name. */
export function abiHits(text: string, most: number): readonly AbiHit[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const found = Object.entries(allAbis()).flatMap(([hash, { name }]): readonly AbiHit[] => {
    const bytes = parseHash(hash)
    const shown = foreignText(name)
    if (bytes === null || !shown.toLowerCase().includes(wanted)) return []
    return [{ name: shown, code: toHex(bytes), isOwn: Object.hasOwn(stored.value, hash) }]
  })
  return found.slice(0, most)
}

/** The contracts with the code are what a search for its hash finds. */
export const pathOfAbi = ({ code }: AbiHit): string => `/search?q=${code}`

export const AbiLine = ({ hit: { name, code, isOwn } }: { readonly hit: AbiHit }) => (
  <span class="hit">
    <span class="tag">{isOwn ? 'ABI of this browser' : 'ABI'}</span> <b>{name}</b> <span class="quiet">{code}</span>
  </span>
)

export const AbiList = ({ hits }: { readonly hits: readonly AbiHit[] }) => (
  <ul class="plain hits">
    {hits.map((hit) => (
      <li key={hit.code}>
        <a href={href(pathOfAbi(hit))}>
          <AbiLine hit={hit} />
        </a>
      </li>
    ))}
  </ul>
)
