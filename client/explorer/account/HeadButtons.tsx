// What a person does with an account: keeps it, watches it, shows it to a phone, sends to it.

import { useRef, useState } from 'preact/hooks'
import { lazy } from '../lazyPage.tsx'
import { boot } from '../pageBoot.ts'
import { isFavourite, setFavourite } from '../remembered.ts'
import { href } from '../router.ts'
import { isWatched, watch } from './watch.ts'

const OwnName = lazy(async () => (await import('./OwnName.tsx')).OwnName)
const QrCode = lazy(async () => (await import('../qr/QrCode.tsx')).QrCode)

export function HeadButtons({ raw, friendly }: { readonly raw: string; readonly friendly: string }) {
  const [hasCode, setHasCode] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const nameButton = useRef<HTMLButtonElement>(null)
  const isKept = isFavourite(raw)
  const isFollowed = isWatched(raw)
  return (
    <>
      <p class="buttons">
        <button type="button" class="second small" aria-pressed={isKept} onClick={() => setFavourite(raw, !isKept)}>
          {isKept ? '★' : '☆'} Favourite
        </button>
        <button
          type="button"
          class="second small"
          aria-pressed={isFollowed}
          title="A notification for each new transaction, while this page is open"
          onClick={() => void watch(raw, !isFollowed)}
        >
          {isFollowed ? 'Watching' : 'Watch'}
        </button>
        <button
          ref={nameButton}
          type="button"
          class="second small"
          aria-expanded={isNaming}
          onClick={() => setNaming(!isNaming)}
        >
          Name
        </button>
        <button
          type="button"
          class="second small"
          aria-expanded={hasCode}
          onClick={() => setHasCode(!hasCode)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') setHasCode(false)
          }}
        >
          QR code
        </button>
        {boot.control && (
          <a class="button" href={href(`/lab?to=${friendly}`)}>
            Send to it
          </a>
        )}
      </p>
      {isNaming && (
        <OwnName
          raw={raw}
          done={() => {
            setNaming(false)
            nameButton.current?.focus()
          }}
        />
      )}
      {hasCode && <QrCode subject={friendly} />}
    </>
  )
}
