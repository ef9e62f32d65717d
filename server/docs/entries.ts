// Which methods are in which document, in the order of the registry.

import { groupText } from '../../shared/groups.ts'
import { type Route, type Version, versionOfName, versionOfPath } from '../../shared/method.ts'
import type { MethodSpec, Registry } from '../../shared/registry.ts'

export type { Version }

export interface MethodEntry {
  readonly name: string
  readonly spec: MethodSpec
}

export interface MethodGroup {
  readonly title: string
  readonly entries: readonly MethodEntry[]
}

export const entriesOf = (registry: Registry): readonly MethodEntry[] =>
  Object.entries(registry).map(([name, spec]) => ({ name, spec }))

/** Routes of a method under one interface. */
export const routesOf = (spec: MethodSpec, version: Version): readonly Route[] =>
  spec.rest.filter(({ path }) => versionOfPath(path) === version)

/** Where a method is described. */
export const versionOf = (name: string, { rest: [route] }: MethodSpec): Version =>
  route === undefined ? versionOfName(name) : versionOfPath(route.path)

/** Heading of a group as a tag, with what the group is for. */
export function tagOf(version: Version, group: string): { readonly name: string; readonly description?: string } {
  const description = groupText(version, group)
  return { name: group, ...(description === undefined ? {} : { description }) }
}

/** Methods of one interface. */
export const entriesOfVersion = (version: Version, registry: Registry): readonly MethodEntry[] =>
  entriesOf(registry).filter(({ name, spec }) =>
    spec.rest.length > 0 ? routesOf(spec, version).length > 0 : versionOf(name, spec) === version,
  )

/** The same by heading, in the order of the first method of each. */
export function groupsOf(entries: readonly MethodEntry[]): readonly MethodGroup[] {
  const byTitle = new Map<string, MethodEntry[]>()
  for (const entry of entries) {
    const known = byTitle.get(entry.spec.group)
    if (known) known.push(entry)
    else byTitle.set(entry.spec.group, [entry])
  }
  return [...byTitle].map(([title, members]) => ({ title, entries: members }))
}
