// Scripts of this build that could not be loaded. The service may have been updated since: then only a new page has them.

import { toast } from './parts/Toast.tsx'

/** The script every page begins with: its name is another one in every build. */
const BUILD = import.meta.url

const LEFT_KEY = 'explorer-left'
const MOST_LEFT = 20

/** What became of the service that has the scripts of this page. */
export type ScriptHost = 'here' | 'updated' | 'away'

export async function findHost(): Promise<ScriptHost> {
  try {
    const { status } = await fetch(BUILD, { method: 'HEAD', cache: 'no-store' })
    return status === 404 ? 'updated' : status < 500 ? 'here' : 'away'
  } catch {
    return 'away'
  }
}

const leftBuilds = (): readonly unknown[] => {
  const found: unknown = JSON.parse(sessionStorage.getItem(LEFT_KEY) ?? '[]')
  return Array.isArray(found) ? found : []
}

/**
 * Once for each build in a tab: a page that comes again as it was, or one of two builds that answer in turn, is not left
 * again. False when the page stays.
 */
export function leaveOnce(): boolean {
  try {
    const left = leftBuilds()
    if (left.includes(BUILD)) return false
    sessionStorage.setItem(LEFT_KEY, JSON.stringify([...left.slice(1 - MOST_LEFT), BUILD]))
  } catch {
    // Without storage nothing would end a second try, and a third.
    return false
  }
  location.reload()
  return true
}

export const sayNotLoaded = (): void => toast('This part did not load. Reload the page to try again.')

/** What a person requested, or null: then the page reports that it cannot be loaded. */
export async function loadedOrSaid<T>(script: Promise<T>): Promise<T | null> {
  try {
    return await script
  } catch {
    sayNotLoaded()
    return null
  }
}
