// Accounts a person watches while the page is open: a new transaction is a notification of the desktop.

import { effect, signal } from '@preact/signals'
import { accountState } from '../../../shared/explorer/explorerQueries.ts'
import { accountPath, friendlyForm, nameOf } from '../accountNames.ts'
import { tick } from '../live.ts'
import { ask } from '../pageClient.ts'
import { toast } from '../parts/Toast.tsx'
import { go } from '../router.ts'

/** Logical time of the newest transaction that was seen, by raw address; null before the first look. */
const watched = signal<ReadonlyMap<string, string | null>>(new Map())

export const isWatched = (raw: string): boolean => watched.value.has(raw)

/** Without the permission, and on phones, whose browsers have it for service workers alone, the page says so itself. */
function notify(raw: string): void {
  const words = `New transaction of ${nameOf(raw) ?? friendlyForm(raw)}`
  try {
    if (Notification.permission === 'granted') {
      new Notification(words, { tag: raw }).onclick = () => {
        focus()
        go(accountPath(raw))
      }
      return
    }
  } catch {
    // No notifications here.
  }
  toast(`${words}.`)
}

async function look(raw: string): Promise<void> {
  const { accounts } = await ask(accountState(raw))
  const newest = accounts.find(({ address }) => address === raw)?.last_transaction_lt ?? '0'
  const before = watched.value.get(raw)
  if (before === undefined || before === newest) return
  watched.value = new Map([...watched.value, [raw, newest]])
  // After a revert, or on another chain, the newest transaction is older than before.
  if (before !== null && BigInt(newest) > BigInt(before)) notify(raw)
}

/** Between two looks of a page that is behind others. */
const HIDDEN_MS = 10_000

let isFollowing = false

function follow(): void {
  if (isFollowing) return
  isFollowing = true
  // A look that fails is made again with the next block.
  const lookAtAll = (): void => {
    for (const raw of watched.peek().keys()) look(raw).catch(() => undefined)
  }
  effect(() => {
    void tick.value
    lookAtAll()
  })
  // A page behind others follows no blocks, and a notification is for that.
  setInterval(() => document.visibilityState === 'hidden' && lookAtAll(), HIDDEN_MS)
}

/** Asks for the permission to notify. */
export async function watch(raw: string, isOne: boolean): Promise<void> {
  const others = [...watched.value].filter(([one]) => one !== raw)
  watched.value = new Map(isOne ? [...others, [raw, null]] : others)
  if (!isOne) return
  follow()
  if (typeof Notification !== 'undefined' && Notification.permission === 'default')
    await Notification.requestPermission()
  await look(raw).catch(() => undefined)
}
