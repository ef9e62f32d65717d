// The licences of packages whose code is in the explorer's scripts: each asks to go with every copy of that code.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { root } from './output.ts'

/** Below the explorer's folder. */
export const LICENCES = 'licences.txt'

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//

function licenceIn(folder: string): string {
  const name = readdirSync(join(root, folder)).find((file) => /^licen[cs]e(?:\.\w+)?$/i.test(file))
  if (name === undefined) throw new Error(`${folder} has no licence that could go with its code`)
  return readFileSync(join(root, folder, name), 'utf8').trim()
}

export function licencesOf(outputs: Metafile['outputs']): string {
  const packages = new Map<string, string>()
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, folder, name] = PACKAGE.exec(path) ?? []
      if (bytesInOutput > 0 && folder !== undefined && name !== undefined) packages.set(name, licenceIn(folder))
    }
  const all = [...packages].sort(([a], [b]) => (a < b ? -1 : 1))
  return all.map(([name, text]) => `${name}\n\n${text}\n`).join('\n\n')
}
