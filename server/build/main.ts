// What `npm run build` does after the compiler of TypeScript: all steps in order, or those named on the command line.
// Each first checks whether its result is up to date, so that a usual start waits for nothing.

import { buildDemoContracts } from '../demo/contracts/buildContracts.ts'
import { buildContracts } from '../devchain/contracts/buildContracts.ts'
import { buildImages } from '../store/pglite/buildImages.ts'
import { bundle } from './bundle.ts'
import { packClient } from './clientPackage.ts'
import { buildPage } from './page.ts'

const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  contracts: async () => {
    await buildContracts()
    await buildDemoContracts()
  },
  images: buildImages,
  bundle,
  client: packClient,
  page: buildPage,
}

const named = process.argv.slice(2)
const unknown = named.find((name) => !Object.hasOwn(STEPS, name))
if (unknown !== undefined) throw new Error(`no build step ${unknown}: there are ${Object.keys(STEPS).join(', ')}`)
for (const [name, step] of Object.entries(STEPS)) if (named.length === 0 || named.includes(name)) await step()
