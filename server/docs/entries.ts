// Which methods stand in which document, and in what order: that of the registry.

import type { Route } from '../../shared/method.ts'
import type { MethodSpec, Registry } from '../../shared/registry.ts'

export type Version = 'v2' | 'v3'

export interface Entry {
  readonly name: string
  readonly spec: MethodSpec
}

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

export const entriesOf = (registry: Registry): readonly Entry[] =>
  Object.entries(registry).map(([name, spec]) => ({ name, spec }))

/** Routes of a method under one interface. */
export const routesOf = (spec: MethodSpec, version: Version): readonly Route[] =>
  spec.rest.filter((route) => route.path.startsWith(`/api/${version}/`))

/** Methods of one interface; those that only JSON-RPC has stand with v2 unless their name says v3. */
export const entriesOfVersion = (version: Version, registry: Registry): readonly Entry[] =>
  entriesOf(registry).filter(({ name, spec }) => {
    if (spec.rest.length > 0) return routesOf(spec, version).length > 0
    return name.startsWith('v3.') === (version === 'v3')
  })

/** The same by heading; a heading stands where its first method does. */
export function groupsOf(entries: readonly Entry[]): readonly Group[] {
  const byTitle = new Map<string, Entry[]>()
  for (const entry of entries) {
    const known = byTitle.get(entry.spec.group)
    if (known) known.push(entry)
    else byTitle.set(entry.spec.group, [entry])
  }
  return [...byTitle].map(([title, members]) => ({ title, entries: members }))
}
