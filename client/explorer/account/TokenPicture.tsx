// The picture of a token as the service has it, else initials. A page calls no other host, whatever a token's maker has written.

import { useState } from 'preact/hooks'
import { PICTURES } from '../../../shared/explorer/boot.ts'
import { tokenOf } from '../accountNames.ts'
import { boot } from '../pageBoot.ts'
import { href } from '../router.ts'

/** Whether the service has a picture of a token: those at links only where it fetches them. */
export function hasPicture(account: string): boolean {
  const { image = '', is_nsfw: isHidden, extra } = tokenOf(account) ?? {}
  const isThere = boot.pictures ? image : /^data:/i.test(image)
  return !isHidden && Boolean(isThere || extra?.image_data)
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()

interface PictureProps {
  readonly account: string
  readonly name: string
  /** Empty where the name is next to it: readers of the screen need it once. */
  readonly alt?: string
  /** Called once when the picture cannot be loaded. */
  readonly onGone?: () => void
}

export function TokenPicture({ account, name, alt = '', onGone }: PictureProps) {
  const [isGone, setGone] = useState(!hasPicture(account))
  const goes = (): void => {
    setGone(true)
    onGone?.()
  }
  if (isGone)
    return (
      <span class="initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
    )
  return <img class="picture" src={href(`${PICTURES}/${account}`)} alt={alt} loading="lazy" onError={goes} />
}
