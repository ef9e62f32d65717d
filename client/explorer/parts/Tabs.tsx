// Parts of a page of which one is open: its name is in the address.

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { place, setQuery } from '../router.ts'

export interface Tab {
  readonly id: string
  readonly title: ComponentChildren
  readonly content: () => ComponentChildren
}

export interface TabsProps {
  /** What the tabs are of, for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab[]
  /** Name of the parameter in the address. */
  readonly param?: string
  /** Open when the address names none; without, or when there is no such tab, the first one. */
  readonly usual?: string | null
  readonly onChoose?: (id: string) => void
}

export function Tabs({ label, tabs, param = 'tab', usual, onChoose }: TabsProps) {
  const first = tabs.find(({ id }) => id === usual) ?? tabs[0]
  const chosen = place.value.query.get(param)
  const open = tabs.find(({ id }) => id === chosen) ?? first
  const openId = open && `${param}-${open.id}`
  // On a phone a row of tabs is wider than the screen.
  useEffect(() => {
    const tab = openId === undefined ? null : document.getElementById(openId)
    const row = tab?.parentElement
    if (!tab || !row) return
    const at = tab.getBoundingClientRect()
    const frame = row.getBoundingClientRect()
    if (at.left < frame.left || at.right > frame.right) row.scrollLeft += at.left - frame.left
  }, [openId])
  if (open === undefined || first === undefined) return null
  const choose = (tab: Tab): void => {
    setQuery({ [param]: tab.id === first.id ? null : tab.id })
    onChoose?.(tab.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // With it a browser goes back and forward.
    if (event.altKey || event.metaKey) return
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step === undefined ? undefined : tabs.at((tabs.indexOf(open) + step) % tabs.length)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
    document.getElementById(`${param}-${next.id}`)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${param}-${tab.id}`}
            aria-selected={tab === open}
            aria-controls={`${param}-panel`}
            tabIndex={tab === open ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${param}-panel`} aria-labelledby={`${param}-${open.id}`}>
        {open.content()}
      </div>
    </>
  )
}
